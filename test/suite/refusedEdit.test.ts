import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { CancellationTokenSource, type ChatContext, type ChatResult, lm, MarkdownString } from "vscode";
import { answerQuestion } from "../../src/chat/participant/answerQuestion.ts";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { vendor } from "../../src/manifest.ts";
import { TokenCounter } from "../../src/text/tokenCounter.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";
import { asked, answered } from "../support/chatTurns.ts";
import { at, editsIn, gate, secrets } from "./editing.ts";

describe("an edit of @codex that does not fit", () => {
  const [storage, wharf] = [testFolder(), testFolder(at("").fsPath)];
  let root: string;
  let requests: ChatRequest[];
  let answers: string[];
  let limit: number;
  let breaksOff = false;

  beforeEach(async () => {
    [requests, answers, limit, breaksOff] = [[], [], 0, false];
    root = wharf();
    await mkdir(root, { recursive: true });
    for (const name of ["a.ts", "b.ts"]) await writeFile(join(root, name), "one();\ntwo();\nthree();\n");
  });

  const path = (name: string): string => `${basename(root)}/${name}`;
  const patch = (...changes: readonly string[]): string =>
    ["`````", "*** Begin Patch", ...changes, "*** End Patch", "`````"].join("\n");
  const update = (name: string, old: string, added: string): string =>
    `*** Update File: ${path(name)}\n@@\n one();\n-${old}\n+${added}\n three();`;
  const misfit = (): string =>
    `The plan.\n\n${patch(update("a.ts", "two();", "2();"), update("b.ts", "zwei();", "2();"))}\nThat is all.`;

  it("is shown to its end, with the reason, its file and line, and is known to the next question", async () => {
    answers = [misfit(), "Still the same."];
    const first = await ask("edit", "Count", []);
    assert.equal(requests.length, 2);
    assert.equal(first.buttons, 0);
    assert.ok(first.shown.includes(misfit().slice("The plan.\n\n".length)), first.shown);
    assert.match(first.shown, /none are offered:_\n\n- \S+\/b\.ts:2: The lines to change are not in the file\./);

    answers = [`Again.\n\n${patch(update("a.ts", "two();", "2();"), update("b.ts", "two();", "2();"))}`];
    const history = [asked("Count", { command: "edit" }), answered([first.shown], first.result.metadata)];
    const again = await ask(undefined, "Try again", history);
    const messages = requests[2]?.messages.map(({ content }) => content) ?? [];
    assert.ok(messages.includes(misfit()));
    assert.match(messages.join("\n"), /exactly one patch at the end/);
    assert.match(
      messages.at(-1) ?? "",
      /none of them .*:\n- \S+b\.ts: The lines .* \(line 12 of the answer\)[^]*two\(\);/,
    );
    assert.equal(again.buttons, 1);
    assert.doesNotMatch(again.shown, /Begin Patch/);
    const after = [...history, asked("Try again"), answered([again.shown], again.result.metadata)];
    await ask(undefined, "Thanks", after);
    assert.doesNotMatch(requests[3]?.messages.at(-1)?.content ?? "", /none of them/);
  });

  it("is not requested again if the request would be too long for the model", async () => {
    answers = [misfit(), "Never asked for."];
    limit = 2_000;
    answers[0] = `${misfit()}\n${"one two three\n".repeat(2_000)}`;
    const { shown } = await ask("edit", "Count", []);
    assert.equal(requests.length, 1);
    assert.match(shown, /b\.ts:2: /);
  });

  it("is shown up to where the answer was interrupted", async () => {
    answers = [misfit()];
    breaksOff = true;
    const { shown } = await ask("edit", "Count", []);
    assert.equal(shown.replace(/^\n\n\$\(edit\).*\n\n/m, ""), misfit());
  });

  it("tells the model nothing about files that it has not read", async () => {
    answers = [misfit()];
    const { result } = await ask("edit", "Count", [], []);
    const { reasons } = result.metadata?.refused as { readonly reasons: readonly string[] };
    assert.deepEqual(reasons.length, 1);
    assert.match(reasons[0] ?? "", /b\.ts: The answer replaces a file that the model has not read in full/);
  });

  async function ask(
    command: string | undefined,
    prompt: string,
    history: ChatContext["history"],
    files: readonly string[] = ["a.ts", "b.ts"],
  ): Promise<{ readonly shown: string; readonly result: ChatResult; readonly buttons: number }> {
    const [model] = await lm.selectChatModels({ vendor });
    assert.ok(model);
    const shown: string[] = [];
    let buttons = 0;
    const references = command ? files.map((name) => ({ id: name, value: at(path(name)) })) : [];
    const answer = answerQuestion(
      {
        gateway: {
          preconnect: () => undefined,
          // eslint-disable-next-line @typescript-eslint/require-await -- an answer comes asynchronously
          ask: async function* (request) {
            requests.push(request);
            yield { type: "start", entry: "primary", dropped: [] };
            yield { type: "text", text: answers.shift() ?? "" };
            if (breaksOff) throw new Error("It broke off.");
            yield { type: "finish", reason: "stop" };
          },
        },
        settings: () => ({ ...allPlainSettings, findsContext: false }),
        tokens: limit > 0 ? Object.assign(new TokenCounter(), { room: () => limit }) : new TokenCounter(),
        secrets,
        edits: { records: editsIn(storage()), gate },
      },
      {
        request: { command, prompt, references, model },
        context: { history },
        stream: {
          markdown: (text) => void shown.push(text instanceof MarkdownString ? text.value.replaceAll("\\", "") : text),
          button: () => void (buttons += 1),
          progress: () => undefined,
          reference: () => undefined,
          anchor: () => undefined,
        },
        token: new CancellationTokenSource().token,
        signal: new AbortController().signal,
        conversation: "conversation",
      },
    );
    const result = breaksOff ? await answer.catch(() => ({})) : await answer;
    return { shown: shown.join(""), result, buttons };
  }
});
