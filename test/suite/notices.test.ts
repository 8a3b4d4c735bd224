import assert from "node:assert/strict";
import type { Notice, FailedAction } from "../../src/failures/notice.ts";
import { noticeOf } from "../../src/failures/notices.ts";
import { UserError } from "../../src/failures/userError.ts";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import type { KeyGroup } from "../../src/gateway/types.ts";
import { everyKind } from "./everyKind.ts";

type Case = readonly [GatewayErrorKind, GatewayErrorDetails, KeyGroup, RegExp, readonly string[]];

describe("a notice", () => {
  const cases: readonly Case[] = [
    ["noEntry", {}, "codex", /base URL/, ["Set Up"]],
    ["noKey", {}, "image", /No API key of the image group/, ["Set API Key"]],
    [
      "keyNotAllowed",
      { refusal: { by: "user", origin: "https://b.example" } },
      "codex",
      /codex group was not sent to https:\/\/b\.example because it was entered for another address/,
      ["Set Up", "Open Settings"],
    ],
    [
      "keyNotAllowed",
      { refusal: { by: "environment", origin: "https://b.example" } },
      "image",
      /image group was not sent to https:\/\/b\.example.* CODEX_GATEWAY_ORIGINS /,
      ["Open Settings"],
    ],
    ["unreachable", { entry: "backup" }, "codex", /^The backup entry cannot be reached/, ["Retry", "Open Settings"]],
    [
      "unreachable",
      { entry: "primary", proxy: "proxy.test:3128" },
      "codex",
      /^The proxy proxy\.test:3128 cannot be reached\. Check the proxy settings\./,
      ["Retry", "Open Settings"],
    ],
    [
      "proxyRefused",
      { entry: "primary", proxy: "proxy.test:3128" },
      "codex",
      /^The proxy proxy\.test:3128 does not connect to the primary entry\. Check the proxy settings\./,
      ["Open Settings", "Show Log"],
    ],
    ["unauthorized", { status: 401 }, "codex", /\(401\).*codex group/, ["Set API Key", "Show Log"]],
    ["unauthorized", { status: 401 }, "image", /\(401\).*image group/, ["Set API Key", "Show Log"]],
    ["forbidden", { status: 403 }, "codex", /may not use this model.*\(403\)/, ["Set API Key", "Show Log"]],
    ["forbidden", { status: 403 }, "image", /is not allowed to generate images \(403\)/, ["Set API Key", "Show Log"]],
    ["notFound", { status: 404, entry: "primary" }, "codex", /\(404\).*\/v1/, ["Open Settings", "Show Log"]],
    ["modelNotFound", { status: 400 }, "codex", /model \(400\)/, ["Select Model", "Show Log"]],
    ["modelNotFound", { status: 404, model: "gpt-5.4" }, "codex", /“gpt-5\.4” \(404\)/, ["Select Model", "Show Log"]],
    ["modelNotFound", {}, "image", /whether an image account is bound/, ["Show Log"]],
    [
      "contextTooLong",
      { status: 400, model: "gpt-5.4", tokenLimit: 272_000, limits: "context" },
      "codex",
      /“gpt-5\.4”, which handles 272,000 tokens including the answer \(400\)\. Send less,/,
      ["Set Limit", "Retry", "Select Model"],
    ],
    [
      "contextTooLong",
      { status: 413, model: "gpt-5.4" },
      "codex",
      /^The prompt is too long for the model “gpt-5\.4” \(413\)\./,
      ["Select Model", "Open Settings"],
    ],
    [
      "contextTooLong",
      { status: 400, tokenLimit: 32_000 },
      "image",
      /^The prompt is too long for the image model \(400\)\. Shorten it, then try again\.$/,
      ["Show Log"],
    ],
    [
      "contextTooLong",
      { status: 413, page: "413 Request Entity Too Large" },
      "codex",
      /^A server in front of .* does not accept a request this large \(413\)\. Send less,/,
      ["Select Model", "Open Settings"],
    ],
    [
      "filtered",
      { status: 400 },
      "codex",
      /^The gateway's content filter refused the request \(400\)\. Rephrase it, then try again\.$/,
      ["Show Log"],
    ],
    ["rateLimited", { status: 429, retryAfter: 4_100 }, "codex", /\(429\)\. Try again in 5 s\./, ["Retry", "Show Log"]],
    ["rateLimited", { status: 429, retryAfter: 29_100 }, "codex", /\(429\)\. Try again in 30 s\.$/, ["Show Log"]],
    [
      "rateLimited",
      { status: 429, retryAfter: 3_600_000 },
      "codex",
      /Try again (at|on) .* \(in 1 h\)\.$/,
      ["Show Log"],
    ],
    ["overloaded", { status: 529, retryAfter: 1e17 }, "codex", /\(529\)\. Try again later\.$/, ["Show Log"]],
    ["rateLimited", { status: 429 }, "codex", /\(429\).*a moment/, ["Retry", "Show Log"]],
    ["serverError", { status: 500 }, "codex", /internal error \(500\)/, ["Retry", "Show Log"]],
    ["overloaded", { status: 529 }, "codex", /overloaded \(529\)/, ["Retry", "Show Log"]],
    ["rejected", { status: 400, gatewayMessage: "no sk-123" }, "codex", /\(400\): no sk-…$/, ["Show Log"]],
    ["noImage", {}, "image", /no image/, ["Retry", "Show Log"]],
    [
      "mayBeCharged",
      {},
      "image",
      /^The image may have been charged: the answer to its request did not arrive\. Retry/,
      ["Retry", "Show Log"],
    ],
    [
      "mayBeCharged",
      { cause: new GatewayError("badGateway", "", { page: "" }) },
      "image",
      /: its request returned a web page/,
      ["Retry", "Show Log"],
    ],
    [
      "mayBeCharged",
      { status: 502, cause: new GatewayError("badGateway", "", { status: 502, page: "502 Bad Gateway" }) },
      "image",
      /request did not arrive \(502\)\./,
      ["Retry", "Show Log"],
    ],
    ["mayBeCharged", { cause: new GatewayError("empty", "") }, "image", /cannot be read\./, ["Retry", "Show Log"]],
    ["mayBeCharged", { status: 502, requestId: "r-7" }, "image", / \(502, r-7\)\./, ["Retry", "Show Log"]],
    ["linkExpired", { status: 403 }, "image", /has expired \(403\)/, ["Show Log"]],
    ["downloadFailed", {}, "image", /not downloaded.*the same image/, ["Retry", "Show Log"]],
  ];
  for (const [kind, details, keyGroup, text, titles] of cases) {
    it(`says the cause and what to do: ${kind}, ${keyGroup} key`, () => {
      const notice = noticeFor(new GatewayError(kind, "", details), keyGroup);
      assert.match(notice.text, text);
      assert.deepEqual(titlesOf(notice), titles);
    });
  }

  it("names both entries when neither can be reached", () => {
    const attempts = [new GatewayError("unreachable", "", { entry: "primary" })];
    const error = new GatewayError("unreachable", "", { entry: "backup", attempts });
    assert.match(noticeFor(error).text, /^Neither the primary nor the backup entry/);
  });

  it("names both entries and what each of them suffers from, where both failed", () => {
    const lost = new GatewayError("connectionLost", "", { entry: "primary" });
    const busy = new GatewayError("overloaded", "", { entry: "backup", status: 529 });
    const error = new GatewayError("connectionLost", "", { entry: "primary", attempts: [lost, busy] });
    assert.equal(noticeFor(error).text, "Both entries failed: connection lost; overloaded (529). Try again.");
    const notice = noticeOf(error, inChat);
    assert.equal(
      notice.text,
      "Both entries failed. The connection to the primary entry was lost before an answer arrived. The backup entry is overloaded (529). Try again.",
    );
    assert.equal(notice.brief, "Both entries failed: connection lost; overloaded (529).");
    const refused = new GatewayError("unauthorized", "", { entry: "backup", status: 401, attempts: [lost] });
    assert.match(
      noticeOf(refused, inChat).text,
      /^Both entries failed\. .* The backup entry does not accept .* Set a valid key/,
    );
    assert.match(
      noticeFor(new GatewayError("offline", "", { attempts: [lost, busy] })).text,
      /^The host names of both entries/,
    );
  });

  it("names both entries for every kind of failure", () => {
    const attempts = [new GatewayError("serverError", "", { entry: "primary", status: 500 })];
    for (const kind of everyKind.filter((kind) => kind !== "offline")) {
      const { text } = noticeOf(new GatewayError(kind, "", { entry: "backup", attempts }), inChat);
      assert.match(text, /^Both entries failed\. The primary entry has an internal error \(500\)\. \S/, kind);
    }
  });

  it("tells a web page from a server that failed, with the page's title", () => {
    const login = new GatewayError("badGateway", "", { entry: "backup", page: "Please [log](https://x) in" });
    const notice = noticeFor(login);
    assert.match(
      notice.text,
      /^The backup entry returned a web page instead of an answer: “Please \[log\] \(https:\/\/x\) in”\. /,
    );
    assert.deepEqual(titlesOf(notice), ["Open Settings", "Test Connection", "Retry"]);
    assert.match(
      noticeFor(new GatewayError("badGateway", "", { page: "" })).text,
      /^The gateway returned a web page instead of an answer\. If this is the sign-in page/,
    );
    const failed = new GatewayError("badGateway", "", { status: 502, page: "502 Bad Gateway" });
    assert.match(noticeFor(failed).text, /^A server in front of the gateway failed \(502\)\./);
  });

  it("lets the model be chosen where it is decided", () => {
    const callOf = (modelFrom?: FailedAction["modelFrom"]): unknown =>
      noticeOf(new GatewayError("modelNotFound", ""), {
        name: "test",
        keyGroup: "codex",
        ...(modelFrom && { modelFrom }),
      }).actions[0]?.call;
    assert.deepEqual(callOf(), { command: "codexGateway.selectModel", arguments: [] });
    assert.deepEqual(callOf("picker"), { command: "workbench.action.chat.openModelPicker", arguments: [] });
    assert.deepEqual(callOf("inlineChat.model"), {
      command: "workbench.action.openSettings",
      arguments: ["@id:codexGateway.inlineChat.model"],
    });
  });

  it("puts the question of a chat that cannot retry to @codex, unless there is something to wait for", () => {
    const operation = { name: "model", keyGroup: "codex", builtInChat: { question: "Why?" } } as const;
    for (const kind of ["serverError", "overloaded", "connectionLost", "interrupted", "empty", "unreadable"] as const) {
      const notice = noticeOf(new GatewayError(kind, ""), operation);
      assert.deepEqual(titlesOf(notice), ["Ask @codex", "Test Connection", "Show Log"]);
      assert.deepEqual(notice.actions[0]?.call?.arguments, [{ query: "@codex Why?", isPartialQuery: true }]);
    }
    const limited = noticeOf(new GatewayError("rateLimited", "", { retryAfter: 60_000 }), operation);
    assert.deepEqual(titlesOf(limited), ["Test Connection", "Show Log"]);
    const unknown = noticeOf(new GatewayError("overloaded", ""), {
      ...operation,
      builtInChat: { question: undefined },
    });
    assert.deepEqual(titlesOf(unknown), ["Test Connection", "Show Log"]);
  });

  it("says in brief what a button or a wait does not say already", () => {
    const brief = (kind: GatewayErrorKind, details: GatewayErrorDetails): string =>
      noticeFor(new GatewayError(kind, "", details)).brief;
    assert.equal(brief("overloaded", { status: 529 }), "The gateway is overloaded (529).");
    assert.equal(brief("unauthorized", { status: 401 }), "The gateway does not accept the API key (401).");
    assert.match(
      brief("rateLimited", { status: 429, retryAfter: 20_000 }),
      /^Too many requests \(429\)\. Try again in 20 s\.$/,
    );
    assert.equal(brief("rejected", { status: 400, gatewayMessage: "No." }), "The gateway rejected the request (400).");
    assert.equal(noticeFor(new UserError("noTools")).brief, "This gateway does not support tools. Use Ask or @codex.");
  });

  it("tells the reason why a base URL is refused", () => {
    assert.match(
      noticeFor(new GatewayError("badUrl", "", { flaw: "key" })).text,
      /cannot be used: it contains an API key, /,
    );
  });

  it("offers no Retry where nothing can be repeated", () => {
    const notice = noticeOf(new GatewayError("timeout", ""), { name: "test", keyGroup: "codex" });
    assert.deepEqual(titlesOf(notice), ["Show Log"]);
  });

  it("offers the most reliable size where the refused one may be the cause", () => {
    const remedies = { square: () => Promise.resolve() };
    const titles = (details: GatewayErrorDetails): readonly string[] =>
      titlesOf(noticeOf(new GatewayError("rejected", "", details), { name: "test", keyGroup: "image", remedies }));
    assert.deepEqual(titles({ status: 400, field: "size" }), ["Use 1024x1024", "Show Log"]);
    assert.deepEqual(titles({ status: 400 }), ["Use 1024x1024", "Show Log"]);
    assert.deepEqual(titles({ status: 400, field: "prompt" }), ["Show Log"]);
  });

  it("shows nothing of an unknown error but where its details are", () => {
    const notice = noticeFor(new Error("secret details"));
    assert.doesNotMatch(notice.text, /secret/);
    assert.deepEqual(titlesOf(notice), ["Show Log"]);
  });

  it("names the variable that serves where the keyring does not", () => {
    assert.match(noticeFor(new UserError("keyNotRead"), "image").text, / CODEX_GATEWAY_IMAGE_API_KEY\.$/);
  });

  it("names the folder that leads out of the workspace", () => {
    assert.match(noticeFor(new UserError("folderOutside", { subject: "../x" })).text, /“..\/x”/);
  });
});

const inChat: FailedAction = { name: "test", keyGroup: "codex", isInChat: true, retry: () => Promise.resolve() };

function noticeFor(error: unknown, keyGroup: KeyGroup = "codex"): Notice {
  return noticeOf(error, { name: "test", keyGroup, retry: () => Promise.resolve() });
}

function titlesOf({ actions }: Notice): readonly string[] {
  return actions.map(({ title }) => title);
}
