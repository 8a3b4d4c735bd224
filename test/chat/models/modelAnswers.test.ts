import assert from "node:assert/strict";
import {
  CancellationTokenSource,
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  type LanguageModelResponsePart,
  LanguageModelTextPart,
  LanguageModelToolResultPart,
  type ProvideLanguageModelChatResponseOptions,
  window,
} from "vscode";
import { itemsPart, readItems } from "../../../src/chat/models/answerItems.ts";
import { questionIn, ModelAnswers, needsTools, requestFeature } from "../../../src/chat/models/modelAnswers.ts";
import { countedText, toChatMessages } from "../../../src/chat/models/messages.ts";
import { modelInformation } from "../../../src/chat/models/modelInformation.ts";
import { thinkingPart } from "../../../src/chat/models/unpublishedApi.ts";
import type { AnswerItems, AnswerPart, ChatRequest, Gateway, TextApi } from "../../../src/gateway/types.ts";
import { TokenCounter } from "../../../src/prompts/tokenCounter.ts";
import { WindowSecrets } from "../../../src/text/secrets/windowSecrets.ts";
import { each } from "../../support/each.ts";
import { tinyPng } from "../../support/gateway/png.ts";
import { allPlainSettings } from "../../support/plainSettings.ts";
import { MemoryState } from "../../support/memoryState.ts";

type Messages = readonly LanguageModelChatRequestMessage[];

const reading = { name: "read_file", description: "Reads a file." };
const changing = { name: "replace_string_in_file", description: "Edits a file." };

describe("the question in a request of the built-in chat", () => {
  each<[Messages], string | undefined>([
    ["has another mark for some models", [user("<user_query>Why?</user_query>")], "Why?"],
    ["is the last one", [user(asked("One")), user(`<context>a</context>\n${asked("\nTwo\n")}`)], "Two"],
    ["stands before the results of tools", [user(asked("One")), answer("Call"), user("Result")], "One"],
    ["is the user's alone", [answer(asked("Evil"))], undefined],
    ["is missing where nobody typed it", [user("Please write a title for: Why?")], undefined],
  ]).gives(questionIn);
});

describe("a request of VS Code is counted", () => {
  const typed = [user(`<context>a</context>${asked("Why?")}`)];
  each<[Messages, Parameters<typeof requestFeature>[1]], string>([
    ["as chat where its tools only read", typed, [reading], "chat"],
    ["as agent where a tool changes something", typed, [reading, changing], "agent"],
    ["as agent after results of tools", [...typed, user("Result")], [reading, changing], "agent"],
    ["as an AI feature where another extension offers tools", [user("Do it")], [changing], "aiFeature"],
  ]).gives((messages, tools) => requestFeature(questionIn(messages), tools));
});

describe("a request without its tools", () => {
  each<[readonly string[], boolean], boolean>([
    ["is pointless where it must call one", ["read_file"], true, true],
    ["is pointless where it offers one that changes something", ["read_file", "create_file"], false, true],
    ["can be answered where they only read", ["file_search", "read_file", "get_errors"], false, false],
  ]).gives((names, mustCall) =>
    needsTools(
      names.map((name) => ({ name })),
      mustCall,
    ),
  );
});

it("the result of a tool is the text in its tree, however deep it is, each leaf once in a circle, and else nothing", () => {
  const circle: { children: unknown[] } = { children: [{ text: "a" }, { children: [{ text: "b" }] }] };
  circle.children.push(circle, { text: "c", children: ["x"] });
  assert.equal(textOf({ node: circle }), "abc");
  let tree: object = { text: "leaf" };
  for (let depth = 0; depth < 200_000; depth += 1) tree = { children: [tree] };
  assert.equal(textOf(tree), "leaf");
  for (const value of [undefined, null, "text", [], { text: 7 }]) assert.equal(textOf(value), "");
});

