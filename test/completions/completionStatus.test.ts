import assert from "node:assert/strict";
import { CompletionNotices } from "../../src/completions/completionNotices.ts";
import { type CompletionState, CompletionStatus, statusOf } from "../../src/completions/completionStatus.ts";
import { each } from "../support/each.ts";
import { MemoryState } from "../support/memoryState.ts";

const until = Date.UTC(2030, 0, 1, 12);
const usual: CompletionState = {
  mode: "automatic",
  model: "gpt-5.3-codex-spark",
  denial: undefined,
  until: undefined,
  languageId: "python",
  maxPerHour: 200,
  longPause: undefined,
};

describe("the status of completions says", () => {
  each<[Partial<CompletionState>], RegExp>([
    ["the model", {}, /^Completions while typing: gpt-5\.3-codex-spark$/],
    ["until when they are paused", { denial: { off: "snoozed" }, until }, /^Completions paused: Until \d/],
    ["the language without them", { denial: { off: "language" } }, /^Completions off: For the language python$/],
    [
      "when a busy gateway is asked again",
      { denial: { waits: "limited" }, until },
      /^Completions waiting: .* Next request at \d/,
    ],
    ["that a budget is used up", { denial: { waits: "budget" } }, /^Completions only on demand: A budget is used up$/],
    [
      "that the user has to choose",
      { denial: { waits: "choice" }, longPause: 800 },
      /^Completions only on demand: Until you /,
    ],
    ["that requests come late", { longPause: 800 }, /^Completions slowed: After a pause of 0\.8 s, /],
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
      status.show({ ...usual, denial: { waits: "limited" }, until: Date.now() + 365 * 86_400_000 }, show);
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
    assert.equal(await beside.needsChoice("python"), true);
    await state.update("completions.chosenSource", "Codex Gateway");
    assert.equal(await beside.needsChoice("python"), false);
  });

  it("still wait after the question was closed, which is no choice, and not asked again", async () => {
    const state = new MemoryState();
    let asked = 0;
    const close = (): Promise<void> => {
      asked += 1;
      return Promise.resolve();
    };
    const notifier = { inform: close, warn: stays };
    const inWindow = (): CompletionNotices => new CompletionNotices({ state, notifier }, () => Promise.resolve(true));
    const beside = inWindow();
    for (const one of [beside, beside, inWindow()]) await one.askForSource();
    assert.deepEqual([asked, state.keys()], [1, ["completions.askedForSource"]]);
    assert.equal(await beside.needsChoice("python"), true);
    // The status bar asks as often as the user wants.
    await beside.chooseSource();
    assert.equal(asked, 2);
  });
});
