import { asText, type JsonObject } from "../../text/json.ts";
import type { ChatImage, ChatMessage, ChatRequest, TextApi, Tool, ToolCall } from "../types.ts";
import { DataUrl } from "./bodyText.ts";

/**
 * The body of a chat completion request without what is in `dropped`. Dropping `tools` turns earlier tool calls into text.
 * Dropping `messages` sends the conversation as one `user` message, the only role in the interface.
 */
export function chatBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, reasoningEffort } = request;
  return {
    model,
    messages: dropped.has("messages")
      ? [{ role: "user", content: transcript(request.messages) }]
      : wireMessages(remaining(request, dropped)),
    ...toolFields(request, dropped, (tool) => ({ type: "function", function: tool })),
    ...(reasoningEffort !== undefined && !dropped.has("reasoning_effort") && { reasoning_effort: reasoningEffort }),
    ...(!dropped.has("stream") && { stream: true }),
    ...(!dropped.has("stream") && !dropped.has("stream_options") && { stream_options: { include_usage: true } }),
    ...cacheFields(request, dropped),
  };
}

/**
 * The body of a responses request without what is in `dropped`. `input` is the documented string. Its undocumented list
 * form carries images and earlier turns, each tool call and result once, and is given up as the field `input`. Where tools
 * are offered, the answer is to bring its reasoning, which returns with the results of its tool calls.
 */
export function responsesBody(request: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  const { model, messages, reasoningEffort } = request;
  return {
    model,
    input: needsList(request, dropped) ? remaining(request, dropped).flatMap(inputItems) : transcript(messages),
    ...toolFields(request, dropped, (tool) => ({ type: "function", ...tool })),
    ...(reasoningEffort !== undefined &&
      !dropped.has("reasoning_effort") && { reasoning: { effort: reasoningEffort } }),
    ...(!dropped.has("stream") && { stream: true }),
    ...cacheFields(request, dropped),
    ...reasoningFields(request, dropped),
  };
}

/**
 * What a request may have that the gateway's interface does not document, in the order in which it is given up when an entry
 * rejects one. `items` are those of earlier answers; `reasoning_effort` stands for `reasoning`, too.
 */
const optional = [
  ...["items", "images", "include", "store", "prompt_cache_key"],
  ...["reasoning_effort", "stream_options", "tool_choice", "tools", "stream"],
];

/** What of this a body has. Last comes the form of the conversation, `input` or `messages`, if it is not the documented one. */
export function fieldsOf(api: TextApi, request: ChatRequest, dropped: ReadonlySet<string>): readonly string[] {
  const body = (api === "responses" ? responsesBody : chatBody)(request, dropped);
  const form = api === "responses" ? "input" : "messages";
  const isList = api === "responses" ? Array.isArray(body.input) : !dropped.has("messages");
  const messages = isList ? remaining(request, dropped) : [];
  const names = new Set(Object.keys(body).map((name) => (name === "reasoning" ? "reasoning_effort" : name)));
  if (messages.some((message) => imagesOf(message).length > 0)) names.add("images");
  if (api === "responses" && messages.some((message) => itemsOf(message).length > 0)) names.add("items");
  const usesForm = isList && (api === "responses" || messages.some(({ role }) => role !== "user"));
  return [...optional.filter((field) => names.has(field)), ...(usesForm ? [form] : [])];
}

/** The messages without what is dropped of them. */
function remaining({ messages }: ChatRequest, dropped: ReadonlySet<string>): readonly ChatMessage[] {
  const seen = dropped.has("images") ? messages.map(withoutImages) : messages;
  const own = dropped.has("items") ? seen.map(withoutItems) : seen;
  return dropped.has("tools") ? plainMessages(own) : own;
}

/** A message with a note in place of each image. */
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

/** Requests with the same key find the same cache (https://platform.openai.com/docs/guides/prompt-caching). */
function cacheFields({ conversation }: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  return conversation === undefined || dropped.has("prompt_cache_key") ? {} : { prompt_cache_key: conversation };
}

