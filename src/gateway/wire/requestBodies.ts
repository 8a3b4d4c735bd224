import { createHash } from "node:crypto";
import { asText, type JsonObject } from "../../base/json.ts";
import type { ChatImage, ChatMessage, ChatRequest, TextApi, Tool, ToolCall } from "../types.ts";
import { contentText } from "./answerReader.ts";
import { DataUrl } from "./bodyText.ts";

/**
 * The body of a chat completion request without the fields in `dropped`. Dropping `tools` turns earlier tool calls into
 * text. Dropping `messages` sends the conversation as one `user` message, the only role in the interface.
 */
export function chatBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, messages } = request;
  return {
    model,
    messages: dropped.has("messages")
      ? [{ role: "user", content: transcript(messages) }]
      : wireMessages(remaining(request, dropped.union(new Set(["items"])))),
    ...optionalFields("chatCompletions", request, dropped),
  };
}

/**
 * The body of a request to the Responses API without the fields in `dropped`. `input` is the documented string. Its
 * undocumented list form carries images and earlier turns, and is dropped as the field `input`.
 */
export function responsesBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, messages } = request;
  const { [effort]: value, ...fields } = optionalFields("responses", request, dropped);
  return {
    model,
    input: needsList(request, dropped) ? remaining(request, dropped).flatMap(inputItems) : transcript(messages),
    ...fields,
    ...(value !== undefined && { reasoning: { effort: value } }),
  };
}

/** The field with the reasoning effort, `reasoning.effort` in the Responses API. */
const effort = "reasoning_effort";

/**
 * The fields that the gateway's interface does not document, in the order in which they are dropped. Those that later requests
 * may omit, too, are in `TextPlan` (`guessable`).
 */
const optional = ["include", "store", "prompt_cache_key", effort, "stream_options", "tool_choice", "tools", "stream"];

function optionalFields(api: TextApi, request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { conversation, reasoningEffort, toolChoice } = request;
  const isChat = api === "chatCompletions";
  const tools = dropped.has("tools") ? [] : (request.tools ?? []);
  const hasTools = tools.length > 0;
  const fields = {
    tools: hasTools ? tools.map((tool) => wireTool(tool, isChat, dropped)) : undefined,
    tool_choice: hasTools && toolChoice === "required" ? toolChoice : undefined,
    [effort]: reasoningEffort,
    stream: true,
    stream_options: isChat && !dropped.has("stream") ? { include_usage: true } : undefined,
    // Requests with the same key find the same cache (https://platform.openai.com/docs/guides/prompt-caching).
    prompt_cache_key: conversation,
    // Encrypted reasoning can be sent back with the results of tool calls, without storing anything on the server.
    store: hasTools && !isChat ? false : undefined,
    include: hasTools && !isChat ? ["reasoning.encrypted_content"] : undefined,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && !dropped.has(name)),
  );
}

/**
 * A tool without a schema takes no arguments. Services refuse schemas without a type or properties. The Responses API would
 * require optional arguments, too, unless `strict` is false (https://developers.openai.com/api/docs/guides/function-calling).
 */
function wireTool({ name, description, inputSchema }: Tool, isChat: boolean, dropped: ReadonlySet<string>): JsonObject {
  const tool = { name, description, parameters: { type: "object", properties: {}, ...inputSchema } };
  if (isChat) return { type: "function", function: tool };
  return { type: "function", ...tool, ...(!dropped.has("strict") && { strict: false }) };
}

/**
 * The undocumented parts of a body, in the order in which they are dropped: the items of earlier answers, images, fields,
 * and last the form of the conversation, `input` or `messages`.
 */
export function fieldsOf(api: TextApi, request: ChatRequest, dropped: ReadonlySet<string>): readonly string[] {
  const isChat = api === "chatCompletions";
  const isList = isChat ? !dropped.has("messages") : needsList(request, dropped);
  const messages = isList ? remaining(request, dropped) : [];
  const fields = optionalFields(api, request, dropped);
  const usesForm = isChat ? messages.some(({ role }) => role !== "user") : isList;
  return [
    ...(!isChat && messages.some((message) => itemsOf(message).length > 0) ? ["items"] : []),
    ...(messages.some((message) => imagesOf(message).length > 0) ? ["images"] : []),
    ...optional.filter((field) => field in fields),
    ...(usesForm ? [isChat ? "messages" : "input"] : []),
  ];
}

