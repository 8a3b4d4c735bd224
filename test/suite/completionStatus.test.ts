import assert from "node:assert/strict";
import { type CompletionState, wordsOf } from "../../src/completions/completionStatus.ts";

const usual: CompletionState = {
  mode: "automatic",
  model: "gpt-5.3-codex-spark",
  languageOff: undefined,
  pausedUntil: undefined,
  isOverBudget: false,
  silence: undefined,
  silentUntil: undefined,
  maxPerHour: 200,
};
const silentUntil = Date.UTC(2030, 0, 1, 12);

const cases: readonly (readonly [Partial<CompletionState>, RegExp, string])[] = [
  [{}, /^Completions while typing: gpt-5\.3-codex-spark$/, "the model"],
  [{ mode: "onDemand" }, /^Completions on demand: gpt-5\.3-codex-spark$/, "the model on demand"],
  [{ silence: "limited", silentUntil }, /^Completions waiting: .* Next at \d/, "when a busy gateway is asked again"],
  [
    { silence: "hour", silentUntil },
    /^Completions only on demand: 200 requests in an hour\. Next at \d/,
    "that the requests of the hour are spent",
  ],
  [
    { mode: "onDemand", silence: "hour", silentUntil },
    /^Completions on demand: gpt-5\.3-codex-spark$/,
    "nothing of the limit for an hour, which is not kept on demand",
  ],
  [{ isOverBudget: true }, /^Completions only on demand: A budget is used up$/, "that a budget is used up"],
  [{ silence: "refused" }, /^Completions off: The gateway refused a request$/, "that a request was refused"],
  [
    { silence: "refused", pausedUntil: silentUntil },
    /^Completions paused: Until \d/,
    "what the user has decided before what the gateway has",
  ],
];

describe("the status of completions", () => {
  for (const [state, words, what] of cases) {
    it(`says ${what}`, () => {
      const { text, detail } = wordsOf({ ...usual, ...state });
      assert.match(`${text}: ${detail}`, words);
    });
  }
});
