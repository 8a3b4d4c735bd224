import assert from "node:assert/strict";
import { ToolCalls } from "../../../src/gateway/wire/toolCalls.ts";

describe("the tool calls of an answer", () => {
  const megabyte = 1 << 20;
  const fragment = (place: number, input: unknown) => ({ id: undefined, name: "look_up", place, input });

  it("may have arguments of 8 MB together, in however many fragments, and no more", () => {
    const calls = new ToolCalls();
    for (let call = 0; call < 8; call += 1) {
      for (let half = 0; half < 2; half += 1) calls.add(fragment(call, "x".repeat(megabyte / 2)));
    }
    assert.throws(
      () => {
        calls.add(fragment(8, "x"));
      },
      { kind: "unreadable" },
    );
  });

  it("count whole arguments once, although fragments of them came before", () => {
    const calls = new ToolCalls();
    for (let call = 0; call < 8; call += 1) {
      calls.add(fragment(call, "x".repeat(megabyte)), true);
      calls.complete([fragment(call, "{}")]);
    }
    assert.equal(calls.parts(false).length, 8);
    calls.add(fragment(8, "x".repeat(megabyte)));
  });

  it("are as many as a list has, though two of them say the same", () => {
    const calls = new ToolCalls();
    const same = { id: undefined, name: "look_up", input: "{}" };
    calls.complete([same, same]);
    calls.complete([same, same]);
    assert.equal(calls.parts(false).length, 2);
  });

  it("come once where the gateway starts the answer over, under other ids or not", () => {
    const calls = new ToolCalls();
    for (const id of ["a", "b"]) {
      calls.startOver();
      calls.add({ id: `${id}0`, name: "look_up", place: 0, input: "{}" });
      calls.add({ id: `${id}1`, name: "add", place: 1, input: "{}" });
    }
    assert.deepEqual(
      calls.parts(false).map((part) => part.type === "toolCall" && part.id),
      ["b0", "b1"],
    );
  });
});
