import assert from "node:assert/strict";
import { ConfigurationTarget, workspace } from "vscode";
import { prefix, settingDefaults } from "../../src/manifest.ts";
import {
  applyChanges,
  type ChatModels,
  overridingSetting,
  plannedChanges,
  revertChanges,
} from "../../src/settings/vscodeChatSettings.ts";
import { userModel } from "../../src/setup/useInChat.ts";
import { MemoryState } from "../support/memoryState.ts";

const memoryKey = "utilityModels.before";
const model = { id: "gpt-5.4", name: "GPT-5.4" };
const models: ChatModels = { model, smallModel: "gpt-5.4-mini", isUnique: true };
const prefer = "chat.editor.preferCopilotHarness";
const names = ["chat.utilityModel", "chat.utilitySmallModel", "chat.defaultModel", "inlineChat.defaultModel"];
const planned = ["codex-gateway/gpt-5.4", "codex-gateway/gpt-5.4-mini", "gpt-5.4", "GPT-5.4 (codex-gateway)"];

describe("the settings of VS Code's chat", () => {
  afterEach(async () => {
    for (const name of [...names, prefer]) if (values([name])[0] !== undefined) await set(name, undefined);
    await set(prefer, undefined, ConfigurationTarget.Workspace);
  });

  it("name what overrides them: the workspace, or a policy if the user's value has no effect", async () => {
    await set(prefer, true);
    assert.equal(overridingSetting(), undefined);
    assert.deepEqual(overridingSetting({ isApplied: true }), { setting: prefer, setBy: "policy" });
    await set(prefer, false);
    await set(prefer, true, ConfigurationTarget.Workspace);
    for (const state of [{}, { isApplied: true }])
      assert.deepEqual(overridingSetting(state), { setting: prefer, setBy: "workspace" });
  });

  it("name the gateway's models, but none that another provider has, and get back what they were, also after two changes", async () => {
    assert.ok(!plan({ ...models, isUnique: false }).some(({ setting }) => setting === "chat.defaultModel"));
    await set("chat.utilityModel", "copilot/gpt-4o");
    await set(prefer, true);
    const memory = new MemoryState();
    const all = [...names, prefer];
    await applyChanges(plan({ ...models, model: { id: "gpt-5.5", name: "GPT-5.5" } }, all), memory);
    await applyChanges(plan(models, all), memory);
    assert.deepEqual(values(all), [...planned, false]);
    assert.deepEqual(plan(models, all), []);
    assert.equal((await revertChanges(memory)).length, 5);
    assert.deepEqual(values(all), ["copilot/gpt-4o", undefined, undefined, undefined, true]);
    assert.deepEqual(await revertChanges(memory), []);
  });

  it("do not overwrite what the user has set since", async () => {
    const memory = new MemoryState();
    await applyChanges(plan(models), memory);
    await set("chat.utilityModel", "copilot/gpt-4o");
    await set("chat.defaultModel", "auto");
    await revertChanges(memory);
    assert.deepEqual(values(), ["copilot/gpt-4o", undefined, "auto", undefined]);
  });

  it("are restored from what an older version stored, and not set to stored values that cannot be read", async () => {
    const memory = new MemoryState();
    await set("chat.utilityModel", "codex-gateway/gpt-5.4");
    await set("chat.utilitySmallModel", "codex-gateway/gpt-5.4-mini");
    await memory.update(memoryKey, { "chat.utilityModel": "copilot/gpt-4o", "chat.utilitySmallModel": "" });
    await revertChanges(memory);
    assert.deepEqual(values(), ["copilot/gpt-4o", undefined, undefined, undefined]);
    const odd = { "chat.utilityModel": { before: [1] }, "chat.utilitySmallModel": null };
    for (const stored of ["copilot", odd]) {
      await applyChanges(plan(models).slice(0, 2), memory);
      await memory.update(memoryKey, stored);
      await revertChanges(memory);
      assert.deepEqual(values(), [undefined, undefined, undefined, undefined]);
      assert.equal(memory.get(memoryKey), undefined);
    }
  });
});

describe("the model for VS Code's chat", () => {
  const own = `${prefix}.chat.model`;

  afterEach(async () => {
    await set(own, undefined);
    await set(own, undefined, ConfigurationTarget.Workspace);
  });

  it("is the user's, never the workspace's, and the default where that is none", async () => {
    await set(own, "stranger/expensive", ConfigurationTarget.Workspace);
    for (const value of [undefined, 7, "", " \u200b"]) {
      await set(own, value);
      assert.equal(userModel(), settingDefaults["chat.model"], JSON.stringify(value));
    }
    await set(own, "gpt-5.4");
    assert.equal(userModel(), "gpt-5.4");
  });
});

/** Whether VS Code's chat is on in this host is no part of these tests. */
function plan(wanted: ChatModels, settings: readonly string[] = names): ReturnType<typeof plannedChanges> {
  return plannedChanges(wanted).filter(({ setting }) => settings.includes(setting));
}

async function set(name: string, value: unknown, target = ConfigurationTarget.Global): Promise<void> {
  await workspace.getConfiguration().update(name, value, target);
}

function values(settings: readonly string[] = names): readonly unknown[] {
  return settings.map((name) => workspace.getConfiguration().inspect(name)?.globalValue);
}
