import assert from "node:assert/strict";
import {
  type ChatPromptReference,
  commands,
  InlineCompletionTriggerKind,
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
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
import { randomTexts } from "../support/randomTexts.ts";
import { canaries, CanaryWindow, files, oracle, textOf } from "./canaryWindow.ts";
import { at, type } from "./editing.ts";

const { hex } = randomTexts(7);

describe("no secret of a file reaches the gateway", function () {
  this.timeout(60_000);
  let local: CanaryWindow;
  before(() => {
    local = new CanaryWindow();
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
    await local.ask(`Is ${canaries.json} right?`, {
      references: [
        ...attached(...Object.keys(files).map(at), at("walk"), cut, `password: ${canaries.attached}`),
        rules,
      ],
    });
    await local.ask("And now?");
    assert.match(local.last, /apiKey": "\[secret \d{6} removed\]"/);
  });

  it("with a question about what is found", async () => {
    await window.showTextDocument(at("walk/tab.ts"), { preview: false });
    await local.ask("Where are the lighthouseLamps of the lighthouse at the quay?");
    assert.match(local.last, /const authToken = "\[secret/);
  });

  for (const command of ["explain", "fix", "tests", "doc"])
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
  /** What becomes of an edit before the chat goes on. */
  const ends: Readonly<Record<string, readonly (readonly ["applyEdit" | "undoEdit" | "skipFile", string])[]>> = {
    proposed: [],
    skipped: [["skipFile", "/0"]],
    applied: [["applyEdit", ""]],
    undone: [
      ["applyEdit", ""],
      ["undoEdit", ""],
    ],
  };
  for (const [end, steps] of Object.entries(ends))
    it(`after an edit that guesses a private key, and is ${end}`, async () => {
      const [name, line] = ["walk/keys.ts", "-----BEGIN RSA PRIVATE KEY-----"] as const;
      local.answers = [() => patch(name, line, `${line} // changed`)];
      await local.ask("Change it", { command: "edit" });
      assert.notEqual(local.edit, "");
      const id = local.edit;
      for (const [command, rest] of steps) await local.features.runCommand(command, id + rest);
      const now = String(await workspace.fs.readFile(at(name)));
      assert.equal(now, end === "applied" ? files[name].replace(line, `${line} // changed`) : files[name]);
      local.answers = [];
      await local.ask("What is lighthouseLamps of the lighthouse?");
      await local.ask("Is it right?", { references: attached(at(name)) });
      if (end === "applied") await local.features.runCommand("undoEdit", id);
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

  it("and no placeholder says which of 1,600 guesses was right", async () => {
    const guessed = Array.from({ length: 1_600 }, (_, index) => (index === 800 ? oracle : `tiger${hex(4)}%`));
    const added = guessed.map((guess) => `+${guess}`).join("\n");
    local.answers = [() => `*** Begin Patch\n*** Add File: walk/guesses.ts\n${added}\n*** End Patch`];
    await local.ask("Guess", { command: "edit", references: attached(at("walk/oracle.ts")) });
    assert.ok(!local.last.includes(oracle));
    local.answers = [];
    const id = local.edit;
    for (const isApplied of [false, true]) {
      if (isApplied) await local.features.runCommand("applyEdit", id);
      await local.ask("Which?", {
        references: attached(at("walk/oracle.ts"), ...(isApplied ? [at("walk/guesses.ts")] : [])),
      });
      const sent = local.last.replace(/^\+/gm, "");
      assert.equal(sent.split(guessed.join("\n")).length - 1, isApplied ? 2 : 1);
      assert.match(sent, /adminPassword = "\[secret/);
    }
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
    const model = modelInformation(
      { id: "gpt-5.4", name: "GPT", maxInputTokens: 100_000, maxOutputTokens: 1_000 },
      true,
    );
    const message = (role: LanguageModelChatMessageRole, ...content: LanguageModelChatRequestMessage["content"]) => ({
      role,
      content: [...content],
      name: undefined,
    });
    const text = (value: string): LanguageModelTextPart => new LanguageModelTextPart(value);
    const { User, Assistant } = LanguageModelChatMessageRole;
    const line = `ACCESS_TOKEN=${canaries.tool}`;
    const messages = [
      message(User, text(`Be brief.\napi_key: ${canaries.system}`)),
      message(User, text("<userRequest>What is in it?</userRequest>")),
      message(Assistant, new LanguageModelToolCallPart("1", "read_file", { path: "a" })),
      message(User, new LanguageModelToolResultPart("1", [text(`HOST=a\n${line}\n`)])),
    ];
    const tools = [{ name: "replace_string_in_file", description: "" }];
    local.answers = [
      (request) => {
        const [old = ""] = /ACCESS_TOKEN=\[.*?\]/.exec(textOf(request)) ?? [];
        const input = { filePath: "a", oldString: old, newString: `${old}\nPORT=80` };
        return [{ type: "toolCall", id: "2", name: "replace_string_in_file", input }];
      },
    ];
    for (let turn = 0; turn < 2; turn += 1) {
      const reported: unknown[] = [];
      await local.features.modelAnswers.answer(
        model,
        messages,
        { toolMode: LanguageModelChatToolMode.Auto, tools },
        { report: (part) => reported.push(part) },
        local.token,
      );
      const call = reported.find((part) => part instanceof LanguageModelToolCallPart);
      if (!call) continue;
      assert.match(JSON.stringify(call.input), new RegExp(`"${line}"`));
      const result = new LanguageModelToolResultPart("2", [text(`Edited:\n+${line}`)]);
      messages.push(message(Assistant, call), message(User, result));
      local.answers = [];
    }
    assert.equal(local.count, 2);
  });
});
