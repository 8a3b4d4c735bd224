import assert from "node:assert/strict";
import {
  type ChatPromptReference,
  commands,
  InlineCompletionTriggerKind,
  LanguageModelChatMessage,
  LanguageModelChatToolMode,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  Location,
  Position,
  Range,
  window,
  workspace,
} from "vscode";
import { modelInformation } from "../../src/chat/models/modelInformation.ts";
import { canaries, files, TestWindow, textOf } from "./testWindow.ts";
import { at, type } from "./editing.ts";

describe("no secret of a file reaches the gateway", function () {
  this.timeout(60_000);
  let local: TestWindow;
  before(() => {
    local = new TestWindow();
  });
  after(() => local.dispose());
  afterEach(() => {
    local.check();
  });
  const reportSecrets = (): Promise<void> =>
    local.report("walk/server.ts", `no overload for "${canaries.token}"`, `'"${canaries.token}"' is unused`);
  const attached = (...values: unknown[]): ChatPromptReference[] => values.map((value) => ({ id: "file", value }));

  it("with a question about attached files, texts, selections, and instructions", async () => {
    await reportSecrets();
    const cut = new Location(at("walk/server.ts"), new Range(1, 30, 3, 2));
    const rules = { id: "vscode.instructions.file.root", value: at("walk/rules.md") };
    const values = [...Object.keys(files).map(at), at("walk"), cut, `password: ${canaries.attached}`];
    await local.ask(`Is ${canaries.json} right?`, { references: [...attached(...values), rules] });
    await local.ask("And now?");
    assert.match(local.last, /apiKey": "\[secret \d{6} removed\]"/);
  });

  it("with a question about what is found", async () => {
    await window.showTextDocument(at("walk/tab.ts"), { preview: false });
    await local.ask("Where are the lighthouseLamps of the lighthouse at the quay?");
    assert.match(local.last, /const authToken = "\[secret/);
  });

  for (const command of ["explain", "fix"])
    it(`with /${command}, asked in the chat and in the editor, and what follows`, async () => {
      const { document } = await window.showTextDocument(at("walk/server.ts"));
      await reportSecrets();
      await local.ask("", { command });
      await local.ask("Why?");
      for (const end of [4, 2]) {
        const range = new Range(1, 20, end, 1);
        await local.features.runCommand("inlineChat", { task: command, uri: document.uri, range });
      }
      await local.features.runCommand("inlineChat.close", undefined);
      assert.equal(local.count, 4);
    });

  /** A patch of a file, with a line that the model has guessed. */
  const patch = (name: string, old: string, line: string): string =>
    `*** Begin Patch\n*** Update File: ${name}\n@@\n-${old}\n+${line}\n*** End Patch`;
  for (const isApplied of [true, false])
    it(`after an edit that guesses a private key, and is ${isApplied ? "applied" : "proposed"}`, async () => {
      const [name, line] = ["walk/keys.ts", "-----BEGIN RSA PRIVATE KEY-----"] as const;
      local.answers = [() => patch(name, line, `${line} // changed`)];
      await local.ask("Change it", { command: "edit" });
      const id = local.edit;
      assert.notEqual(id, "");
      if (isApplied) await local.features.runCommand("applyEdit", id);
      const now = String(await workspace.fs.readFile(at(name)));
      assert.equal(now, isApplied ? files[name].replace(line, `${line} // changed`) : files[name]);
      local.answers = [];
      await local.ask("What is lighthouseLamps of the lighthouse?");
      await local.ask("Is it right?", { references: attached(at(name)) });
      if (isApplied) await local.features.runCommand("undoEdit", id);
    });

  it("with the second request for an edit that does not fit", async () => {
    const wrong = patch("walk/server.ts", "const tokens = 1;", "const tokens = 2;");
    local.answers = [
      () => wrong,
      (request) => patch("walk/server.ts", /const token = .*/.exec(textOf(request))?.[0] ?? "", "const token = 1;"),
    ];
    await local.ask("Change it", { command: "edit", references: attached(at("walk/server.ts")) });
    assert.deepEqual([local.count, local.edit !== ""], [2, true]);
    await local.ask("Why?");
  });

  it("in inline chat that applies by itself, its second request, its follow-up, and Fix", async () => {
    local.settings = { inlineChatApply: "automatically" };
    const { document } = await window.showTextDocument(at("walk/keys.ts"));
    const block = (old: string, line: string): string =>
      ["walk/keys.ts", "```ts", "<<<<<<< SEARCH", old, "=======", line, ">>>>>>> REPLACE", "```"].join("\n");
    const begin = "-----BEGIN RSA PRIVATE KEY-----";
    local.answers = [() => block(`${begin}\nguessed`, "x"), () => block(begin, "-----BEGIN PRIVATE KEY-----")];
    const target = { task: "fix", uri: document.uri, range: new Range(0, 0, 2, 30) };
    await local.features.runCommand("inlineChat", target);
    assert.deepEqual([local.count, document.lineAt(1).text], [2, "-----BEGIN PRIVATE KEY-----"]);
    local.answers = [];
    await local.report("walk/keys.ts", `unexpected "${canaries.pem.slice(0, 40)}"`);
    await local.features.runCommand("inlineChat.fixNewProblems", undefined);
    await local.features.runCommand("inlineChat", { ...target, task: "explain" });
    assert.equal(local.count, 4);
    await local.features.runCommand("inlineChat.close", undefined);
    await commands.executeCommand("workbench.action.files.revert");
  });

  it("with completions near a secret, in it, and behind it", async () => {
    await window.showTextDocument(at("walk/tab.ts"), { preview: false });
    local.settings = { completionsMode: "automatic" };
    const completions = await local.features.startCompletions();
    await type(at("walk/edited.ts"), "const moreKeys = 3;\n");
    const { document } = await window.showTextDocument(at("walk/client.ts"), { preview: false });
    const { Invoke, Automatic } = InlineCompletionTriggerKind;
    const end = (line: number): number => document.lineAt(line).text.length;
    for (const [line, column, triggerKind, requests] of [
      [3, end(3) - 2, Invoke, 0],
      [3, end(3), Invoke, 1],
      [1, end(1), Invoke, 1],
      [4, 0, Automatic, 1],
    ] as const) {
      const { count, token } = local;
      const context = { triggerKind, selectedCompletionInfo: undefined };
      await completions.provideInlineCompletionItems(document, new Position(line, column), context, token);
      assert.equal(local.count - count, requests, `${line}:${column}`);
    }
    const sent = local.last;
    completions.dispose();
    for (const piece of [/moment ago in walk\/edited\.ts/, /In walk\/tab\.ts/]) assert.match(sent, piece);
  });

  it("in VS Code's own chat and Agent, in messages, tools' results, and calls", async () => {
    const known = { id: "gpt-5.4", name: "GPT", maxInputTokens: 100_000, maxOutputTokens: 1_000 };
    const model = modelInformation(known, true);
    const line = `ACCESS_TOKEN=${canaries.tool}`;
    const call = new LanguageModelToolCallPart("1", "create_file", { content: line });
    const result = new LanguageModelToolResultPart("1", [new LanguageModelTextPart(`HOST=a\n${line}\n`)]);
    const messages = [
      LanguageModelChatMessage.User(`Be brief.\napi_key: ${canaries.system}`),
      LanguageModelChatMessage.User("<userRequest>What is in it?</userRequest>"),
      LanguageModelChatMessage.Assistant([call]),
      LanguageModelChatMessage.User([result]),
    ];
    const options = { toolMode: LanguageModelChatToolMode.Auto };
    await local.features.modelAnswers.answer(model, messages, options, { report: () => undefined }, local.token);
  });
});
