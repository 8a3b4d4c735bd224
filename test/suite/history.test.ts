import assert from "node:assert/strict";
import { ChatResponseMarkdownPart } from "vscode";
import { readHistory } from "../../src/chat/context/planQuestion.ts";
import { closingLine } from "../../src/chat/context/extensionLines.ts";
import { taskPrompts } from "../../src/text/tasks.ts";

const participant = "codex-gateway.codex";

describe("the history of a chat", () => {
  it("holds questions, commands and answers in order, without the extension's own closing line", () => {
    const footer = new ChatResponseMarkdownPart(closingLine("GPT-5.5", "primary", "stop"));
    const turns = [
      { participant, prompt: "one?" },
      { participant, response: [new ChatResponseMarkdownPart("1, "), new ChatResponseMarkdownPart("one"), footer] },
      { participant, prompt: "", command: "explain" },
      { participant, response: [new ChatResponseMarkdownPart("It greets.")] },
    ];
    assert.deepEqual(readHistory(turns, participant, "en"), [
      { question: "one?", answer: "1, one" },
      { question: taskPrompts.explain, answer: "It greets." },
    ]);
  });

  it("leaves out questions without an answer and other participants", () => {
    const turns = [
      { participant, prompt: "failed?" },
      { participant, response: [] },
      { participant: "other", prompt: "x" },
      { participant: "other", response: [new ChatResponseMarkdownPart("y")] },
    ];
    assert.deepEqual(readHistory(turns, participant, "en"), []);
  });
});
