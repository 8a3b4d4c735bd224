import assert from "node:assert/strict";
import { env, l10n } from "vscode";
import chinese from "../../l10n/bundle.l10n.zh-cn.json" with { type: "json" };
import { helpCommands } from "../../src/chat/participant/handler.ts";
import { kinds } from "../../src/failures/gatewayNotices.ts";
import type { Notice, FailedAction } from "../../src/failures/notice.ts";
import { kindOf, noticeOf } from "../../src/failures/notices.ts";
import { asSentence, retryTime, sentences } from "../../src/failures/sentences.ts";
import { UserError } from "../../src/failures/userError.ts";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import type { KeyGroup } from "../../src/gateway/types.ts";
import { each } from "../support/each.ts";

const everyKind = Object.keys(kinds) as readonly GatewayErrorKind[];

const failed = (kind: GatewayErrorKind, details: GatewayErrorDetails = {}): GatewayError =>
  new GatewayError(kind, "", details);
const limited = (retryAfter: number): GatewayError => failed("rateLimited", { status: 429, retryAfter });
/** An order that is in doubt because a server in front failed. */
const charged = ({ status }: GatewayErrorDetails, front: GatewayErrorDetails): GatewayError =>
  failed("mayBeCharged", { status, cause: failed("badGateway", { status, ...front }) });

const saying = (kind: GatewayErrorKind, status: number, gatewayMessage = "No credit left"): GatewayError =>
  failed(kind, { status, gatewayMessage });

