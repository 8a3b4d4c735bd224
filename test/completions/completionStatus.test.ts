import assert from "node:assert/strict";
import { CompletionNotices } from "../../src/completions/completionNotices.ts";
import { type CompletionState, CompletionStatus, statusOf } from "../../src/completions/completionStatus.ts";
import { each } from "../support/each.ts";
import { MemoryState } from "../support/memoryState.ts";

const usual: CompletionState = {
  mode: "automatic",
  model: "gpt-5.3-codex-spark",
  languageOff: undefined,
  denial: undefined,
  pausedUntil: undefined,
  isOverBudget: false,
  silence: undefined,
  silentUntil: undefined,
  maxPerHour: 200,
  needsChoice: false,
  longPause: undefined,
};
const silentUntil = Date.UTC(2030, 0, 1, 12);
const hour = { silence: "hour", silentUntil } as const;

describe("the status of completions says", () => {
  each<[Partial<CompletionState>], RegExp>([
    ["the model", {}, /^Completions while typing: gpt-5\.3-codex-spark$/],
    ["the model on demand", { mode: "onDemand" }, /^Completions on demand: gpt-5\.3-codex-spark$/],
    [
      "when a busy gateway is asked again",
      { silence: "limited", silentUntil },
      /^Completions waiting: .* Next request at \d/,
    ],
    ["that the hour's requests are spent", hour, /^Completions only on demand: 200 requests in an hour\. Next at \d/],
    ["no limit for an hour on demand", { ...hour, mode: "onDemand" }, /^Completions on demand: gpt-5\.3-codex-spark$/],
    ["that a budget is used up", { isOverBudget: true }, /^Completions only on demand: A budget is used up$/],
    ["that a request was refused", { silence: "refused" }, /^Completions off: The gateway refused a request$/],
    [
      "that the user has to choose",
      { needsChoice: true, longPause: 800 },
      /^Completions only on demand: Until you choose /,
    ],
    ["nothing of the choice on demand", { needsChoice: true, mode: "onDemand" }, /^Completions on demand: gpt/],
    ["that requests come late", { longPause: 800 }, /^Completions slowed: After a pause of 0\.8 s, /],
    ["why the file is not sent", { ...hour, denial: "ignored" }, /^Completions off: The file is ignored\.$/],
    ["what the user decided first", { silence: "refused", pausedUntil: silentUntil }, /^Completions paused: Until \d/],
  ]).hold((state, words) => {
    const { text, detail } = statusOf({ ...usual, ...state });
    assert.match(`${text}: ${detail}`, words);
  });
});

describe("the status of completions", () => {
  it("is not written again and again while a gateway asks for a wait that is longer than timers", async () => {
    const status = new CompletionStatus();
    let asked = 0;
    const show = (): void => {
      asked += 1;
      status.show({ ...usual, silence: "limited", silentUntil: Date.now() + 365 * 86_400_000 }, show);
    };
    show();
    // A timer that was set later, and ends after all that are due.
    await new Promise((resolve) => setTimeout(resolve, 50));
    status.dispose();
    assert.equal(asked, 1);
  });
});

describe("completions where GitHub Copilot suggests as well", () => {
  const stays = (): Promise<void> => new Promise(() => undefined);
  const notifier = { inform: stays, warn: stays };

  it("wait until the user has chosen, and then come without a question", async () => {
    const state = new MemoryState();
    const beside = new CompletionNotices({ state, notifier }, () => Promise.resolve(true));
    assert.deepEqual([await beside.allowsAutomatic("python"), await beside.allowsAutomatic("python")], [false, false]);
    assert.equal(beside.needsChoice, true);
    await state.update("completions.chosenSource", "Codex Gateway");
    assert.deepEqual([await beside.allowsAutomatic("python"), beside.needsChoice], [true, false]);
  });

  it("ask once, not again in each window", async () => {
    const state = new MemoryState();
    let asked = 0;
    const update = state.update.bind(state);
    state.update = (key, value) => {
      asked += key === "completions.askedForSource" ? 1 : 0;
      return update(key, value);
    };
    for (let windows = 0; windows < 3; windows += 1) {
      const beside = new CompletionNotices({ state, notifier }, () => Promise.resolve(true));
      assert.deepEqual([await beside.allowsAutomatic("python"), beside.needsChoice], [false, true]);
    }
    assert.equal(asked, 1);
  });
});
