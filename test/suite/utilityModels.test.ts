import assert from "node:assert/strict";
import { ConfigurationTarget, workspace } from "vscode";
import { applyChanges, plannedChanges, revertChanges } from "../../src/chat/models/utilityModels.ts";
import { MemoryState } from "./memoryState.ts";

const memoryKey = "utilityModels.before";

describe("the models of VS Code's AI features", () => {
  afterEach(async () => {
    for (const name of ["utilityModel", "utilitySmallModel"]) await set(name, undefined);
  });

  it("get back what they were before", async () => {
    await set("utilityModel", "copilot/gpt-4o");
    const memory = new MemoryState();
    await applyChanges(plannedChanges("gpt-5.4", "gpt-5.4-mini"), memory);
    assert.deepEqual(values(), ["codex-gateway/gpt-5.4", "codex-gateway/gpt-5.4-mini"]);
    assert.equal(await revertChanges(memory), true);
    assert.deepEqual(values(), ["copilot/gpt-4o", undefined]);
  });

  for (const stored of ["copilot", 7, ["a"], { "chat.utilityModel": { id: 1 }, "chat.utilitySmallModel": null }]) {
    it(`are not set to what cannot be read: ${JSON.stringify(stored)}`, async () => {
      const memory = new MemoryState();
      await memory.update(memoryKey, stored);
      await applyChanges(plannedChanges("gpt-5.4", "gpt-5.4-mini"), memory);
      await memory.update(memoryKey, stored);
      assert.equal(await revertChanges(memory), true);
      assert.deepEqual(values(), [undefined, undefined]);
      assert.equal(memory.get(memoryKey), undefined);
    });
  }
});

async function set(name: string, value: string | undefined): Promise<void> {
  await workspace.getConfiguration("chat").update(name, value, ConfigurationTarget.Global);
}

function values(): readonly unknown[] {
  return ["utilityModel", "utilitySmallModel"].map(
    (name) => workspace.getConfiguration("chat").inspect(name)?.globalValue,
  );
}
