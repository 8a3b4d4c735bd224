import assert from "node:assert/strict";
import { CompletionNotices, suggestsElsewhere } from "../../src/completions/completionNotices.ts";
import { MemoryState } from "./memoryState.ts";

describe("completions where GitHub Copilot suggests as well", () => {
  it("wait until the user has chosen, and then come without a question", async () => {
    const state = new MemoryState();
    const beside = new CompletionNotices({ state }, () => Promise.resolve(true));
    assert.deepEqual([await beside.mayBeAutomatic("python"), await beside.mayBeAutomatic("python")], [false, false]);
    await state.update("completions.chosenSource", "Codex Gateway");
    assert.equal(await beside.mayBeAutomatic("python"), true);
  });

  it("come where Copilot suggests nothing, as in a window without it", async () => {
    const alone = new CompletionNotices({ state: new MemoryState() });
    assert.deepEqual([await suggestsElsewhere("python"), await alone.mayBeAutomatic("python")], [false, true]);
  });
});
