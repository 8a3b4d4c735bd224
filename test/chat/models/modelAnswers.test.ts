import assert from "node:assert/strict";
import {
  type CancellationToken,
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
import {
  questionIn,
  ModelAnswers,
  needsTools,
  operationOf,
  requestFeature,
} from "../../../src/chat/models/modelAnswers.ts";
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
const inline = user("<prompt>\nAdd docs\n</prompt>\n");
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
    ["is empty in inline chat, also after tools' results", [user("Code"), inline, answer("Call"), user("Result")], ""],
    ["is missing in the request for inline chat's progress", [user(`${textIn(inline)}Write a message.`)], undefined],
  ]).gives(questionIn);

  it("is not put again where it is very long", () => {
    const put = (length: number): unknown => operationOf("a".repeat(length)).builtInChat?.question;
    assert.deepEqual([put(4_000), put(4_001)], ["a".repeat(4_000), undefined]);
  });

  it("is not put again from inline chat, whose model is chosen in the picker", () => {
    const { builtInChat, isInChat, modelFrom } = operationOf("");
    assert.deepEqual([builtInChat?.question, isInChat, modelFrom], [undefined, true, "picker"]);
  });
});

describe("a request of VS Code is counted", () => {
  const typed = [user(`<context>a</context>${asked("Why?")}`)];
  each<[Messages, Parameters<typeof requestFeature>[1]], string>([
    ["as chat where the user typed it", typed, [], "chat"],
    ["as chat where its tools only read", typed, [reading], "chat"],
    ["as agent where a tool changes something", typed, [reading, changing], "agent"],
    ["as agent in inline chat", [user("Code"), inline], [changing], "agent"],
    ["as agent after results of tools", [...typed, user("Result")], [reading, changing], "agent"],
    ["as an AI feature where nobody typed it", [user("Write a title for: Why?")], [], "aiFeature"],
    ["as an AI feature where another extension offers tools", [user("Do it")], [changing], "aiFeature"],
  ]).gives((messages, tools) => requestFeature(questionIn(messages), tools));
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

  it("has the line breaks of its elements, as where it is rendered", () => {
    const text = (one: string, lineBreakBefore = false): object => ({ type: 2, text: one, lineBreakBefore });
    const element = (...children: readonly object[]): object => ({ type: 1, children, props: {}, references: [] });
    const files = ["src/a.ts", "src/b.ts\n", "src/c.ts"].map((path) => element(element(text(path))));
    assert.equal(textOf({ node: element(element(), ...files) }), "src/a.ts\nsrc/b.ts\nsrc/c.ts");
    const inline = element(text("a "), element(text("b")), text(" c"), text("d", true));
    assert.equal(textOf({ node: inline }), "a b c\nd");
  });

  it("is read however deep it is, and nothing where it is no tree", () => {
    let tree: object = { text: "leaf" };
    for (let depth = 0; depth < 200_000; depth += 1) tree = { children: [tree] };
    assert.equal(textOf(tree), "leaf");
    for (const value of [undefined, null, "text", 7, [], { text: 7 }]) assert.equal(textOf(value), "");
  });
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
    const { reported } = await answered(
      [user("One")],
      [
        { type: "items", items },
        { type: "text", text: "Done" },
      ],
    );
    assert.deepEqual(reported, [new LanguageModelTextPart("Done")]);
    const part = itemsPart(items);
    assert.ok(part);
    assert.deepEqual(toChatMessages([{ ...answer(""), content: [part] }]), [
      { role: "assistant", content: "", toolCalls: [], items: undefined },
    ]);
  });

  it("are ignored where they are another provider's, malformed, or too many, and not kept where they are too long", () => {
    const key = "codexGateway.items";
    const json = (change: object): object => ({ [key]: JSON.stringify({ ...items, ...change }) });
    const foreign: readonly (object | undefined)[] = [
      undefined,
      { encrypted_content: "a", items },
      { [key]: items },
      { [key]: "{" },
      { [key]: "null" },
      ...[{ entry: "other" }, { model: "" }, { model: 7 }, { items: {} }, { items: [] }, { items: ["a"] }].map(json),
      json({ items: Array.from({ length: 1_001 }, () => ({})) }),
      { [key]: `{"a":${"[".repeat(100_000)}` },
      { [key]: JSON.stringify({ ...items, items: [{ a: "a".repeat(8_000_000) }] }) },
    ];
    for (const metadata of foreign) {
      const part = thinkingPart("", "id", metadata === undefined ? undefined : { ...metadata });
      assert.equal(readItems([part]), undefined, JSON.stringify(metadata ?? {}).slice(0, 80));
    }
    assert.ok(readItems([thinkingPart("", "id", { ...json({}) }), new LanguageModelTextPart(JSON.stringify(items))]));
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

  it("which tells what was typed in a chat, also without a mark", async () => {
    const featureIn = async (modelOptions: object): Promise<string | undefined> =>
      (await answered([user("Where is it set?")], [call], { modelOptions })).request.feature;
    assert.deepEqual([await featureIn({ _conversationId: "a" }), await featureIn({})], ["chat", "aiFeature"]);
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
      const names = request.tools?.map(({ name }) => name);
      assert.deepEqual(names, ["Ask", "read_file", "replace_string_in_file"]);
    }
  });
});