describe("a notice", () => {
  const page = "502 Bad Gateway";
  const refusal = { by: "user", origin: "https://a.example" } as const;
  /** What `npm run docs` does not show in docs/errors.md, whose tables a test compares. */
  const cases: readonly (readonly [unknown, KeyGroup, RegExp, string])[] = [
    [failed("unauthorized", { status: 401 }), "image", /\(401\).*image group/, "Set API Key, Show Log"],
    [failed("modelNotFound", { status: 400 }), "codex", /model \(400\)/, "Select Model, Show Log"],
    [limited(4_100), "codex", /\(429\)\. .* again in 5 seconds\.$/, "Retry, Show Log"],
    [limited(29_100), "codex", /\(429\)\. .* again in 30 seconds\.$/, "Try Now, Show Log"],
    [limited(3_600_000), "codex", /\. The gateway accepts .* again (at|on) .* \(in 1 hour\)\.$/, "Try Now, Show Log"],
    [failed("rejected", { status: 400, gatewayMessage: "no sk-123" }), "codex", /\(400\): no sk-…$/, "Show Log"],
    [saying("unauthorized", 401), "codex", /\(401\): No credit left\. Set a valid key: /, "Set API Key, Show Log"],
    [saying("forbidden", 403), "codex", /\(403\): No credit left\. Check the permission /, "Set API Key, Show Log"],
    [saying("rateLimited", 429), "codex", /\(429\): No credit left\. Wait a moment, /, "Retry, Show Log"],
    [saying("noImage", 200), "image", /no image \(200\): No credit left\. Try again/, "Retry, Show Log"],
    [saying("redirected", 302, "new.test/v1"), "codex", /\(302\).*new\.test\/v1/, "Open Settings, Show Log"],
    [saying("notFound", 404, "No endpoints found."), "codex", /\(404\).*No endpoints/, "Open Settings, Show Log"],
    [charged({}, { page: "" }), "image", /: its request returned a web page/, "Retry, Show Log"],
    [charged({ status: 502 }, { page }), "image", /request did not arrive \(502\)\./, "Retry, Show Log"],
    [failed("mayBeCharged", { cause: failed("empty") }), "image", /cannot be read\./, "Retry, Show Log"],
    [
      failed("mayBeCharged", { status: 503, retryAfter: 9_000 }),
      "image",
      / again in 9 seconds\.$/,
      "Try Now, Show Log",
    ],
    [failed("mayBeCharged", { status: 502, requestId: "r-7" }), "image", / \(502, r-7\)\./, "Retry, Show Log"],
    [failed("badUrl", { flaw: "key" }), "codex", /cannot be used: it contains an API key, /, "Open Settings"],
    [
      failed("badUrl", { flaw: "insecure" }),
      "codex",
      /unencrypted\. .* allow http in Set Up\.$/,
      "Set Up, Open Settings",
    ],
    [new Error("secret details"), "codex", /^(?!.*secret)/, "Show Log"],
    [
      failed("keyNotAllowed", { refusal }),
      "codex",
      /because it is not allowed for this address\./,
      "Set Up, Open Settings",
    ],
    [new UserError("settingsNotSaved"), "codex", /the settings file is saved, writable, /, "Retry, Show Log"],
    [new UserError("keyNotStored"), "codex", /then try again\.$/, "Retry, Show Log"],
    [new UserError("keyNotRead"), "image", / CODEX_GATEWAY_IMAGE_API_KEY\.$/, "Retry, Show Log"],
    [new UserError("folderOutside", { subject: "../x" }), "codex", /“..\/x”/, "Open Settings"],
  ];
  it("says the cause and what to do", () => {
    for (const [error, keyGroup, text, titles] of cases) {
      const notice = noticeFor(error, keyGroup);
      assert.match(notice.text, text);
      assert.equal(titlesOf(notice).join(", "), titles, notice.text);
    }
  });

  it("names each file of an edit that cannot be applied, with the reason", () => {
    const files = Array.from(
      "abcdefgh",
      (name) => `src/${name}.ts: The lines to change have changed since the answer.`,
    );
    const { text } = noticeFor(new UserError("editRefused", { subject: files.join(" ") }));
    assert.equal(text, `Nothing was changed. ${files.join(" ")}`);
  });

  it("names both entries and what each of them suffers from, where both failed", () => {
    const lost = failed("connectionLost", { entry: "primary" });
    const busy = failed("overloaded", { entry: "backup", status: 529 });
    const error = failed("connectionLost", { entry: "primary", attempts: [lost, busy] });
    assert.equal(noticeFor(error).text, "Both entries failed: connection lost; overloaded (529). Try again.");
    const notice = noticeOf(error, inChat);
    const [first, second] = notice.text.split(/(?<= arrived\.) /);
    assert.equal(first, "Both entries failed. The connection to the primary entry was lost before an answer arrived.");
    assert.equal(second, "The backup entry is overloaded (529). Try again.");
    assert.equal(notice.brief, "Both entries failed: connection lost; overloaded (529).");
    const refused = failed("unauthorized", { entry: "backup", status: 401, attempts: [lost] });
    const { text } = noticeOf(refused, inChat);
    assert.match(text, /^Both entries failed\. .* The backup entry does not accept .* Set a valid key/);
    assert.match(noticeFor(failed("offline", { attempts: [lost, busy] })).text, /^The host names of both entries/);
  });

  it("names both entries for every kind of failure", () => {
    const attempts = [failed("serverError", { entry: "primary", status: 500 })];
    for (const kind of everyKind.filter((kind) => kind !== "offline")) {
      const { text } = noticeOf(failed(kind, { entry: "backup", attempts }), inChat);
      assert.match(text, /^Both entries failed\. The primary entry has an internal error \(500\)\. \S/, kind);
    }
  });

  it("tells a web page from a server that failed, with the page's title", () => {
    const login = failed("badGateway", { entry: "backup", page: "Please [log](https://x) in" });
    const notice = noticeFor(login);
    assert.match(notice.text, /^The backup entry returned a web page .*: “Please \[log\] \(https:\/\/x\) in”\. /);
    assert.deepEqual(titlesOf(notice), ["Open Settings", "Test Connection", "Retry"]);
    const { text } = noticeFor(failed("badGateway", { page: "" }));
    assert.match(text, /^The gateway returned a web page instead of an answer\. If this is the sign-in page/);
    const served = failed("badGateway", { status: 502, page });
    assert.match(noticeFor(served).text, /^A server in front of the gateway failed \(502\)\./);
  });

  it("lets the model be chosen where it is decided", () => {
    const callOf = (modelFrom?: FailedAction["modelFrom"]): unknown =>
      noticeOf(failed("modelNotFound"), { name: "test", keyGroup: "codex", ...(modelFrom && { modelFrom }) }).actions[0]
        ?.call;
    assert.deepEqual(callOf(), { command: "codexGateway.selectModel", arguments: [] });
    assert.deepEqual(callOf("picker"), { command: "workbench.action.chat.openModelPicker", arguments: [] });
    assert.deepEqual(callOf("inlineChat.model"), {
      command: "workbench.action.openSettings",
      arguments: ["@id:codexGateway.inlineChat.model"],
    });
  });

  it("asks the question of a chat that cannot retry again, unless there is something to wait for", () => {
    const operation = { name: "model", keyGroup: "codex", builtInChat: { question: "Why?" } } as const;
    for (const kind of ["serverError", "overloaded", "connectionLost", "interrupted", "empty", "unreadable"] as const) {
      const notice = noticeOf(failed(kind), operation);
      assert.deepEqual(titlesOf(notice), ["Try Again", "Test Connection", "Show Log"]);
      assert.deepEqual(notice.actions[0]?.call?.arguments, [{ query: "Why?" }]);
    }
    const unknown = { ...operation, builtInChat: { question: undefined } };
    for (const notice of [noticeOf(limited(60_000), operation), noticeOf(failed("overloaded"), unknown)])
      assert.deepEqual(titlesOf(notice), ["Test Connection", "Show Log"]);
  });

  it("says in brief what a button or a wait does not say already", () => {
    for (const [error, brief] of [
      [failed("overloaded", { status: 529 }), "The gateway is overloaded (529)."],
      [failed("unauthorized", { status: 401 }), "The gateway does not accept the API key (401)."],
      [
        limited(20_000),
        "The gateway received too many requests (429). The gateway accepts requests again in 20 seconds.",
      ],
      [failed("rejected", { status: 400, gatewayMessage: "No." }), "The gateway rejected the request (400)."],
      [new UserError("noTools"), "Tools are off, or the gateway does not support them. Use Ask or @codex."],
    ] as const)
      assert.equal(noticeFor(error).brief, brief);
  });

  it("offers no Retry where nothing can be repeated, and the most reliable size where another may be the cause", () => {
    const notice = noticeOf(failed("timeout"), { name: "test", keyGroup: "codex" });
    assert.deepEqual(titlesOf(notice), ["Show Log"]);
    const remedies = { square: () => Promise.resolve() };
    const titles = (details: GatewayErrorDetails): readonly string[] =>
      titlesOf(noticeOf(new GatewayError("rejected", "", details), { name: "test", keyGroup: "image", remedies }));
    assert.deepEqual(titles({ status: 400, field: "size" }), ["Use 1024x1024", "Show Log"]);
    assert.deepEqual(titles({ status: 400 }), ["Use 1024x1024", "Show Log"]);
    assert.deepEqual(titles({ status: 400, field: "prompt" }), ["Show Log"]);
  });
});

