import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import type { KeyGroup } from "../../src/gateway/types.ts";
import { type Notice, noticeOf } from "../../src/ui/notices.ts";
import { UserError } from "../../src/ui/userError.ts";

type Case = readonly [GatewayErrorKind, GatewayErrorDetails, KeyGroup, RegExp, readonly string[]];

describe("a notice", () => {
  const cases: readonly Case[] = [
    ["noEntry", {}, "codex", /base URL/, ["Set Up"]],
    ["noKey", {}, "image", /No API key of the image group/, ["Set API Key"]],
    [
      "keyNotAllowed",
      { refusal: { by: "user", origin: "https://b.example" } },
      "codex",
      /codex group was not sent to https:\/\/b\.example, because it was entered for another address/,
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
    ["unauthorized", { status: 401 }, "codex", /\(401\).*codex group/, ["Set API Key", "Show Log"]],
    ["unauthorized", { status: 401 }, "image", /\(401\).*image group/, ["Set API Key", "Show Log"]],
    ["forbidden", { status: 403 }, "codex", /permission.*\(403\)/, ["Set API Key", "Show Log"]],
    ["forbidden", { status: 403 }, "image", /may not generate images \(403\)/, ["Set API Key", "Show Log"]],
    ["notFound", { status: 404, entry: "primary" }, "codex", /\(404\).*\/v1/, ["Open Settings", "Show Log"]],
    ["modelNotFound", { status: 400 }, "codex", /model \(400\)/, ["Open Settings", "Show Log"]],
    ["modelNotFound", {}, "image", /account may not be bound/, ["Show Log"]],
    ["rateLimited", { status: 429, retryAfter: 29_100 }, "codex", /\(429\).*30 s/, ["Retry", "Show Log"]],
    ["rateLimited", { status: 429 }, "codex", /\(429\).*a moment/, ["Retry", "Show Log"]],
    ["serverError", { status: 500 }, "codex", /internal error \(500\)/, ["Retry", "Show Log"]],
    ["overloaded", { status: 529 }, "codex", /overloaded \(529\)/, ["Retry", "Show Log"]],
    ["rejected", { status: 400, said: "no sk-123" }, "codex", /\(400\): no sk-…$/, ["Show Log"]],
    ["noImage", {}, "image", /no image/, ["Retry", "Show Log"]],
    ["mayBeCharged", {}, "image", /did not arrive, and the image may have been charged/, ["Retry", "Show Log"]],
    ["mayBeCharged", { status: 502, requestId: "r-7" }, "image", / \(502, r-7\), and/, ["Retry", "Show Log"]],
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

function noticeFor(error: unknown, keyGroup: KeyGroup = "codex"): Notice {
  return noticeOf(error, { name: "test", keyGroup, retry: () => Promise.resolve() });
}

function titlesOf({ actions }: Notice): readonly string[] {
  return actions.map(({ title }) => title);
}
