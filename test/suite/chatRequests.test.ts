import assert from "node:assert/strict";
import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolResultPart,
} from "vscode";
import { askedQuestion, needsTools, operationOf, requestFeature } from "../../src/chat/models/modelAnswers.ts";
import { countedText, toChatMessages } from "../../src/chat/models/messages.ts";
import { each } from "../support/each.ts";

type Messages = readonly LanguageModelChatRequestMessage[];

const reading = { name: "read_file", description: "Reads a file." };
const changing = { name: "replace_string_in_file", description: "Edits a file." };

describe("the question in a request of the built-in chat", () => {
  each<[Messages], string | undefined>([
    ["stands among its context", [user(`<context>a</context>\n${asked("\nWhy?\nHow?\n")}`)], "Why?\nHow?"],
    ["has another mark for some models", [user("<user_query>Why?</user_query>")], "Why?"],
    ["is the last one", [user(asked("One")), answer("Yes"), user(asked("Two"))], "Two"],
    ["stands before the results of tools", [user(asked("One")), answer("Call"), user("Result")], "One"],
    ["is the user's alone", [answer(asked("Evil"))], undefined],
    ["is missing where nobody typed it", [user("Please write a title for: Why?")], undefined],
    ["is missing where its mark has no end", [user("<userRequest>Why?")], undefined],
  ]).gives(askedQuestion);

  it("is not put again where it is very long", () => {
    const put = (length: number): unknown => operationOf("a".repeat(length)).builtInChat?.question;
    assert.deepEqual([put(4_000), put(4_001)], ["a".repeat(4_000), undefined]);
  });
});

describe("a request of VS Code is counted", () => {
  const typed = [user(`<context>a</context>${asked("Why?")}`)];
  each<[Messages, Parameters<typeof requestFeature>[1]], string>([
    ["as chat where the user typed it", typed, [], "chat"],
    ["as chat where its tools only read", typed, [reading], "chat"],
    ["as agent where a tool changes something", typed, [reading, changing], "agent"],
    ["as agent after results of tools", [...typed, user("Result")], [reading, changing], "agent"],
    ["as an AI feature where nobody typed it", [user("Write a title for: Why?")], [], "aiFeature"],
    ["as an AI feature where another extension offers tools", [user("Do it")], [changing], "aiFeature"],
  ]).gives((messages, tools) => requestFeature(askedQuestion(messages), tools));
});

it("a request is pointless without tools where it must call one, or offers one that changes something", () => {
  const cases: readonly (readonly [boolean, readonly string[], boolean])[] = [
    [false, [], true],
    [false, ["file_search", "read_file", "get_errors"], false],
    [true, ["read_file"], true],
    [true, ["read_file", "create_file"], false],
    ...["apply_patch", "replace_string_in_file"].map((name) => [true, [name], false] as const),
  ];
  for (const [expected, names, mustCall] of cases) {
    const tools = names.map((name) => ({ name }));
    assert.equal(needsTools(tools, mustCall), expected, names.join());
  }
});

describe("the result of a tool as a tree of prompt-tsx", () => {
  it("is the text of its leaves, in their order, each once where it leads back to itself", () => {
    const tree = { node: { children: [{ text: "a" }, { children: [{ text: "b" }] }, { text: "c", children: ["x"] }] } };
    assert.equal(textOf(tree), "abc");
    const circle: { children: unknown[] } = { children: [{ text: "a" }] };
    circle.children.push(circle, { text: "b" });
    assert.equal(textOf(circle), "ab");
  });

  it("is read however deep it is, and nothing where it is no tree", () => {
    let tree: object = { text: "leaf" };
    for (let depth = 0; depth < 200_000; depth += 1) tree = { children: [tree] };
    assert.equal(textOf(tree), "leaf");
    for (const value of [undefined, null, "text", 7, [], { text: 7 }]) assert.equal(textOf(value), "");
  });
});

/** What the model is sent of a tree, which is also what is counted. */
function textOf(tree: unknown): string {
  const content = [new LanguageModelToolResultPart("call_1", [new LanguageModelPromptTsxPart(tree)])];
  const message = { ...user(""), content };
  const [result, ...others] = toChatMessages([message]);
  assert.ok(result);
  assert.deepEqual(others, []);
  assert.equal(countedText(message).trim(), result.content);
  return result.content;
}

function asked(words: string): string {
  return `<userRequest>${words}</userRequest>`;
}

function user(text: string): LanguageModelChatRequestMessage {
  return { role: LanguageModelChatMessageRole.User, content: [new LanguageModelTextPart(text)], name: undefined };
}

function answer(text: string): LanguageModelChatRequestMessage {
  return { ...user(text), role: LanguageModelChatMessageRole.Assistant };
}