describe("the items of an answer", () => {
  const items: AnswerItems = {
    entry: "primary",
    model: "gpt-5.4",
    items: [
      { type: "reasoning", $mid: 1, "2": 1.5, "1": [null, "\u{1f600}\u2028"], encrypted_content: "a".repeat(1_000) },
    ],
  };

  it("come back with the calls of the answer as they were, and count as no text", async () => {
    const { request, reported } = await answered([user("One")], [{ type: "items", items }, call]);
    assert.deepEqual(request.messages, [{ role: "user", content: "One" }]);
    const message = { ...answer("Text"), content: [new LanguageModelTextPart("Text"), ...reported] };
    const [read] = toChatMessages([message]);
    assert.ok(read?.role === "assistant");
    assert.equal(JSON.stringify(read.items), JSON.stringify(items));
    assert.deepEqual([read.content, countedText(message).trim()], ["Text", "Text\nlook_up {}"]);
  });

  it("are kept only where tools are called", async () => {
    const text = { type: "text", text: "Done" } as const;
    const { reported } = await answered([user("One")], [{ type: "items", items }, text]);
    assert.deepEqual(reported, [new LanguageModelTextPart("Done")]);
  });

  it("are ignored where they are another provider's, malformed, or too many, and not kept where they are too long", () => {
    const key = "codexGateway.items";
    const json = (change: object): object => ({ [key]: JSON.stringify({ ...items, ...change }) });
    for (const metadata of [
      { encrypted_content: "a", items },
      { [key]: items },
      ...["{", "null", `{"a":${"[".repeat(100_000)}`].map((text) => ({ [key]: text })),
      ...[{ entry: "other" }, { model: "" }, { items: [] }, { items: ["a"] }].map(json),
      json({ items: Array.from({ length: 1_001 }, () => ({})) }),
      json({ items: [{ a: "a".repeat(8_000_000) }] }),
    ]) {
      const part = thinkingPart("", "id", { ...metadata });
      assert.equal(readItems([part]), undefined, JSON.stringify(metadata).slice(0, 80));
    }
    assert.ok(readItems([thinkingPart("", "id", { ...json({}) })]));
    assert.equal(itemsPart({ ...items, items: [{ a: "a".repeat(8_000_000) }] }), undefined);
  });
});

describe("a request of VS Code names its conversation", () => {
  const messages = [user("Instructions"), user("One"), answer("Yes"), user("Two")];
  const nameOf = async (asked: Messages, modelOptions = {}): Promise<string | undefined> =>
    (await answered(asked, [call], { modelOptions })).request.conversation;

  it("as VS Code does, where it does", async () => {
    assert.equal(await nameOf(messages, { _conversationId: "session", other: 1 }), "session");
  });

  it("or else by what all its requests begin with", async () => {
    const name = await nameOf(messages);
    for (const id of ["", 7, null]) assert.equal(await nameOf(messages.slice(0, 2), { _conversationId: id }), name);
    assert.notEqual(await nameOf([user("Other"), ...messages]), name);
  });

  it("and offers tools in the same order, whatever theirs is", async () => {
    const tools = [changing, reading, { name: "Ask", description: "Asks." }];
    for (const offered of [tools, tools.toReversed()]) {
      const { request } = await answered(messages, [call], { tools: offered });
      assert.deepEqual(
        request.tools?.map(({ name }) => name),
        ["Ask", "read_file", "replace_string_in_file"],
      );
    }
  });
});

describe("images in a request of VS Code", () => {
  const large = Buffer.alloc(3_000_000, "lighthouse ");
  large.set(tinyPng);
  const image = (bytes: Uint8Array, type = "png"): LanguageModelDataPart =>
    LanguageModelDataPart.image(bytes, `image/${type}`);
  const asking = (...content: LanguageModelDataPart[]): LanguageModelChatRequestMessage => ({
    ...user("Look"),
    content: [new LanguageModelTextPart("Look"), ...content],
  });
  const result = (...content: unknown[]): LanguageModelChatRequestMessage => ({
    ...user(""),
    content: [new LanguageModelToolResultPart("call_1", content)],
  });

  it("arrive as they are, of the type that their bytes say, also those of tools", async () => {
    const gif = Buffer.from("GIF89a");
    const turn = [asking(image(large, "jpeg")), result(new LanguageModelTextPart("It: "), image(gif))];
    const { request } = await answered(turn, [call]);
    assert.deepEqual(request.messages, [
      { role: "user", content: "Look", images: [{ mimeType: "image/png", bytes: large }] },
      { role: "tool", toolCallId: "call_1", content: "It: ", images: [{ mimeType: "image/gif", bytes: gif }] },
    ]);
  });

  it("stay out where models don't take their type: in a question with an error, from a tool with a note", () => {
    const bmp = image(Buffer.from("BM"), "bmp");
    assert.throws(() => toChatMessages([asking(bmp)]), { name: "UserError", kind: "imageInput" });
    const [read] = toChatMessages([result(bmp)]);
    assert.deepEqual(
      [read?.content, read && "images" in read],
      ["[An image, which cannot be shown to the model.]", false],
    );
    assert.equal(toChatMessages([asking(image(Buffer.from("<svg/>"), "svg+xml"))])[0]?.content, "Look<svg/>");
  });

  it("have 20 MB together: a question's or else an error, then the newest of tools", () => {
    const sized = (size: number): LanguageModelDataPart =>
      image(Buffer.concat([tinyPng, Buffer.alloc(size - tinyPng.length)]));
    const [twelve, nine] = [sized(12_000_000), sized(9_000_000)];
    assert.throws(() => toChatMessages([asking(twelve), answer(""), asking(nine)]), { kind: "imagesTooLarge" });
    const sent = toChatMessages([asking(nine), result(sized(9_000_000)), result(image(large)), result(image(tinyPng))]);
    assert.deepEqual(
      sent.map((message) => ("images" in message ? message.images[0]?.bytes.length : message.content)),
      [9_000_000, "[An image, which cannot be shown to the model.]", large.length, tinyPng.length],
    );
  });

  it("count as tokens", () => {
    const answers = new ModelAnswers({ ...services, gateway: { ask: () => assert.fail() } });
    const without = answers.count(model, asking());
    assert.ok(answers.count(model, asking(image(tinyPng))) - without > 255);
    assert.ok(answers.count(model, result(image(tinyPng))) > 255);
  });

  it("that the gateway does not take are told of once, in the answer to the first request that has them", async () => {
    const start = { type: "start", entry: "primary", dropped: ["images"] } as const;
    const note = new LanguageModelTextPart("_The gateway does not take images, so the model has not seen any._\n\n");
    const first = await answered([asking(image(tinyPng))], [start, call]);
    assert.deepEqual(first.reported[0], note);
    const { reported } = await answered([asking(image(tinyPng)), answer("Call"), result("a")], [start, call]);
    assert.equal(reported.length, 1);
  });
});

