import assert from "node:assert/strict";
import { textModels } from "../../src/gateway/models.ts";
import type { ModelLimit } from "../../src/gateway/types.ts";
import { changeSetting } from "../../src/settings/changeSetting.ts";
import { inputTokens, LearnedLimits, modelOf } from "../../src/settings/tokenLimits.ts";
import { each } from "../support/each.ts";
import { allPlainSettings as settings } from "../support/plainSettings.ts";

const model = "gpt-5.4";

function limit(tokenLimit: number, limits: ModelLimit["limits"] = "input", of = model): ModelLimit {
  return { model: of, tokenLimit, limits };
}

describe("a limit that the gateway names", () => {
  it("leaves room for the answer, where it counts, and is at least 4,000 tokens", () => {
    for (const [tokenLimit, limits, maxOutput, allowed] of [
      [272_000, "input", 128_000, 272_000],
      [272_000, "context", 128_000, 240_000],
      [128_000, "context", 128_000, 112_000],
      [8_192, "context", 128_000, 7_168],
      [8_192, "context", 500, 7_692],
      [1_000, "input", 128_000, 4_000],
    ] as const)
      assert.equal(inputTokens({ tokenLimit, limits }, maxOutput), allowed);
  });

  it("is used at once, for its model alone, told, and forgotten on request", () => {
    const learned = new LearnedLimits();
    let told = 0;
    const listener = learned.onDidLearn(() => (told += 1));
    assert.equal(learned.applyTo(settings), settings);
    assert.equal(learned.learn(limit(128_000, "context"), settings), 112_000);
    const expected = textModels.map((one) => (one.id === model ? { ...one, maxInputTokens: 112_000 } : one));
    assert.deepEqual(learned.applyTo(settings).models, expected);
    listener.dispose();
    learned.learn(limit(100_000), settings);
    assert.equal(told, 1);
    learned.forget();
    assert.equal(learned.applyTo(settings), settings);
    assert.equal(learned.learn(limit(120_000), settings), 120_000);
  });

  it("only lowers, never below 4,000 tokens, whatever the gateway says", () => {
    const learned = new LearnedLimits();
    const [high, other] = [limit(200_000), limit(32_000, "input", "gpt-9")];
    const said = [limit(100_000_000), high, high, limit(250_000), other, other, limit(1_000), high];
    const used = said.map((one) => learned.learn(one, settings));
    assert.deepEqual(used, [undefined, 200_000, undefined, undefined, 32_000, undefined, 4_000, undefined]);
    const maxOf = (id: string, usual?: number) => modelOf(id, learned.applyTo(settings), usual).maxInputTokens;
    const unknown = [maxOf("gpt-9"), maxOf("gpt-9", 16_000), maxOf("gpt-8", 16_000)];
    assert.deepEqual([maxOf(model), ...unknown], [4_000, 32_000, 16_000, 16_000]);
  });
});

describe("saving a limit", () => {
  const nine = { [model]: { maxInputTokens: 9_000 } };
  const others = { "gpt-9": { reasoningEffort: "low" }, odd: null };
  const mine = (maxInputTokens: number): object => ({ [model]: { name: "Mine", maxInputTokens, x: [1] } });
  each<[global: unknown, workspace: unknown, saved: object], boolean>([
    ["starts the setting", undefined, undefined, nine, true],
    ["keeps what is there", { ...mine(1), ...others }, undefined, { ...mine(9_000), ...others }, true],
    ["leaves a workspace alone that has none", { a: {} }, { [model]: { name: "Ours" } }, { a: {}, ...nine }, true],
    ["goes where the workspace would override it", { a: {} }, mine(5_000), mine(9_000), false],
  ]).hold(async (globalValue, workspaceValue, saved, isGlobal) => {
    const calls: unknown[][] = [];
    const configuration = {
      inspect: () => ({ key: "models", globalValue, workspaceValue }) as never,
      update: (...call: unknown[]) => Promise.resolve(void calls.push(call)),
    };
    await changeSetting(configuration, "models", 9_000, [model, "maxInputTokens"]);
    assert.deepEqual(calls, [["models", saved, isGlobal]]);
  });
});
