import assert from "node:assert/strict";
import { type LanguageModelChatProvider, lm, workspace } from "vscode";
import { modelInformation } from "../../../src/chat/models/modelInformation.ts";
import { registerModelProvider } from "../../../src/chat/models/registerModels.ts";
import { textModels } from "../../../src/gateway/models.ts";
import { readPrices } from "../../../src/settings/prices.ts";
import { allPlainSettings } from "../../support/plainSettings.ts";

describe("a model in VS Code's list", () => {
  it("is described with the reasoning effort of the settings and a missing key, which hides none", () => {
    for (const model of textModels) {
      const { detail, statusIcon, capabilities } = modelInformation(model, false);
      assert.deepEqual([detail, statusIcon?.id], ["API key required", "warning"]);
      assert.deepEqual(capabilities, { toolCalling: true, imageInput: true });
      const { tooltip: plain, ...others } = modelInformation(model, true);
      assert.equal(others.detail, undefined);
      assert.match(plain ?? "", /^[A-Z].*\.$/);
      const { tooltip } = modelInformation({ ...model, reasoningEffort: "high" }, true);
      assert.equal(tooltip, `${plain} Reasoning effort in settings: high.`);
    }
  });

  it("has the prices of the settings, in words and in numbers", () => {
    const models = { "gpt-5.4": { input: 1.25, cachedInput: 0.125, output: 10 }, "gpt-5.5": { image: 1 } };
    const [priced, unpriced] = ["gpt-5.4", "gpt-5.5"].map((id) => {
      const model = textModels.find((one) => one.id === id);
      assert.ok(model);
      return modelInformation(model, true, readPrices({ currency: "USD", models }));
    });
    const sentence = / A million tokens cost \$1\.25 for input, \$0\.125 for cached input, and \$10\.00 for output\.$/;
    assert.match(priced?.tooltip ?? "", sentence);
    assert.ok(unpriced && !("inputCost" in unpriced || "cacheCost" in unpriced || "outputCost" in unpriced));
    assert.doesNotMatch(unpriced.tooltip ?? "", /cost/);
  });
});

it("VS Code's list has the models that the settings name, once, so that Use Everywhere can use them", async () => {
  let provider: LanguageModelChatProvider | undefined;
  const register = (_: string, given: LanguageModelChatProvider): unknown => (provider = given);
  Object.assign(lm, { registerLanguageModelChatProvider: register });
  Object.assign(workspace, { onDidChangeConfiguration: register });
  const settings = { ...allPlainSettings, chatModel: "own-large", commitMessageModel: "own-small" };
  const keys = { source: () => Promise.resolve("stored"), onDidChange: register };
  const needs = { keys, settings: () => settings, limits: { onDidLearn: register } };
  registerModelProvider(needs as unknown as Parameters<typeof registerModelProvider>[0], () => assert.fail());
  const listed = await provider?.provideLanguageModelChatInformation({ silent: true }, undefined as never);
  assert.deepEqual(
    listed?.map(({ id }) => id),
    [...textModels.map(({ id }) => id), "own-large", "own-small"],
  );
});