const inChat: FailedAction = { name: "test", keyGroup: "codex", isInChat: true, retry: () => Promise.resolve() };

function noticeFor(error: unknown, keyGroup: KeyGroup = "codex"): Notice {
  return noticeOf(error, { name: "test", keyGroup, retry: () => Promise.resolve() });
}

function titlesOf({ actions }: Notice): readonly string[] {
  return actions.map(({ title }) => title);
}

const noisy = "<b>no</b> `x` [a](command:evil) ![i](https://x/y.png)\n sk-abcdefgh ".repeat(8);
const words = [undefined, "Unknown field: tools", "Stop.", "Why?", "并发过高。", "wait;", "cut…", noisy];
const waits = [undefined, 0, 45_000, 90_000_000, 31_536_000_000];
const sentenceEnds = /[.?!](?=\s|$)|[。？！]/g;
const translations = new Map(Object.entries(chinese));

for (const [language, speak] of Object.entries({ English: l10n.t, Chinese: inChinese })) {
  describe(`every notice in ${language}`, () => {
    beforeEach(() => Object.assign(l10n, { t: speak }));

    for (const kind of everyKind) {
      it(`is whole sentences of bearable length, with a remedy: ${kind}`, () => {
        for (const details of everyDetails()) {
          for (const operation of operations(details.group ?? "codex")) {
            const { text, brief, actions } = noticeOf(new GatewayError(kind, "it is not a URL", details), operation);
            for (const said of [text, brief]) {
              const shown = `${said} ${JSON.stringify(details)}`;
              assert.match(said, /[.!?…。！？]$/, shown);
              assert.doesNotMatch(said, /[.。!！?？]\s*[.。]|[,;:，；：] ?[.。]|…[.。]|\s{2}|\{\d\}| [.,;:]/, shown);
              assert.doesNotMatch(said, /undefined|NaN|Infinity|\[object|\]\(|sk-a/, shown);
              assert.ok(said.length <= 320, `${said.length}: ${shown}`);
            }
            assert.ok(brief.length <= text.length, brief);
            // A notification; what the gateway says itself may have any number.
            const shown = operation.isInChat ? brief : text;
            if (details.gatewayMessage === undefined) assert.ok((shown.match(sentenceEnds) ?? []).length <= 2, shown);
            assert.ok(actions.length > 0 && actions.length <= 4, text);
          }
        }
      });
    }
  });
}

/** What can be known about a failure, each with each that could go wrong together. */
function* everyDetails(): Generator<GatewayErrorDetails> {
  for (const group of ["codex", "image"] as const) {
    for (const entry of [undefined, "primary", "backup"] as const) {
      for (const gatewayMessage of words) {
        const beside = failed("rejected", { entry: "primary", status: 400, gatewayMessage });
        yield { group, entry, gatewayMessage, status: 400, attempts: entry === "backup" ? [beside] : [] };
      }
      for (const retryAfter of waits) yield { group, entry, retryAfter, status: 429 };
      for (const field of ["size", "tools"]) yield { group, entry, field, gatewayMessage: "No." };
      for (const page of ["", "Please log in", noisy]) yield { group, entry, page };
      for (const by of ["environment", "user"] as const) {
        yield { group, entry, refusal: { by, origin: "https://gateway.example.com" } };
      }
      for (const model of [undefined, "gpt-5.4", noisy]) yield { group, entry, model, status: 404, requestId: noisy };
    }
  }
}

function operations(keyGroup: KeyGroup): readonly FailedAction[] {
  const retry = (): Promise<void> => Promise.resolve();
  const remedies = { square: retry, saveElsewhere: retry, orderAgain: retry, discard: retry };
  return [
    { name: "test", keyGroup },
    { name: "test", keyGroup, retry, remedies },
    { name: "test", keyGroup, builtInChat: { question: "Why?" }, isInChat: true },
  ];
}

/** As VS Code translates with the bundle. */
function inChinese(text: string, ...values: readonly unknown[]): string {
  const translation = translations.get(text) ?? text;
  return translation.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
}

describe("what is wrong with an entry, in a few words", () => {
  const label = (kind: GatewayErrorKind, details?: GatewayErrorDetails): string | undefined =>
    kindOf(new GatewayError(kind, "It failed.", details), { name: "test", keyGroup: "codex" }, 0).label;

  it("is there for all that an entry can fail with, different for each, and for nothing else", () => {
    const labels = everyKind.map((kind) => label(kind)).filter((text) => text !== undefined);
    assert.equal(new Set(labels).size, labels.length);
    for (const text of labels) assert.match(text, /^(?:API|[a-z])[^.]{4,40}$/);
    const others = "noEntry badUrl noKey certificateFile offline interrupted mayBeCharged linkExpired linkForbidden";
    const nameless = everyKind.filter((kind) => label(kind) === undefined);
    assert.equal(nameless.join(" "), `${others} downloadFailed notAnImage tooLarge`);
  });

  each<[GatewayErrorKind, GatewayErrorDetails], string | undefined>([
    ["has the status", "overloaded", { status: 529 }, "overloaded (529)"],
    ["is no status alone", "noKey", { status: 401 }, undefined],
    ["names a page until status 299", "redirected", { status: 299, page: "" }, "web page instead of an answer (299)"],
    ["names no page of a redirect", "redirected", { status: 300, page: "" }, "redirected (300)"],
  ]).gives(label);
});

describe("a sentence for users", () => {
  it("ends once", () => {
    for (const text of ["no: why?", 'no: "no."', "被拒绝（不行！）", "wait…"]) assert.equal(asSentence(text), text);
    const unfinished = { "(no)": "(no).", "no:\n": "no.", "被拒绝：": "被拒绝." };
    for (const [text, sentence] of Object.entries(unfinished)) assert.equal(asSentence(text), sentence);
  });
});

describe("sentences", () => {
  it("are joined with a space, except after Chinese punctuation", () => {
    assert.equal(sentences("Failed.", "", "Try again."), "Failed. Try again.");
    assert.equal(
      sentences("失败 (429)：Slow down.", "请稍候。", "然后重试。"),
      "失败 (429)：Slow down. 请稍候。然后重试。",
    );
  });

  it("are in one language, also their times", () => {
    const shown = (displayed: string, bundle?: object): string => {
      Object.assign(env, { language: displayed });
      Object.assign(l10n, { bundle });
      return noticeFor(limited(29_100)).text;
    };
    assert.match(shown("ja"), /again in 30 seconds\.$/);
    assert.match(shown("zh-cn", chinese), /again 30秒钟后\.$/);
  });
});

describe("the button below a failure in the chat", () => {
  const retryCall = { command: "workbench.action.chat.open", arguments: [{ query: "@codex why?" }] };
  const inTurn = (error: unknown, keyGroup: KeyGroup = "codex"): Notice =>
    noticeOf(error, { name: "chat", keyGroup, retry: () => Promise.resolve(), retryCall, isInChat: true });
  const backup = ["workbench.action.openSettings", ["@id:codexGateway.backupBaseUrl"]] as const;

  each<[GatewayErrorKind, GatewayErrorDetails, KeyGroup], readonly [string, readonly unknown[]]>([
    ["asks for the key of the group", "unauthorized", { status: 401 }, "image", ["codexGateway.setApiKey", ["image"]]],
    ["opens the entry's setting", "redirected", { entry: "backup" }, "codex", backup],
    ["shows the log", "modelNotFound", { status: 400 }, "image", ["codexGateway.showLog", []]],
    ["asks again", "overloaded", { status: 529 }, "codex", [retryCall.command, retryCall.arguments]],
  ]).gives((kind, details, keyGroup) => {
    const [button] = helpCommands(inTurn(failed(kind, details), keyGroup));
    return [button?.command, button?.arguments];
  });

  it("is the first one of the notification, whatever failed", () => {
    for (const kind of everyKind) {
      const notice = inTurn(new GatewayError(kind, "it is not a URL"));
      assert.equal(helpCommands(notice)[0]?.title, notice.actions[0]?.title, kind);
    }
  });

  it("helps with failures of this side too, and passes nothing on that only the running extension knows", () => {
    assert.deepEqual(helpCommands(inTurn(new UserError("noTools")))[0]?.arguments, ["@id:codexGateway.toolCalling"]);
    assert.deepEqual(helpCommands(inTurn(new UserError("imageInput"))), []);
    assert.equal(helpCommands(noticeFor(failed("overloaded")))[0]?.command, "codexGateway.showLog");
  });
});

describe("the time to try again", () => {
  const now = new Date(2026, 10, 21, 13, 5, 0).getTime();
  const [second, hour] = [1_000, 3_600_000];
  each([
    ["is told in seconds under a minute", 19_100, "en", "in 20 seconds"],
    ["has the time of day from a minute on", 60 * second, "en", "at 1:06 PM (in 1 minute)"],
    ["is told as the language does", hour, "de", "at 14:05 (in 1 Stunde)"],
    ["is never a minute too early", hour + 1, "en", "at 2:06 PM (in 2 hours)"],
    ["has the date on another day", 12 * hour, "en", "on Nov 22, 1:05 AM (in 12 hours)"],
    ["is told in days beyond two", 72 * hour, "en", "on Nov 24, 1:05 PM (in 3 days)"],
  ]).gives((wait, language) => retryTime(wait, now, language));
});
