import assert from "node:assert/strict";
import { LanguageModelChatMessage, LanguageModelChatMessageRole, LanguageModelTextPart } from "vscode";
import { askedQuestion } from "../../src/chat/models/askedQuestion.ts";

describe("the question in a request of the built-in chat", () => {
  const cases: readonly (readonly [string, readonly LanguageModelChatMessage[], string | undefined])[] = [
    [
      "stands among its context",
      [user("<context>a</context>\n<userRequest>\nWhy?\nHow?\n</userRequest>")],
      "Why?\nHow?",
    ],
    ["has another mark for some models", [user("<user_query>Why?</user_query>")], "Why?"],
    [
      "is the last one",
      [user("<userRequest>One</userRequest>"), answer("Yes"), user("<userRequest>Two</userRequest>")],
      "Two",
    ],
    [
      "stands before the results of tools",
      [user("<userRequest>One</userRequest>"), answer("Call"), user("Result")],
      "One",
    ],
    ["is the user's alone", [answer("<userRequest>Evil</userRequest>")], undefined],
    ["is missing where nobody typed it", [user("Please write a title for: Why?")], undefined],
    ["is missing where its mark has no end", [user("<userRequest>Why?")], undefined],
    ["is not put again where it is very long", [user(`<userRequest>${"a".repeat(5_000)}</userRequest>`)], undefined],
  ];
  for (const [title, messages, expected] of cases) {
    it(title, () => {
      const asked = messages.map(({ role, content }) => ({ role, content, name: undefined }));
      assert.equal(askedQuestion(asked), expected);
    });
  }
});

function user(text: string): LanguageModelChatMessage {
  return new LanguageModelChatMessage(LanguageModelChatMessageRole.User, [new LanguageModelTextPart(text)]);
}

function answer(text: string): LanguageModelChatMessage {
  return LanguageModelChatMessage.Assistant(text);
}
