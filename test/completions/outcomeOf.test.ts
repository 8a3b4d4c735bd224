import assert from "node:assert/strict";
import { outcomeOf } from "../../src/completions/outcomeOf.ts";
import { GatewayError, type GatewayErrorKind } from "../../src/gateway/errors.ts";

const outcomes: readonly (readonly [GatewayErrorKind, ReturnType<typeof outcomeOf>, string])[] = [
  ["empty", "answered", "the model says nothing where nothing fits"],
  ["rateLimited", "limited", "requests must wait"],
  ["overloaded", "limited", "requests must wait"],
  ["forbidden", "refused", "the next request is refused as well"],
  ["modelNotFound", "refused", "the next request is refused as well"],
  ["serverError", "failed", "the next request may succeed"],
  ["connectionLost", "failed", "the next request may succeed"],
];

describe("the outcome of a failed completion", () => {
  for (const [kind, outcome, reason] of outcomes) {
    it(`is "${outcome}" for "${kind}": ${reason}`, () => {
      assert.equal(outcomeOf(new GatewayError(kind, "")), outcome);
    });
  }

  it('is "failed" for errors that are not the gateway\'s', () => {
    assert.equal(outcomeOf(new TypeError()), "failed");
  });
});
