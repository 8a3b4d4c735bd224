import assert from "node:assert/strict";
import { FieldMemory } from "../../../src/gateway/operations/fieldMemory.ts";

const tenMinutes = 600_000;
const refused = (memory: FieldMemory, now = 0): readonly string[] => [...memory.refused(now)].toSorted();

describe("the memory of refused fields", () => {
  it("keeps what the gateway named", () => {
    const memory = new FieldMemory();
    memory.learnNamed("tools");
    memory.learnTaken(["stream"]);
    assert.deepEqual(refused(memory, 10 * tenMinutes), ["tools"]);
  });

  it("keeps what the gateway named after it had taken it for ten minutes", () => {
    const memory = new FieldMemory();
    memory.learnTaken(["stream"]);
    memory.learnNamed("stream", 5);
    assert.deepEqual(refused(memory, tenMinutes + 4), ["stream"]);
    assert.deepEqual(refused(memory, tenMinutes + 5), []);
  });

  it("keeps the form of a field only where the gateway rejects it as such", () => {
    const memory = new FieldMemory();
    memory.learnNamed("input", 0, true);
    assert.deepEqual(refused(memory, tenMinutes), ["input"]);
  });

  it("never keeps the form of a conversation", () => {
    const memory = new FieldMemory();
    memory.learnNamed("messages");
    memory.learnNamed("input");
    assert.deepEqual(refused(memory), []);
  });

  it("believes a guess once a second request in a row confirms it, for ten minutes", () => {
    const memory = new FieldMemory();
    memory.learnGuess(["stream_options", "stream"], 0);
    assert.deepEqual(refused(memory), []);
    memory.learnGuess(["stream_options", "stream"], 5);
    assert.deepEqual(refused(memory, tenMinutes + 4), ["stream", "stream_options"]);
    assert.deepEqual(refused(memory, tenMinutes + 5), []);
    memory.learnGuess(["stream"], tenMinutes + 6);
    assert.deepEqual(refused(memory, tenMinutes + 6), [], "it has to be confirmed anew");
  });

  it("forgets a guess when a request has gone through with the field between", () => {
    const memory = new FieldMemory();
    memory.learnGuess(["stream"], 0);
    memory.learnTaken(["stream"]);
    memory.learnGuess(["stream"], 0);
    assert.deepEqual(refused(memory), []);
  });

  it("never gives tools up on a guess", () => {
    const memory = new FieldMemory();
    for (const now of [0, 1, 2]) memory.learnGuess(["tool_choice", "tools", "stream"], now);
    assert.deepEqual(refused(memory), ["stream"]);
  });

  it("withdraws a guess that was followed in vain", () => {
    const memory = new FieldMemory();
    for (const now of [0, 1]) memory.learnGuess(["stream"], now);
    memory.forgetGuess();
    assert.deepEqual(refused(memory), []);
  });
});