it("a file is sent as text, or a note stands in its place, but nothing for what is internal to VS Code", () => {
  const file = (mimeType: string): LanguageModelDataPart => new LanguageModelDataPart(Buffer.from("<a/>"), mimeType);
  const sent = ["application/xml", "application/vnd.api+json", "text/x-json; charset=utf-8", "cache_control"].map(file);
  const content = [new LanguageModelToolResultPart("call_1", [...sent, file("application/pdf")])];
  const [result] = toChatMessages([{ ...user(""), content }]);
  assert.equal(
    result?.content,
    "<a/><a/><a/>[A file of the type application/pdf, which cannot be shown to the model.]",
  );
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
    const turn = [
      asking(image(large, "jpeg"), image(gif)),
      answer("Call"),
      result(new LanguageModelTextPart("It: "), image(gif)),
    ];
    const { request } = await answered(turn, [call]);
    assert.deepEqual(request.messages, [
      {
        role: "user",
        content: "Look",
        images: [
          { mimeType: "image/png", bytes: large },
          { mimeType: "image/gif", bytes: gif },
        ],
      },
      { role: "assistant", content: "Call", toolCalls: [], items: undefined },
      { role: "tool", toolCallId: "call_1", content: "It: ", images: [{ mimeType: "image/gif", bytes: gif }] },
    ]);
  });

  it("stay out where models don't take their type: in a question with an error, from a tool with a note", () => {
    const bmp = image(Buffer.from("BM"), "bmp");
    assert.throws(() => toChatMessages([asking(bmp)]), { name: "UserError", kind: "imageInput" });
    assert.doesNotThrow(() => toChatMessages([{ ...asking(bmp), role: LanguageModelChatMessageRole.Assistant }]));
    const [read] = toChatMessages([result(bmp)]);
    const found = [read?.content, read && "images" in read];
    assert.deepEqual(found, ["[An image, which cannot be shown to the model.]", false]);
    assert.equal(toChatMessages([asking(image(Buffer.from("<svg/>"), "svg+xml"))])[0]?.content, "Look<svg/>");
  });

  it("have 20 MB together: a question's or else an error, then the newest of tools", () => {
    const sized = (size: number): LanguageModelDataPart =>
      image(Buffer.concat([tinyPng, Buffer.alloc(size - tinyPng.length)]));
    const [twelve, nine] = [sized(12_000_000), sized(9_000_000)];
    assert.throws(() => toChatMessages([asking(twelve), answer(""), asking(nine)]), { kind: "imagesTooLarge" });
    const sent = toChatMessages([asking(nine), result(sized(9_000_000)), result(image(large)), result(image(tinyPng))]);
    const found = sent.map((message) => ("images" in message ? message.images[0]?.bytes.length : message.content));
    const note = "[An image, which cannot be shown to the model.]";
    assert.deepEqual(found, [9_000_000, note, large.length, tinyPng.length]);
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

describe("a question with tools", () => {
  it("is asked through responses first, in all windows, once the gateway has answered one there, whatever comes later", async () => {
    const apiOf = async (api: TextApi, tools = [reading]): Promise<ChatRequest["api"]> => {
      const start = { type: "start", entry: "primary", dropped: [], api } as const;
      return (await answered([user(asked("Why?"))], [start, call], { tools })).request.api;
    };
    const apis = [await apiOf("responses"), await apiOf("responses", []), await apiOf("chatCompletions")];
    assert.deepEqual([...apis, await apiOf("chatCompletions")], ["auto", "auto", "responsesFirst", "responsesFirst"]);
  });
});

describe("a wait that the gateway asks for", () => {
  it("is shown in the status bar while VS Code's chat waits, unless it is short, and no longer after Stop", async () => {
    const shown: (readonly unknown[])[] = [];
    let hidden = 0;
    const show = (...given: readonly unknown[]): object => (shown.push(given), { dispose: () => (hidden += 1) });
    Object.assign(window, { setStatusBarMessage: show });
    let stop = (): unknown => undefined;
    const gateway: Pick<Gateway, "ask"> = {
      ask: async function* (_request, _signal, observe) {
        await Promise.resolve();
        observe?.({ type: "thinking", entry: "primary" });
        for (const delay of [500, 6_000]) observe?.({ type: "retrying", entry: "primary", delay });
        assert.equal(hidden, 0);
        stop();
        yield { type: "text", text: "Done." };
      },
    };
    const progress = { report: () => undefined };
    const options = { toolMode: LanguageModelChatToolMode.Auto };
    const onCancellationRequested = (listener: () => unknown): object => ((stop = listener), { dispose: () => 0 });
    const token = { isCancellationRequested: false, onCancellationRequested } as unknown as CancellationToken;
    await new ModelAnswers({ ...services, gateway }).answer(model, [user(asked("Why?"))], options, progress, token);
    assert.deepEqual(shown, [["$(clock) Codex Gateway: Retrying in 6 s…", 6_000]]);
    assert.equal(hidden, 1);
  });
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

/** What a request of VS Code asks the gateway, and what is reported of these parts of its answer. */
async function answered(
  messages: Messages,
  parts: readonly AnswerPart[],
  options: Partial<ProvideLanguageModelChatResponseOptions> = {},
): Promise<{ readonly request: ChatRequest; readonly reported: readonly LanguageModelResponsePart[] }> {
  const requests: ChatRequest[] = [];
  const reported: LanguageModelResponsePart[] = [];
  const gateway: Pick<Gateway, "ask"> = {
    // eslint-disable-next-line @typescript-eslint/require-await -- an answer comes asynchronously
    ask: async function* (request) {
      requests.push(request);
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

function textIn({ content }: LanguageModelChatRequestMessage): string {
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
}

function answer(text: string): LanguageModelChatRequestMessage {
  return { ...user(text), role: LanguageModelChatMessageRole.Assistant };
}
