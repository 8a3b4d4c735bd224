import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import { type Limited, RateLimits } from "../../../src/gateway/policy/rateLimits.ts";

const chat: Limited = { entry: "primary", operation: "chat", model: "gpt-5.4" };
const limit = new GatewayError("rateLimited", "Slow down.", { status: 429, sent: "maybe", retryAfter: 500 });
const key = "sk-codex-000";

describe("the limits that entries ask for", () => {
  it("last as long as they were asked for, and say how long that is", () => {
    const limits = new RateLimits();
    assert.equal(limits.failure(chat, 0), undefined);
    limits.note(chat, key, 1_000, limit);
    const left = [1_000, 1_499, 1_500].map((now) => limits.failure(chat, now)?.retryAfter);
    assert.deepEqual(left, [500, 1, undefined]);
    const { kind, message, sent, status } = limits.failure(chat, 1_000) ?? limit;
    assert.deepEqual([kind, message, sent, status], ["rateLimited", "Slow down.", "no", 429]);
  });

  it("apply to the entry, the key and the model they were asked for", () => {
    const limits = new RateLimits();
    limits.note(chat, key, 0, limit);
    assert.ok(limits.failure({ ...chat, operation: "responses" }, 1, key), "the same key");
    assert.equal(limits.failure({ ...chat, operation: "image" }, 1), undefined, "another group");
    assert.equal(limits.failure(chat, 1, "sk-codex-001"), undefined, "another key");
    assert.equal(limits.failure({ ...chat, entry: "backup" }, 1), undefined, "another entry");
    assert.equal(limits.failure({ ...chat, model: "gpt-5.5" }, 1), undefined, "another model");
  });

  it("end with an answer", () => {
    const limits = new RateLimits();
    const backup = { ...chat, entry: "backup" } as const;
    for (const one of [chat, backup]) limits.note(one, key, 0, limit);
    limits.clear({ ...chat, operation: "responses" });
    assert.deepEqual([limits.failure(chat, 1), limits.failure(backup, 1)?.retryAfter], [undefined, 499]);
  });

  it("are only those that say how long", () => {
    const limits = new RateLimits();
    limits.note(chat, key, 0, new GatewayError("rateLimited", ""));
    limits.note(chat, key, 0, new GatewayError("overloaded", "", { retryAfter: 500 }));
    assert.equal(limits.failure(chat, 0), undefined);
  });
});