/** Asks for the reasoning in a form that only its maker reads, because nothing is stored there. */
function reasoningFields({ tools = [] }: ChatRequest, dropped: ReadonlySet<string>): JsonObject {
  if (tools.length === 0 || dropped.has("tools")) return {};
  return {
    ...(!dropped.has("store") && { store: false }),
    ...(!dropped.has("include") && { include: ["reasoning.encrypted_content"] }),
  };
}

function toolFields(
  { tools = [], toolChoice }: ChatRequest,
  dropped: ReadonlySet<string>,
  wireTool: (tool: JsonObject) => JsonObject,
): JsonObject {
  if (tools.length === 0 || dropped.has("tools")) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }: Tool) =>
      // A tool without a schema takes no arguments.
      wireTool({ name, description, parameters: inputSchema ?? { type: "object", properties: {} } }),
    ),
    ...(toolChoice === "required" && !dropped.has("tool_choice") && { tool_choice: "required" }),
  };
}

/** A tool's message is a text, so the images of results follow the last one in a row, as the user's. */
function wireMessages(messages: readonly ChatMessage[]): readonly JsonObject[] {
  let waiting: JsonObject[] = [];
  return messages.flatMap((message, index): readonly JsonObject[] => {
    const { role, content } = message;
    if (role !== "tool") {
      const calls = callsOf(message).map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      }));
      const images = imagesOf(message).map(imageUrl);
      const parts = content === "" ? images : [{ type: "text", text: content }, ...images];
      return [{ role, content: images.length > 0 ? parts : content, ...(calls.length > 0 && { tool_calls: calls }) }];
    }
    const result = { role, tool_call_id: message.toolCallId, content };
    const images = imagesOf(message).map(imageUrl);
    if (images.length > 0) waiting.push({ type: "text", text: `From the tool call ${message.toolCallId}:` }, ...images);
    if (waiting.length === 0 || messages[index + 1]?.role === "tool") return [result];
    const following = { role: "user", content: waiting };
    waiting = [];
    return [result, following];
  });
}

function imageUrl(image: ChatImage): JsonObject {
  return { type: "image_url", image_url: { url: new DataUrl(image) } };
}

/** Whether the string cannot carry the messages, or would let a conversation begin in another way than its later requests. */
function needsList({ conversation, messages }: ChatRequest, dropped: ReadonlySet<string>): boolean {
  const hasCalls = messages.some((message) => message.role === "tool" || callsOf(message).length > 0);
  if (dropped.has("input") || (hasCalls && dropped.has("tools"))) return false;
  const hasImages = !dropped.has("images") && messages.some((message) => imagesOf(message).length > 0);
  const isFirst = conversation !== undefined && messages.length > 1;
  return isFirst || hasImages || messages.some(({ role }) => role === "assistant" || role === "tool");
}

function inputItems(message: ChatMessage): readonly JsonObject[] {
  const { role, content } = message;
  const images = imagesOf(message).map((image) => ({ type: "input_image", image_url: new DataUrl(image) }));
  const text = content === "" ? [] : [{ type: "input_text", text: content }];
  const parts = images.length === 0 ? content : [...text, ...images];
  if (role === "tool") return [{ type: "function_call_output", call_id: message.toolCallId, output: parts }];
  const calls = callsOf(message);
  const items = itemsOf(message);
  const ids = items.flatMap(({ call_id }) => asText(call_id) ?? []);
  const isWhole = ids.length === calls.length && calls.every(({ id }) => ids.includes(id));
  if (items.length > 0 && isWhole) return items;
  return [
    ...items.filter(({ type }) => type === "reasoning"),
    ...(parts === "" ? [] : [{ role, content: parts }]),
    ...calls.map(({ id, name, input }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
}

/** Turns tool calls and results of a conversation into text. */
export function plainMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message) => {
    const content = plainContent(message);
    if (message.role === "system" || message.role === "assistant") return { role: message.role, content };
    const images = imagesOf(message);
    return { role: "user", content, ...(images.length > 0 && { images }) };
  });
}

/** A conversation as one text, for requests that take only text. A single question is unchanged. */
export function transcript(messages: readonly ChatMessage[]): string {
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
  const told = callsOf(message).map(({ id, name, input }) => `Tool call ${id}: ${name}(${JSON.stringify(input)})`);
  return [message.content, ...told].filter((text) => text !== "").join("\n");
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
