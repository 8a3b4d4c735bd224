import assert from "node:assert/strict";
import { commands, LanguageModelChatMessage, lm, workspace } from "vscode";
import { prefix, vendor } from "../../src/manifest.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { configure } from "./editing.ts";

const model = "gpt-5.4";
it("Set Limit ignores arguments of other extensions", async () => {
  const limits = [undefined, 3_999, 1e12, "112000"].map((maxInputTokens) => ({ model, maxInputTokens }));
  for (const argument of [model, ...limits, { model: " gpt\u200b", maxInputTokens: 112_000 }]) {
    await commands.executeCommand(`${prefix}.setTokenLimit`, argument);
    const models = workspace.getConfiguration(prefix).inspect("models");
    assert.equal(models?.globalValue, undefined, JSON.stringify(argument));
  }
  await commands.executeCommand("workbench.action.closeAllEditors");
});

describe("a limit that the gateway names", () => {
  let gateway: LocalGateway;

  before(async () => {
    gateway = await startGateway();
    process.env.CODEX_GATEWAY_API_KEY = gateway.keys.codex;
    await configure({ baseUrl: gateway.primary.url });
  });

  after(async () => {
    delete process.env.CODEX_GATEWAY_API_KEY;
    await configure({ baseUrl: undefined, models: undefined });
    await gateway.close();
  });

  it("is what VS Code hears about the model from then on, until settings change", async () => {
    const message = "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens.";
    gateway.entry("primary").next(1, { status: 400, body: JSON.stringify({ error: { message } }) });
    const [found] = await lm.selectChatModels({ vendor, id: model });
    assert.equal(found?.maxInputTokens, 272_000);
    await assert.rejects(async () => {
      const { text } = await found.sendRequest([LanguageModelChatMessage.User("Why?")]);
      for await (const part of text) assert.fail(part);
    }, /The prompt is too long for the model “gpt-5\.4”/);
    assert.equal(gateway.requests.length, 1);
    await maxInputTokens(112_000);
    await configure({ models: { "gpt-9": {} } });
    await maxInputTokens(272_000);
  });
});

/** Waits until VS Code knows the limit. */
async function maxInputTokens(expected: number): Promise<void> {
  for (;;) {
    const changed = new Promise((resolve) => {
      const listener = lm.onDidChangeChatModels(() => {
        listener.dispose();
        resolve(undefined);
      });
    });
    const [found] = await lm.selectChatModels({ vendor, id: model });
    if (found?.maxInputTokens === expected) return;
    await changed;
  }
}