/** The messages without dropped parts. */
function remaining({ messages }: ChatRequest, dropped: ReadonlySet<string>): readonly ChatMessage[] {
  const afterImages = dropped.has("images") ? messages.map(withoutImages) : messages;
  const afterItems = dropped.has("items") ? afterImages.map(withoutItems) : afterImages;
  return dropped.has("tools") ? plainMessages(afterItems) : pairedMessages(afterItems);
}

/**
 * The messages with the results of calls right after them, and with a unique id for each call, as services require. A call
 * without a result gets one, and a result without a call becomes text.
 */
function pairedMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const used = new Set<string>();
  // The calls without a result by their id, which some gateways use again in every answer. The last answer counts.
  const open = new Map<string, { readonly call: ToolCall; readonly results: Map<ToolCall, ChatMessage> }[]>();
  const groups = messages.map((message) => {
    const results = new Map<ToolCall, ChatMessage>();
    if (message.role === "tool") {
      const found = open.get(message.toolCallId)?.shift();
      found?.results.set(found.call, { ...message, toolCallId: found.call.id });
      return { own: found ? [] : plainMessages([message]), calls: [], results };
    }
    if (message.role !== "assistant") return { own: [message], calls: [], results };
    const given = callsOf(message);
    for (const { id } of given) open.set(id, []);
    const calls = given.map((call) => {
      // The items name the ids of their calls.
      const own = message.items ? call : { ...call, id: ownId(call.id, used) };
      used.add(own.id);
      open.get(call.id)?.push({ call: own, results });
      return own;
    });
    return { own: [{ ...message, toolCalls: calls }], calls, results };
  });
  return groups.flatMap(({ own, calls, results }): readonly ChatMessage[] => {
    const missing = calls.filter((call) => !results.has(call));
    return [
      ...own,
      ...results.values(),
      ...missing.map(({ id }) => ({ role: "tool", toolCallId: id, content: noResult }) as const),
    ];
  });
}

/** The id of a call, or a new one if it is empty or in use: services refuse these, or take one result for both calls. */
function ownId(id: string, used: ReadonlySet<string>): string {
  let own = id;
  for (let n = used.size; own === "" || used.has(own); n += 1) own = `${id}_${String(n)}`;
  return own;
}

/** The result of a call that has none, because it was canceled, for example. */
const noResult = "[No result.]";

/** The message with a note in place of each image. */
function withoutImages(message: ChatMessage): ChatMessage {
  if (message.role !== "user" && message.role !== "tool") return message;
  const notes = imagesOf(message).map(() => "[An image, which this model cannot see.]");
  const content = [message.content, ...notes].filter((text) => text !== "").join("\n");
  return { ...message, content, images: [] };
}

/** A message without the items of the answer. */
export function withoutItems(message: ChatMessage): ChatMessage {
  return message.role === "assistant" ? { ...message, items: undefined } : message;
}

/**
 * In Chat Completions, tool messages are texts, so the images of consecutive results follow in a message of the user. In the
 * Responses API, results carry their images: see `inputItems`.
 */
function wireMessages(messages: readonly ChatMessage[]): readonly JsonObject[] {
  let resultImages: JsonObject[] = [];
  return messages.flatMap((message, index): readonly JsonObject[] => {
    const { role, content } = message;
    if (role !== "tool") {
      const calls = callsOf(message).map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      }));
      if (content === "" && calls.length === 0 && imagesOf(message).length === 0) return [];
      return [{ role, content: contentOf(message, true), ...(calls.length > 0 && { tool_calls: calls }) }];
    }
    const result = { role, tool_call_id: message.toolCallId, content };
    const images = imagesOf(message).map((image) => imagePart(image, true));
    if (images.length > 0)
      resultImages.push({ type: "text", text: `From the tool call ${message.toolCallId}:` }, ...images);
    if (resultImages.length === 0 || messages[index + 1]?.role === "tool") return [result];
    const following = { role: "user", content: resultImages };
    resultImages = [];
    return [result, following];
  });
}

