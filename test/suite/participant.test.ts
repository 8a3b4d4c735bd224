import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  CancellationTokenSource,
  type ChatContext,
  type ChatPromptReference,
  type ChatResult,
  commands,
  lm,
  Location,
  MarkdownString,
  window,
} from "vscode";
import { answerQuestion } from "../../src/chat/participant/answerQuestion.ts";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { vendor } from "../../src/manifest.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";
import { answered, asked } from "../support/chatTurns.ts";
import { tinyPng } from "../support/gateway/png.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";
import { at, editsIn, gate, secrets } from "./editing.ts";

interface Question {
  readonly command?: "edit";
  readonly references?: readonly ChatPromptReference[];
  readonly history?: ChatContext["history"];
  /** Tokens that fit into the model. */
  readonly room?: number;
  /** Whether the answer breaks off. */
  readonly fails?: boolean;
}

describe("a question to @codex", () => {
  const storage = testFolder();
  let requests: ChatRequest[];
  let answers: string[];
  let listed: unknown[];

  /** Asks `@codex`: the texts of the answer, its buttons, and its result. */
  async function ask(
    prompt: string,
    { command, references = [], history = [], room, fails = false }: Question = {},
  ): Promise<{ readonly shown: readonly string[]; readonly buttons: number; readonly result: ChatResult }> {
    const [model] = await lm.selectChatModels({ vendor });
    assert.ok(model);
    const connections: unknown[] = [];
    const shown: string[] = [];
    let buttons = 0;
    const count = requests.length;
    const answer = answerQuestion(
      {
        gateway: {
          preconnect: (model) => connections.push(model),
          // eslint-disable-next-line @typescript-eslint/require-await -- an answer comes asynchronously
          ask: async function* (request) {
            requests.push(request);
            const hasImages = request.messages.some((message) => "images" in message);
            yield { type: "start", entry: "primary", dropped: hasImages ? ["images"] : [] };
            yield { type: "text", text: answers.shift() ?? "" };
            if (fails) throw new Error("It broke off.");
            yield { type: "finish", reason: "stop" };
          },
        },
        settings: () => ({ ...allPlainSettings, findsContext: false }),
        tokens: Object.assign(new TokenCounter(), room !== undefined && { room: () => room }),
        secrets,
        editing: { edits: editsIn(storage()), gate },
      },
      {
        request: { command, prompt, references, model },
        context: { history },
        stream: {
          markdown: (text) => shown.push(text instanceof MarkdownString ? text.value.replaceAll("\\", "") : text),
          button: () => void (buttons += 1),
          progress: () => undefined,
          reference: (source) => listed.push(source),
          anchor: (value, title) =>
            shown.push(
              value instanceof Location
                ? `${title} is ${value.uri.path.split("/").at(-1)} ${value.range.start.line}`
                : "",
            ),
        },
        token: new CancellationTokenSource().token,
        signal: new AbortController().signal,
        conversation: "conversation",
      },
    );
    const result = fails ? await answer.catch(() => ({})) : await answer;
    assert.deepEqual(connections, [requests[count]?.model], "a connection opens while files are read");
    return { shown, buttons, result };
  }

  beforeEach(() => {
    [requests, answers, listed] = [[], [], []];
  });

  it("has the pasted image and the conversation's name, and says if the gateway does not take images", async () => {
    const bytes = tinyPng;
    const value = { mimeType: "image/png", data: () => Promise.resolve(bytes) };
    answers = ["A lighthouse."];
    const { shown } = await ask("What is this?", { references: [{ id: "image", value }] });
    const images = [{ mimeType: "image/png", bytes }];
    assert.equal(requests[0]?.conversation, "conversation");
    assert.deepEqual(requests[0].messages, [{ role: "user", content: "What is this?", images }]);
    assert.match(shown[0] ?? "", /The gateway does not take images, so the model has not seen any/);
    assert.equal(shown[1], "A lighthouse.");
    assert.doesNotMatch(shown.join("\n"), /No file was read/);
  });

  it("has links to the lines of files that were sent, in what the model calls them", async () => {
    const answer = "See `greet.ts:2` and `other.ts:2`.";
    answers = [answer];
    const { shown } = await ask("Where?", { references: [{ id: "file", value: at("greet.ts") }] });
    assert.deepEqual(shown.slice(0, 3), ["See ", "greet.ts:2 is greet.ts 1", " and `other.ts:2`."]);
  });

  it("says that no file was read for it", async () => {
    answers = ["A lighthouse."];
    const { shown } = await ask("What is a lighthouse?");
    assert.match(shown[1] ?? "", /No file was read\./);
  });

  it("lists the files that were sent although nobody attached them", async () => {
    await window.showTextDocument(at("greet.ts"));
    await ask("Greet more kindly", { command: "edit" });
    assert.match(requests[0]?.messages.at(-1)?.content ?? "", /^greet\.ts:$/m);
    assert.deepEqual(listed.map(String), [at("greet.ts").toString()]);
    await ask("Greet more kindly", { command: "edit", references: [{ id: "greet", value: at("greet.ts") }] });
    assert.equal(listed.length, 1, "what is attached is not listed again");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  describe("whose edit does not fit", () => {
    const wharf = testFolder(at("").fsPath);

    beforeEach(async () => {
      for (const name of ["a.ts", "b.ts"]) await writeFile(join(wharf(), name), "one();\ntwo();\nthree();\n");
    });

    const path = (name: string): string => `${basename(wharf())}/${name}`;
    const attach = (...names: readonly string[]): readonly ChatPromptReference[] =>
      names.map((name) => ({ id: name, value: at(path(name)) }));
    const patch = (...changes: readonly string[]): string =>
      ["`````", "*** Begin Patch", ...changes, "*** End Patch", "`````"].join("\n");
    const update = (name: string, old: string): string =>
      `*** Update File: ${path(name)}\n@@\n one();\n-${old}\n+2();\n three();`;
    const misfit = (): string =>
      `The plan.\n\n${patch(update("a.ts", "two();"), update("b.ts", "zwei();"))}\nThat is all.`;

    it("is shown to its end, with the reason, its file and line, and is known to the next question", async () => {
      answers = [misfit(), "Still the same."];
      const first = await ask("Count", { command: "edit", references: attach("a.ts", "b.ts") });
      const shown = first.shown.join("");
      assert.equal(requests.length, 2);
      assert.equal(first.buttons, 0);
      assert.ok(shown.includes(misfit().slice("The plan.\n\n".length)), shown);
      assert.match(shown, /none are offered:_\n\n- \S+\/b\.ts:2: The lines to change are not in the file\./);

      answers = [`Again.\n\n${patch(update("a.ts", "two();"), update("b.ts", "two();"))}`];
      const history = [asked("Count", { command: "edit" }), answered([shown], first.result.metadata)];
      const again = await ask("Try again", { history });
      const messages = requests[2]?.messages.map(({ content }) => content) ?? [];
      assert.ok(messages.includes(misfit()));
      assert.match(messages.join("\n"), /exactly one patch at the end/);
      const reasons = /none of them .*:\n- \S+b\.ts: The lines .* \(line 12 of the answer\)[^]*two\(\);/;
      assert.match(messages.at(-1) ?? "", reasons);
      assert.equal(again.buttons, 1);
      assert.doesNotMatch(again.shown.join(""), /Begin Patch/);
      const after = [...history, asked("Try again"), answered([again.shown.join("")], again.result.metadata)];
      await ask("Thanks", { history: after });
      assert.doesNotMatch(requests[3]?.messages.at(-1)?.content ?? "", /none of them/);
    });

    it("is not requested again if the request would be too long for the model", async () => {
      answers = [`${misfit()}\n${"one two three\n".repeat(2_000)}`, "Never asked for."];
      const { shown } = await ask("Count", { command: "edit", references: attach("a.ts", "b.ts"), room: 2_000 });
      assert.equal(requests.length, 1);
      assert.match(shown.join(""), /b\.ts:2: /);
    });

    it("is shown up to where the answer was interrupted", async () => {
      answers = [misfit()];
      const { shown } = await ask("Count", { command: "edit", references: attach("a.ts", "b.ts"), fails: true });
      assert.equal(shown.join("").replace(/^\n\n\$\(edit\).*\n\n/m, ""), misfit());
    });

    it("tells the model nothing about files that it has not read", async () => {
      answers = [misfit()];
      const { result } = await ask("Count", { command: "edit" });
      const { reasons } = result.metadata?.refused as { readonly reasons: readonly string[] };
      assert.deepEqual(reasons.length, 1);
      assert.match(reasons[0] ?? "", /b\.ts: The answer replaces a file that the model has not read in full/);
    });
  });
});
