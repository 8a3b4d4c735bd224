import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CancellationTokenSource, type ChatPromptReference, lm, Location, MarkdownString } from "vscode";
import { answerQuestion } from "../../src/chat/participant/answerQuestion.ts";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { vendor } from "../../src/manifest.ts";
import { TokenCounter } from "../../src/text/tokenCounter.ts";
import { tinyPng } from "../support/gateway/png.ts";
import { longestTurn } from "../support/longestTurn.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { at, editsIn, gate, secrets } from "./editing.ts";

/** What a question to `@codex` sends, and the lines of its answer. */
async function ask(
  prompt: string,
  references: readonly ChatPromptReference[],
  answer = "A lighthouse.",
): Promise<{ readonly request: ChatRequest | undefined; readonly lines: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "records-"));
  const [model] = await lm.selectChatModels({ vendor });
  assert.ok(model);
  const requests: ChatRequest[] = [];
  const connections: unknown[] = [];
  const lines: string[] = [];
  await answerQuestion(
    {
      gateway: {
        preconnect: (model) => connections.push(model),
        // eslint-disable-next-line @typescript-eslint/require-await -- an answer comes asynchronously
        ask: async function* (request) {
          requests.push(request);
          yield { type: "start", entry: "primary", dropped: references.length > 0 ? ["images"] : [] };
          yield { type: "text", text: answer };
          yield { type: "finish", reason: "stop" };
        },
      },
      settings: () => ({ ...allPlainSettings, findsContext: false }),
      tokens: new TokenCounter(),
      secrets,
      edits: { records: editsIn(folder), gate },
    },
    {
      request: { command: undefined, prompt, references, model },
      context: { history: [] },
      stream: {
        markdown: (text) => lines.push(text instanceof MarkdownString ? text.value.replaceAll("\\", "") : text),
        button: () => undefined,
        progress: () => undefined,
        reference: () => undefined,
        anchor: (value, title) =>
          lines.push(
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
  await rm(folder, { recursive: true });
  assert.deepEqual(
    connections,
    requests.map((request) => request.model),
    "a connection opens while files are read",
  );
  return { request: requests[0], lines };
}

describe("a question to @codex", () => {
  it("has the pasted image and the conversation's name, and says if the gateway does not take images", async () => {
    const bytes = Buffer.alloc(3_000_000, "lighthouse ");
    bytes.set(tinyPng);
    const value = { mimeType: "image/png", data: () => Promise.resolve(bytes) };
    using watch = longestTurn();
    const { request, lines } = await ask("What is this?", [{ id: "image", value }]);
    assert.equal(request?.conversation, "conversation");
    const images = [{ mimeType: "image/png", bytes }];
    assert.deepEqual(request.messages, [{ role: "user", content: "What is this?", images }]);
    assert.match(lines[0] ?? "", /The gateway does not take images, so the model has not seen any/);
    assert.equal(lines[1], "A lighthouse.");
    assert.doesNotMatch(lines.join("\n"), /No file was read/);
    assert.ok(watch.longest < 50, String(watch.longest));
  });

  it("has links to the lines of files that were sent, in what the model calls them", async () => {
    const answer = "See `greet.ts:2` and `other.ts:2`.";
    const { lines } = await ask("Where?", [{ id: "file", value: at("greet.ts") }], answer);
    assert.deepEqual(lines.slice(1, 4), ["See ", "greet.ts:2 is greet.ts 1", " and `other.ts:2`."]);
  });

  it("says that no file was read for it", async () => {
    const { lines } = await ask("What is a lighthouse?", []);
    assert.match(lines[1] ?? "", /No file was read\./);
  });
});
