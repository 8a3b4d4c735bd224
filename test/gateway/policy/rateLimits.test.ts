import assert from "node:assert/strict";
import { RateLimits } from "../../../src/gateway/policy/rateLimits.ts";

const chat = { entry: "primary", operation: "chat" } as const;

describe("the limits that entries ask for", () => {
  it("last as long as they were asked for", () => {
    const limits = new RateLimits();
    assert.ok(!limits.isLimited(chat, 0));
    limits.note(chat, 1_000, 500);
    assert.deepEqual(
      [1_000, 1_499, 1_500].map((now) => limits.isLimited(chat, now)),
      [true, true, false],
    );
  });

  it("apply to the entry and the key they were asked for", () => {
    const limits = new RateLimits();
    limits.note(chat, 0, 500);
    assert.ok(limits.isLimited({ entry: "primary", operation: "responses" }, 1), "the same key");
    assert.ok(!limits.isLimited({ entry: "primary", operation: "image" }, 1), "another key");
    assert.ok(!limits.isLimited({ entry: "backup", operation: "chat" }, 1), "another entry");
  });

  it("end with an answer", () => {
    const limits = new RateLimits();
    const backup = { ...chat, entry: "backup" } as const;
    for (const one of [chat, backup]) limits.note(one, 0, 500);
    limits.clear({ ...chat, operation: "responses" });
    assert.deepEqual([limits.isLimited(chat, 1), limits.isLimited(backup, 1)], [false, true]);
  });
});