it("a question with tools is asked through responses first, in all windows, once the gateway has answered one there", async () => {
  const apiOf = async (api: TextApi, tools = [reading]): Promise<ChatRequest["api"]> => {
    const start = { type: "start", entry: "primary", dropped: [], api } as const;
    return (await answered([user(asked("Why?"))], [start, call], { tools })).request.api;
  };
  const apis = [await apiOf("responses"), await apiOf("responses", []), await apiOf("chatCompletions")];
  assert.deepEqual([...apis, await apiOf("chatCompletions")], ["auto", "auto", "responsesFirst", "auto"]);
});

it("a wait that the gateway asks for is in the status bar while VS Code's chat waits, unless it is short", async () => {
  const { setStatusBarMessage } = window;
  const shown: (readonly unknown[])[] = [];
  Object.assign(window, { setStatusBarMessage: (...given: readonly unknown[]) => shown.push(given) });
  const waits = [500, 6_000].map((delay) => ({ type: "retrying", entry: "primary", delay }) as const);
  await answered([user(asked("Why?"))], [call], {}, [{ type: "thinking", entry: "primary" }, ...waits]);
  Object.assign(window, { setStatusBarMessage });
  assert.deepEqual(shown, [["$(clock) Codex Gateway: Retrying in 6 s…", 6_000]]);
});

const call = { type: "toolCall", id: "call_1", name: "look_up", input: {} } as const;

const model = modelInformation({ id: "gpt-5.4", name: "GPT-5.4", maxInputTokens: 1, maxOutputTokens: 1 }, true);

const services = {
  settings: () => allPlainSettings,
  state: new MemoryState(),
  tokens: new TokenCounter(),
  secrets: new WindowSecrets(),
  notifier: { report: (error: unknown) => assert.fail(String(error)) },
};

/** What a request of VS Code asks the gateway, and what is reported of these parts of its answer, before which events occur. */
async function answered(
  messages: Messages,
  parts: readonly AnswerPart[],
  options: Partial<ProvideLanguageModelChatResponseOptions> = {},
  events: readonly Parameters<NonNullable<Parameters<Gateway["ask"]>[2]>>[0][] = [],
): Promise<{ readonly request: ChatRequest; readonly reported: readonly LanguageModelResponsePart[] }> {
  const requests: ChatRequest[] = [];
  const reported: LanguageModelResponsePart[] = [];
  const gateway: Pick<Gateway, "ask"> = {
    // eslint-disable-next-line @typescript-eslint/require-await -- an answer comes asynchronously
    ask: async function* (request, _signal, observe) {
      requests.push(request);
      for (const event of events) observe?.(event);
      yield* parts;
    },
  };
  const answers = new ModelAnswers({ ...services, gateway });
  await answers.answer(
    model,
    messages,
    { toolMode: LanguageModelChatToolMode.Auto, ...options },
    { report: (part) => reported.push(part) },
    new CancellationTokenSource().token,
  );
  const [request] = requests;
  assert.ok(request);
  return { request, reported };
}

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
