import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { TypingPauses } from "../../src/inline/typingPauses.ts";

describe("pauses of typing", () => {
  it("are now where nobody types", () => {
    let done = 0;
    const typing = new TypingPauses();
    typing.wait(() => (done += 1));
    assert.equal(done, 1);
  });

  it("are waited for, together, but not forever", async () => {
    const typing = new TypingPauses({ pause: 200, longest: 1_000 });
    const done: string[] = [];
    const start = performance.now();
    typing.note();
    typing.wait(() => done.push("first"));
    typing.wait(() => done.push("second"));
    while (done.length === 0) {
      typing.note();
      await pause(20);
    }
    assert.deepEqual(done, ["first", "second"]);
    assert.ok(performance.now() - start >= 1_000);
    const between = performance.now();
    typing.wait(() => done.push("third"));
    while (done.length === 2) await pause(20);
    assert.ok(performance.now() - between < 900, "the last key was the last");
  });

  it("are not waited for by what was dropped", async () => {
    const typing = new TypingPauses({ pause: 50, longest: 1_000 });
    let done = 0;
    const action = (): number => (done += 1);
    typing.note();
    typing.wait(action);
    typing.drop(action);
    await pause(200);
    assert.equal(done, 0);
  });
});
