import assert from "node:assert/strict";
import {
  CancellationTokenSource,
  DocumentSymbol,
  InlineCompletionTriggerKind,
  languages,
  Position,
  Range,
  SymbolKind,
} from "vscode";
import { Completions } from "../../src/completions/completions.ts";
import { CompletionSnooze } from "../../src/completions/completionSnooze.ts";
import { completionRequest, contextAt } from "../../src/completions/completionRequest.ts";
import { OtherCode } from "../../src/completions/otherCode.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";
import { gatewayThat } from "../support/guarded.ts";
import { MemoryState } from "../support/memoryState.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { until } from "../support/until.ts";
import { canaries } from "./testWindow.ts";
import { disposing, gate, open, secrets } from "./editing.ts";

describe("completions over a budget", () => {
  it("come on demand, and typing sends nothing", async () => {
    const { document } = await open("const total = ");
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
      gateway: gatewayThat(() => {
        requests += 1;
        return "1;\n2;\n";
      }),
    };
    using snooze = disposing(new CompletionSnooze(new MemoryState()));
    using completions = disposing(new Completions(services, snooze));
    for (const [triggerKind, expected] of [
      [InlineCompletionTriggerKind.Automatic, 0],
      [InlineCompletionTriggerKind.Invoke, 1],
    ] as const) {
      const context = { triggerKind, selectedCompletionInfo: undefined };
      const { token } = new CancellationTokenSource();
      const items = await completions.provideInlineCompletionItems(document, new Position(0, 14), context, token);
      assert.deepEqual([items.length, requests], [expected, expected]);
    }
  });
});

describe("the request for a completion", () => {
  const symbol = (name: string, start: number, end: number, children: DocumentSymbol[] = []): DocumentSymbol => {
    const range = new Range(start, 0, end, 0);
    return Object.assign(new DocumentSymbol(name, "", SymbolKind.Class, range, range), { children });
  };
  const askAt = async (symbols: readonly DocumentSymbol[], line: number): Promise<string> => {
    const { document } = await open("one\n".repeat(20));
    const provideDocumentSymbols = (): DocumentSymbol[] => [...symbols];
    const selector = { scheme: "untitled" };
    using provider = disposing(languages.registerDocumentSymbolProvider(selector, { provideDocumentSymbols }));
    using otherCode = disposing(new OtherCode({ gate, secrets }));
    const position = new Position(line, 0);
    const context = contextAt(document, position);
    assert.ok(context);
    const services = { settings: () => allPlainSettings, tokens: new TokenCounter(), secrets };
    const question = { document, position, context, kind: "rest", isAutomatic: true } as const;
    // A service that has just been started may answer too late.
    return await until(async () => {
      const request = await completionRequest(services, otherCode, question);
      const sent = request?.messages.map(({ content }) => content).join("\n") ?? "";
      return sent.includes("\nInside: ") && sent;
    }, "declarations in the request");
  };

  it("has the declarations around the cursor, as VS Code reports them", async () => {
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
