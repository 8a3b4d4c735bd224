import assert from "node:assert/strict";
import { ChatResponseMarkdownPart, MarkdownString } from "vscode";
import { readHistory } from "../../src/chat/history.ts";

const participant = "codex-gateway.codex";

describe("the history of a chat", () => {
  it("holds questions and answers in order, without the extension's own closing line", () => {
    const footer = new ChatResponseMarkdownPart(new MarkdownString("$(hubot) _model_", true));
    const turns = [
      { participant, prompt: "one?" },
      { participant, response: [new ChatResponseMarkdownPart("1, "), new ChatResponseMarkdownPart("one"), footer] },
      { participant, prompt: "two?" },
      { participant, response: [new ChatResponseMarkdownPart("2")] },
    ];
    assert.deepEqual(readHistory(turns, participant), [
      { role: "user", content: "one?" },
      { role: "assistant", content: "1, one" },
      { role: "user", content: "two?" },
      { role: "assistant", content: "2" },
    ]);
  });

  it("leaves out questions without an answer and other participants", () => {
    const turns = [
      { participant, prompt: "failed?" },
      { participant, response: [] },
      { participant: "other", prompt: "x" },
      { participant: "other", response: [new ChatResponseMarkdownPart("y")] },
    ];
    assert.deepEqual(readHistory(turns, participant), []);
  });
});
