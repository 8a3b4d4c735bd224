import assert from "node:assert/strict";
import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelPromptTsxPart,
  LanguageModelToolResultPart,
} from "vscode";
import { countedText, toChatMessages } from "../../src/chat/models/messages.ts";

describe("the result of a tool as a tree of prompt-tsx", () => {
  it("is the text of its leaves, in their order", () => {
    const tree = { node: { children: [{ text: "a" }, { children: [{ text: "b" }] }, { text: "c", children: ["x"] }] } };
    assert.equal(textOf(tree), "abc");
  });

  it("is read however deep it is", () => {
    let tree: object = { text: "leaf" };
    for (let depth = 0; depth < 200_000; depth += 1) tree = { children: [tree] };
    assert.equal(textOf(tree), "leaf");
  });

  it("is read once where it leads back to itself", () => {
    const tree: { children: unknown[] } = { children: [{ text: "a" }] };
    tree.children.push(tree, { text: "b" });
    assert.equal(textOf(tree), "ab");
  });

  it("is nothing where it is no tree", () => {
    for (const value of [undefined, null, "text", 7, [], { text: 7 }]) assert.equal(textOf(value), "");
  });
});

/** What the model is sent of a tree, which is also what is counted. */
function textOf(tree: unknown): string {
  const content = [new LanguageModelToolResultPart("call_1", [new LanguageModelPromptTsxPart(tree)])];
  const message: LanguageModelChatRequestMessage = {
    role: LanguageModelChatMessageRole.User,
    name: undefined,
    content,
  };
  const [result, ...others] = toChatMessages([message]);
  assert.ok(result);
  assert.deepEqual(others, []);
  assert.equal(countedText(message).trim(), result.content);
  return result.content;
}
