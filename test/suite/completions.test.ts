import assert from "node:assert/strict";
import { commands, DocumentSymbol, languages, Position, Range, SymbolKind } from "vscode";
import { completionQuestion, contextAt } from "../../src/completions/completionQuestion.ts";
import { OtherCode } from "../../src/completions/otherCode.ts";
import { TokenCounter } from "../../src/text/tokenCounter.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { canaries } from "./canaryWindow.ts";
import { gate, open, secrets } from "./editing.ts";
import { CompletionNotices, copilotSuggests } from "../../src/completions/completionNotices.ts";
import { MemoryState } from "../support/memoryState.ts";

describe("completions where GitHub Copilot suggests as well", () => {
  it("come where Copilot suggests nothing, as in a window without it", async () => {
    const notifier = { inform: () => Promise.resolve(), warn: () => Promise.resolve() };
    const alone = new CompletionNotices({ state: new MemoryState(), notifier });
    assert.deepEqual([await copilotSuggests("python"), await alone.needsChoice("python")], [false, false]);
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
    const question = { document, position, context, kind: "rest", isAutomatic: true } as const;
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
