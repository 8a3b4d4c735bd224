import assert from "node:assert/strict";
import { textModels } from "../../src/gateway/models.ts";
import { chooseModel, mergeModels } from "../../src/settings/modelSettings.ts";
import { each } from "../support/each.ts";

describe("the models", () => {
  it("take limits and names from the setting, model by model", () => {
    const [first, ...others] = mergeModels({ "gpt-5.3-codex": { maxInputTokens: 1_000, name: " Mine " } });
    assert.deepEqual(first, { ...textModels[0], maxInputTokens: 1_000, name: "Mine" });
    assert.deepEqual(others, textModels.slice(1));
  });

  it("go on with models that only the setting knows", () => {
    const added = mergeModels({ "gpt-6": { maxInputTokens: 5_000, maxOutputTokens: 900 }, "gpt-7": {} }).slice(5);
    assert.deepEqual(added, [
      { id: "gpt-6", name: "gpt-6", maxInputTokens: 5_000, maxOutputTokens: 900 },
      { id: "gpt-7", name: "gpt-7", maxInputTokens: 96_000, maxOutputTokens: 32_000 },
    ]);
  });

  it("are the five text models where nothing is set, or where the setting says nonsense", () => {
    for (const nonsense of [undefined, {}, null, [], "gpt-6", 7, { "gpt-5.4": null }])
      assert.deepEqual(mergeModels(nonsense), textModels);
    for (const nonsense of [0, -1, 1.5, "1000", null, Infinity, "", "High", "high ", "toString", ["high"]]) {
      const description = { maxInputTokens: nonsense, reasoningEffort: nonsense };
      assert.deepEqual(mergeModels({ "gpt-5.4": description }), textModels);
    }
  });

  it("take a reasoning effort that exists", () => {
    for (const reasoningEffort of ["none", "minimal", "low", "medium", "high", "xhigh"]) {
      const merged = mergeModels({ "gpt-5.4": { reasoningEffort }, "gpt-6": { reasoningEffort } });
      const efforts = [merged[0], merged[2], merged[5]].map((model) => model?.reasoningEffort);
      assert.deepEqual(efforts, [undefined, reasoningEffort, reasoningEffort]);
    }
  });
});

describe("the model that @codex asks", () => {
  each([
    ["is the one picked in the Chat view", "codex-gateway", "gpt-5.4", "gpt-5.4"],
    ["is that of the settings while VS Code shows its preselection", "codex-gateway", "gpt-5.3-codex", "gpt-5.5"],
    ["is that of the settings while another provider's model is picked", "copilot", "gpt-5.4", "gpt-5.5"],
  ]).gives((vendor, id) => chooseModel({ vendor, id }, "gpt-5.5", textModels));
});
