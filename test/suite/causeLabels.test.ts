import assert from "node:assert/strict";
import { kindOf } from "../../src/failures/notices.ts";
import { closed, sentences, withStatus } from "../../src/failures/sentences.ts";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import { everyKind } from "./everyKind.ts";

describe("what is wrong with an entry, in a few words", () => {
  const label = (kind: GatewayErrorKind, details?: GatewayErrorDetails): string | undefined =>
    kindOf(new GatewayError(kind, "It failed.", details), { name: "test", keyGroup: "codex" }, 0).label;

  it("is the same for no two kinds, and no sentence", () => {
    const labels = everyKind.map((kind) => label(kind)).filter((text) => text !== undefined);
    assert.ok(labels.length >= 20);
    assert.equal(new Set(labels).size, labels.length);
    for (const text of labels) assert.match(text, /^(?:API|[a-z])[^.]{4,40}$/);
  });

  it("is there for all that an entry can fail with, and for nothing else", () => {
    assert.deepEqual(
      everyKind.filter((kind) => label(kind) === undefined),
      [
        ...["noEntry", "badUrl", "noKey", "certificateFile", "offline", "interrupted", "mayBeCharged"],
        ...["linkExpired", "linkForbidden", "downloadFailed", "notAnImage", "tooLarge"],
      ],
    );
  });

  it("has the status where there is one", () => {
    assert.equal(label("overloaded", { status: 529 }), "overloaded (529)");
    assert.equal(label("overloaded"), "overloaded");
    assert.equal(label("noKey", { status: 401 }), undefined);
  });

  it("names a web page only where it came as an answer", () => {
    assert.equal(label("unreadable", { status: 200, page: "Sign in" }), "web page instead of an answer (200)");
    assert.equal(label("unreadable", { page: "" }), "web page instead of an answer");
    assert.equal(label("unreadable", { status: 200 }), "unreadable answer (200)");
    assert.equal(label("badGateway", { status: 502, page: "Bad Gateway" }), "server in front failed (502)");
    assert.equal(label("redirected", { status: 299, page: "" }), "web page instead of an answer (299)");
    assert.equal(label("redirected", { status: 300, page: "" }), "redirected (300)");
  });
});

describe("sentences for users", () => {
  it("stand one after the other, without the empty ones", () => {
    assert.equal(sentences("", "It failed.", "", "Try again."), "It failed. Try again.");
    assert.equal(sentences("", ""), "");
    assert.equal(sentences("{1} failed."), "{1} failed.");
  });

  it("keep placeholders in somebody else's words", () => {
    assert.equal(sentences("It said {1}.", "{0}?"), "It said {1}. {0}?");
  });

  const ends: readonly (readonly [words: string, sentence: string])[] = [
    ["rejected: no", "rejected: no."],
    ["rejected: no.", "rejected: no."],
    ["rejected: why?", "rejected: why?"],
    ['rejected: "no."', 'rejected: "no."'],
    ["rejected (no!)", "rejected (no!)"],
    ["rejected (no)", "rejected (no)."],
    ["rejected: no, ", "rejected: no."],
    ["rejected:\n", "rejected."],
    ["被拒绝：不行。", "被拒绝：不行。"],
    ["被拒绝（不行！）", "被拒绝（不行！）"],
    ["被拒绝：", "被拒绝."],
    ["wait…", "wait…"],
    ["{0}", "{0}."],
  ];
  for (const [words, sentence] of ends) {
    it(`end once: ${JSON.stringify(words)}`, () => {
      assert.equal(closed(words), sentence);
    });
  }

  it("give a status in parentheses", () => {
    assert.equal(withStatus("It failed.", { status: 429 }), "It failed (429).");
    assert.equal(withStatus("失败。", { status: 429 }), "失败 (429)。");
    assert.equal(withStatus("It failed.", { status: undefined }), "It failed.");
  });
});