/** The text of a message, or its parts if it has images. */
function contentOf(message: ChatMessage, isChat: boolean): string | readonly JsonObject[] {
  const { content } = message;
  const images = imagesOf(message).map((image) => imagePart(image, isChat));
  if (images.length === 0) return content;
  return content === "" ? images : [{ type: isChat ? "text" : "input_text", text: content }, ...images];
}

function imagePart(image: ChatImage, isChat: boolean): JsonObject {
  const url = new DataUrl(image);
  return isChat ? { type: "image_url", image_url: { url } } : { type: "input_image", image_url: url };
}

/**
 * Whether `input` must be a list: a string cannot carry the messages, or would begin differently from those of later requests,
 * which would then miss the cache.
 */
function needsList({ conversation, messages }: ChatRequest, dropped: ReadonlySet<string>): boolean {
  const hasCalls = messages.some((message) => message.role === "tool" || callsOf(message).length > 0);
  if (dropped.has("input") || (hasCalls && dropped.has("tools"))) return false;
  const hasImages = !dropped.has("images") && messages.some((message) => imagesOf(message).length > 0);
  const isFirst = conversation !== undefined && messages.length > 1;
  return isFirst || hasImages || messages.some(({ role }) => role === "assistant" || role === "tool");
}

function inputItems(message: ChatMessage): readonly JsonObject[] {
  const { role } = message;
  const content = contentOf(message, false);
  if (role === "tool") return [{ type: "function_call_output", call_id: message.toolCallId, output: content }];
  const calls = callsOf(message);
  const items = itemsOf(message);
  // Some gateways send the text or the arguments only in pieces, and not in the items.
  const ids = items.flatMap((item) => (asText(item.arguments) === undefined ? [] : (asText(item.call_id) ?? [])));
  const coversAllCalls = ids.length === calls.length && calls.every(({ id }) => ids.includes(id));
  const coversText = content === "" || items.some(({ type, content: said }) => type === "message" && contentText(said));
  if (items.length > 0 && coversAllCalls && coversText) return items;
  return [
    ...items.filter(({ type }) => type === "reasoning"),
    ...(content === "" ? [] : [{ role, content }]),
    ...calls.map(({ id, name, input }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
}

/** Turns tool calls and results of a conversation into text. */
function plainMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => {
    const content = plainContent(message);
    if (message.role === "system" || message.role === "assistant") return { role: message.role, content };
    const images = imagesOf(message);
    return { role: "user", content, ...(images.length > 0 && { images }) };
  });
}

/** A conversation as one text, for requests that take only text. A single question is unchanged. */
function transcript(messages: readonly ChatMessage[]): string {
  const texts = messages.map(withoutImages);
  const [first, ...others] = texts;
  if (first?.role === "user" && others.length === 0) return first.content;
  return texts.map((message) => `${speaker[message.role]}:\n${plainContent(message)}`).join("\n\n");
}

const speaker: Record<ChatMessage["role"], string> = {
  system: "Instructions",
  user: "User",
  assistant: "Assistant",
  tool: "Tool",
};

function plainContent(message: ChatMessage): string {
  if (message.role === "tool") return `Result of the tool call ${message.toolCallId}:\n${message.content}`;
  const calls = callsOf(message).map(({ id, name, input }) => `Tool call ${id}: ${name}(${JSON.stringify(input)})`);
  return [message.content, ...calls].filter((text) => text !== "").join("\n");
}

function callsOf(message: ChatMessage): readonly ToolCall[] {
  return message.role === "assistant" ? (message.toolCalls ?? []) : [];
}

function imagesOf(message: ChatMessage): readonly ChatImage[] {
  return message.role === "user" || message.role === "tool" ? (message.images ?? []) : [];
}

function itemsOf(message: ChatMessage): readonly JsonObject[] {
  return message.role === "assistant" ? (message.items?.items ?? []) : [];
}

/** The request with its conversation as a salted hash: the `prompt_cache_key`, which takes up to 64 characters. */
export function withHashedConversation(request: ChatRequest, salt = ""): ChatRequest {
  const { conversation } = request;
  if (conversation === undefined) return request;
  return { ...request, conversation: createHash("sha256").update(`${salt}\n${conversation}`).digest("base64url") };
}
