import assert from "node:assert/strict";
import { errorText } from "../../src/ui/errorText.ts";

describe("an unexpected failure in the log", () => {
  it("has its message and its stack, and the message where the stack lacks it", () => {
    assert.match(errorText(new TypeError("what")), /^TypeError: what\n +at .*errorText\.test/);
    const error = new Error("after");
    error.stack = "Error: before\n    at a.js";
    assert.match(errorText(error), /^Error: after\nError: before\n/);
  });

  it("has no key", () => {
    const error = new Error("Bearer sk-one-123");
    error.stack = "Error: sk-one-123\n    at send (https://sk-two-123@a.example/x.js)";
    const text = errorText(error);
    assert.match(text, /sk-…/);
    assert.doesNotMatch(text, /123/);
    assert.doesNotMatch(errorText("sk-thr\u0007own-123"), /123/);
  });

  it("has no end of a key where it is cut, and is bounded", () => {
    assert.doesNotMatch(errorText(new Error(`${"a".repeat(3_980)} sk-abcdefghijklmnopqrstuvwxyz`)), /abcdef/);
    assert.ok(errorText(new Error("a\n".repeat(1_000_000))).length <= 4_001);
  });

  it("is a text whatever was thrown", () => {
    const thrown = [undefined, null, Object.create(null), { toString: () => assert.fail() }, Symbol("a"), 7n] as const;
    for (const error of thrown as readonly unknown[]) assert.equal(typeof errorText(error), "string");
  });
});
