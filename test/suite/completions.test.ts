import assert from "node:assert/strict";
import { commands, DocumentSymbol, languages, Position, Range, SymbolKind } from "vscode";
import { completionQuestion, contextAt } from "../../src/completions/completionQuestion.ts";
import { OtherCode } from "../../src/completions/otherCode.ts";
import { TokenCounter } from "../../src/text/tokenCounter.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { canaries } from "./canaryWindow.ts";
import { gate, open, secrets } from "./editing.ts";
import { type CompletionState, CompletionStatus, statusOf } from "../../src/completions/completionStatus.ts";
import { CompletionNotices, copilotSuggests } from "../../src/completions/completionNotices.ts";
import { MemoryState } from "./memoryState.ts";
import { each } from "../support/each.ts";

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

  it("come where Copilot suggests nothing, as in a window without it", async () => {
    const alone = new CompletionNotices({ state: new MemoryState(), notifier });
    assert.deepEqual([await copilotSuggests("python"), await alone.allowsAutomatic("python")], [false, true]);
  });
});

describe("the request for a completion", () => {
  const symbol = (
    name: string,
    start: number,
    end: number,
    children: readonly DocumentSymbol[] = [],
  ): DocumentSymbol => {
    const range = new Range(start, 0, end, 0);
    const made = new DocumentSymbol(name, "", SymbolKind.Class, range, range);
    made.children = [...children];
    return made;
  };
  const askAt = async (symbols: readonly DocumentSymbol[], line: number): Promise<string> => {
    using cleanup = new DisposableStack();
    const { document } = await open("one\n".repeat(20));
    const provider = languages.registerDocumentSymbolProvider(
      { scheme: "untitled" },
      { provideDocumentSymbols: () => [...symbols] },
    );
    cleanup.defer(() => {
      provider.dispose();
    });
    const otherCode = cleanup.adopt(new OtherCode({ gate, secrets }), (code) => {
      code.dispose();
    });
    const position = new Position(line, 0);
    const context = contextAt(document, position);
    assert.ok(context);
    const services = { settings: () => allPlainSettings, tokens: new TokenCounter(), secrets };
    const question = { document, position, context, kind: "rest", isUnasked: true } as const;
    // A service that has just been started may answer too late.
    for (let tries = 0; tries < 50; tries += 1) {
      const request = await completionQuestion(services, otherCode, question);
      const sent = request?.messages.map(({ content }) => content).join("\n") ?? "";
      if (sent.includes("\nInside: ")) return sent;
    }
    const told: unknown = await commands.executeCommand("vscode.executeDocumentSymbolProvider", document.uri);
    assert.fail(`no declarations, but VS Code tells of ${JSON.stringify(told)}`);
  };

  it("has the declarations around the cursor, as VS Code tells of them", async () => {
    const inner = [symbol("first()", 1, 4), symbol("second()", 5, 9)];
    const sent = await askAt([symbol("class A", 0, 10, inner), symbol("class B", 11, 15)], 6);
    assert.match(sent, /\n\nInside: class A > second\(\)\n\n/);
  });

  it("has no more of them than a bounded part, and masks their secrets", async () => {
    const key = canaries.tool;
    let nested = symbol(`ACCESS_TOKEN=${key}`, 0, 10);
    for (let depth = 0; depth < 40; depth += 1) nested = symbol(`${"word ".repeat(100)}\n${depth}`, 0, 10, [nested]);
    const [line = ""] = /Inside: .*/.exec(await askAt([nested], 2)) ?? [];
    assert.ok(line.length < 1_000 && line.includes("ACCESS_TOKEN"), `${line.length}`);
    assert.equal((await secrets.mask(line, "test")).includes(key), false);
  });
});
