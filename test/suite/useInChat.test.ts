import assert from "node:assert/strict";
import { ConfigurationTarget, workspace } from "vscode";
import { userModel } from "../../src/setup/useInChat.ts";
import { prefix, settingDefaults } from "../../src/manifest.ts";

describe("the model for VS Code's chat", () => {
  afterEach(async () => {
    await set(undefined, ConfigurationTarget.Global);
    await set(undefined, ConfigurationTarget.Workspace);
  });

  it("is the user's, never the workspace's", async () => {
    await set("stranger/expensive", ConfigurationTarget.Workspace);
    assert.equal(userModel(), settingDefaults["chat.model"]);
    await set("gpt-5.4", ConfigurationTarget.Global);
    assert.equal(userModel(), "gpt-5.4");
  });

  for (const value of [7, null, "", " \u200b", ["gpt-5.4"]]) {
    it(`is the default where the user's setting is ${JSON.stringify(value)}`, async () => {
      await set(value, ConfigurationTarget.Global);
      assert.equal(userModel(), settingDefaults["chat.model"]);
    });
  }
});

async function set(value: unknown, target: ConfigurationTarget): Promise<void> {
  await workspace.getConfiguration(prefix).update("chat.model", value, target);
}
