import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from "vscode";
import type { ChatImage, ChatMessage, ToolCall } from "../../gateway/types.ts";
import { promptImage } from "../../prompts/promptImages.ts";
import { callText } from "../../prompts/tokenCounter.ts";
import { readItems } from "./answerItems.ts";
import { selectImages } from "./selectImages.ts";
import { isSvg, isSystem } from "./unpublishedApi.ts";

/**
 * Converts VS Code's messages, with tool results before the text of their message. Throws as `selectImages` does for images in
 * messages; of the images in tool results, the newest that fit are sent.
 */
export function toChatMessages(messages: readonly LanguageModelChatRequestMessage[]): readonly ChatMessage[] {
  const images = sentImages(messages);
  const imagesOf = (parts: readonly unknown[]): { readonly images?: readonly ChatImage[] } => {
    const sent = parts.flatMap((part) => images.get(part) ?? []);
    return sent.length > 0 ? { images: sent } : {};
  };
  return messages.flatMap(({ role, content }): readonly ChatMessage[] => {
    const text = textOf(content);
    if (role === LanguageModelChatMessageRole.Assistant) {
      const toolCalls = content.flatMap(toToolCall);
      // Only the results of tool calls continue an answer, which needs its items.
      const items = toolCalls.length > 0 ? readItems(content) : undefined;
      return [{ role: "assistant", content: text, toolCalls, items }];
    }
    if (isSystem(role)) return [{ role: "system", content: text }];
    const results = content.filter(isToolResult).map(({ callId, content: parts }) => {
      const texts = parts.map((part) => (isImage(part) && !images.has(part) ? omittedImage : resultText(part)));
      return { role: "tool", toolCallId: callId, content: texts.join(""), ...imagesOf(parts) } as const;
    });
    const own = imagesOf(content);
    const hasOnlyResults = text === "" && own.images === undefined && results.length > 0;
    return hasOnlyResults ? results : [...results, { role: "user", content: text, ...own }];
  });
}

/** Text for the model in place of an image in a tool result that is not sent. */
const omittedImage = "[An image, which cannot be shown to the model.]";

function sentImages(messages: readonly LanguageModelChatRequestMessage[]): ReadonlyMap<unknown, ChatImage> {
  const parts = messages
    .filter(({ role }) => role === LanguageModelChatMessageRole.User)
    .flatMap(({ content }) => content);
  const ofTools = parts.filter(isToolResult).flatMap(({ content }) => content);
  const found = (images: readonly LanguageModelDataPart[], isRequired: boolean): Parameters<typeof selectImages>[0] =>
    images.map((part) => ({ source: part, bytes: part.data, isRequired }));
  return selectImages([...found(parts.filter(isImage), true), ...found(ofTools.filter(isImage).toReversed(), false)]);
}

/** The images of a message that count as tokens. */
export function countedImages({ content }: LanguageModelChatRequestMessage): readonly ChatImage[] {
  const parts = content.flatMap((part) => (isToolResult(part) ? part.content : [part]));
  return parts.filter(isImage).flatMap(({ data }) => promptImage(data) ?? []);
}

/** The text of a message that counts as tokens. */
export function countedText({ content }: LanguageModelChatRequestMessage): string {
  const calls = content.flatMap(toToolCall).map(callText);
  const results = content.map((part) => (isToolResult(part) ? part.content.map(resultText).join("") : ""));
  return [textOf(content), ...calls, ...results].join("\n");
}

function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : dataText(part))).join("");
}

/** MIME types of text. Those without a slash are internal to VS Code, such as `cache_control` (VS Code 1.139). */
const textType = /^text\/|^application\/(?:.*[+-])?(?:json|xml|yaml|javascript)\b|^image\/svg/;

/** Text that arrives as a data part, or a note in place of another file. */
function dataText(part: unknown): string {
  if (isImage(part) || !(part instanceof LanguageModelDataPart) || !part.mimeType.includes("/")) return "";
  if (textType.test(part.mimeType)) return new TextDecoder().decode(part.data);
  return `[A file of the type ${part.mimeType}, which cannot be shown to the model.]`;
}

/** Whether a part is an image of pixels. */
function isImage(part: unknown): part is LanguageModelDataPart {
  return part instanceof LanguageModelDataPart && part.mimeType.startsWith("image/") && !isSvg(part);
}

function isToolResult(part: unknown): part is LanguageModelToolResultPart {
  return part instanceof LanguageModelToolResultPart;
}

function toToolCall(part: unknown): readonly ToolCall[] {
  if (!(part instanceof LanguageModelToolCallPart)) return [];
  return [{ id: part.callId, name: part.name, input: { ...part.input } }];
}

function resultText(part: unknown): string {
  return part instanceof LanguageModelPromptTsxPart ? promptText(part.value) : textOf([part]);
}

/**
 * The text in a tree that `@vscode/prompt-tsx` rendered, with its line breaks: an element begins on a new line, except right
 * after a text beside it. Handles any depth, and cycles.
 */
function promptText(root: unknown): string {
  const texts: string[] = [];
  let [startsLine, isAfterText] = [false, false];
  const seen = new Set<unknown>();
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === elementEnd) startsLine = isAfterText = false;
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    if ("text" in node && typeof node.text === "string") {
      const breaks = startsLine || ("lineBreakBefore" in node && node.lineBreakBefore === true);
      if (breaks && texts.at(-1)?.endsWith("\n") === false) texts.push("\n");
      if (node.text !== "") texts.push(node.text);
      [startsLine, isAfterText] = [false, true];
      continue;
    }
    if (Array.isArray(node)) {
      startsLine = !isAfterText;
      stack.push(elementEnd);
    }
    for (const child of Object.values(node).reverse()) stack.push(child);
  }
  return texts.join("");
}

const elementEnd = Symbol("end of an element");
