import assert from "node:assert/strict";
import type { ChatPromptReference, MarkdownString } from "vscode";
import { answerImageCommand } from "../../../src/chat/participant/handler.ts";

it("/image orders nothing where an image is attached, which the image model would not see", async () => {
  const shown: string[] = [];
  let orders = 0;
  const stream = {
    markdown: (value: string | MarkdownString) => void shown.push(typeof value === "string" ? value : value.value),
    button: () => undefined,
    progress: () => undefined,
  };
  const { signal } = new AbortController();
  const ask = async (value: unknown): Promise<void> => {
    const references = [{ id: "a", value }] as unknown as readonly ChatPromptReference[];
    const order = (): Promise<readonly []> => Promise.resolve(((orders += 1), []));
    await answerImageCommand(order, { request: { prompt: "in blue", command: "image", references }, stream, signal });
  };
  await ask({ mimeType: "image/png", data: () => Promise.resolve(new Uint8Array()) });
  assert.equal(orders, 0);
  assert.match(shown.join(""), /from text only/);
  await ask("a text");
  assert.equal(orders, 1);
});
