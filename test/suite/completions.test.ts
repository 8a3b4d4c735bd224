import assert from "node:assert/strict";
import { mock } from "node:test";
import {
  CancellationTokenSource,
  DocumentSymbol,
  InlineCompletionTriggerKind,
  languages,
  Position,
  Range,
  SymbolKind,
} from "vscode";
import { completionRequest, contextAt } from "../../src/completions/completionRequest.ts";
import { Completions } from "../../src/completions/completions.ts";
import { CompletionSnooze } from "../../src/completions/completionSnooze.ts";
import { CompletionStatus } from "../../src/completions/completionStatus.ts";
import { OtherCode } from "../../src/completions/otherCode.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";
import { MemoryState } from "../support/memoryState.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { until } from "../support/until.ts";
import { dispose, gate, open, secrets } from "./editing.ts";

describe("completions in the extension host", () => {
  let cleanup: DisposableStack;
  beforeEach(() => {
    cleanup = new DisposableStack();
  });
  afterEach(() => {
    cleanup.dispose();
  });

  it("come only on demand once a budget is used up, and the status says why", async () => {
    const shown = mock.method(CompletionStatus.prototype, "show");
    cleanup.adopt(shown, ({ mock }) => {
      mock.restore();
    });
    let requests = 0;
    const services = {
      gate,
      secrets,
      tokens: new TokenCounter(),
      state: new MemoryState(),
      settings: () => ({ ...allPlainSettings, baseUrl: "https://gateway.test", completionsMode: "automatic" as const }),
      isOverBudget: () => Promise.resolve(true),
      keys: { onDidChange: () => ({ dispose: () => undefined }) },
      log: { debug: () => undefined },
      notifier: { inform: () => Promise.resolve(), warn: () => Promise.resolve() },
      gateway: {
        async *ask() {
          requests += 1;
          await Promise.resolve();
          yield { type: "text", text: "1;\n2;\n" } as const;
          return { reason: "stop" } as const;
        },
      },
    };
    const snooze = cleanup.adopt(new CompletionSnooze(new MemoryState()), dispose);
    const completions = cleanup.adopt(new Completions(services, snooze), dispose);
    const { document } = await open("const total = ");
    const { token } = new CancellationTokenSource();
    const { Automatic, Invoke } = InlineCompletionTriggerKind;
    for (const [triggerKind, count] of [
      [Automatic, 0],
      [Invoke, 1],
    ] as const) {
      const context = { triggerKind, selectedCompletionInfo: undefined };
      const items = await completions.provideInlineCompletionItems(document, new Position(0, 14), context, token);
      assert.deepEqual([items.length, requests], [count, count]);
      assert.deepEqual(shown.mock.calls.at(-1)?.arguments[0].denial, { waits: "budget" });
    }
  });

  it("are asked for with a bounded part of the declarations around the cursor", async () => {
    const symbol = (name: string, start: number, end: number, ...children: DocumentSymbol[]): DocumentSymbol => {
      const range = new Range(start, 0, end, 0);
      return Object.assign(new DocumentSymbol(name, "", SymbolKind.Class, range, range), { children });
    };
    let inner = symbol("class A", 0, 10, symbol("first()", 1, 4), symbol(`second()\n${"x".repeat(500)}`, 5, 9));
    for (let depth = 0; depth < 40; depth += 1) inner = symbol(`namespace ${depth}`, 0, 10, inner);
    const provideDocumentSymbols = (): DocumentSymbol[] => [inner, symbol("class B", 11, 15)];
    cleanup.adopt(languages.registerDocumentSymbolProvider("*", { provideDocumentSymbols }), dispose);
    const otherCode = cleanup.adopt(new OtherCode({ gate, secrets }), dispose);
    const { document } = await open("one\n".repeat(20));
    const position = new Position(6, 0);
    const context = contextAt(document, position);
    assert.ok(context);
    const services = { settings: () => allPlainSettings, tokens: new TokenCounter(), secrets };
    // A service that has just been started may answer too late.
    const line = await until(async () => {
      const question = { document, position, context, kind: "rest", isAutomatic: true } as const;
      const request = await completionRequest(services, otherCode, question);
      return /\nInside: .*\n/.exec(request?.messages.at(-1)?.content ?? "")?.[0];
    });
    assert.match(line, /namespace 0 > class A > second\(\)\n$/);
    assert.ok(line.length < 1_000, line);
  });
});
