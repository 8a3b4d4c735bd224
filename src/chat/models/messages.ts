import {
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelDataPart,
  LanguageModelPromptTsxPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
} from "vscode";
import { UserError } from "../../failures/userError.ts";
import type { ChatImage, ChatMessage, ToolCall } from "../../gateway/types.ts";
import { mostImageBytes, promptImage } from "../../text/promptImages.ts";
import { callText } from "../../text/tokenCounter.ts";
import { readItems } from "./answerItems.ts";
import { isSvg, isSystem } from "./unpublishedApi.ts";

/**
 * Converts VS Code's messages, tool results first. Throws `UserError` of kind `imageInput` for an image of a type that
 * models don't take, and `imagesTooLarge`. Of the images of tools, the newest are sent that fit.
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
      // Items are for the results of the calls: only these continue the answer.
      return [
        { role: "assistant", content: text, toolCalls, items: toolCalls.length > 0 ? readItems(content) : undefined },
      ];
    }
    if (isSystem(role)) return [{ role: "system", content: text }];
    const results = content.filter(isToolResult).map(({ callId, content: parts }) => {
      const result = parts
        .map((part) => (isImage(part) && !images.has(part) ? unseenImage : resultText(part)))
        .join("");
      return { role: "tool", toolCallId: callId, content: result, ...imagesOf(parts) } as const;
    });
    const own = imagesOf(content);
    const isOnlyResults = text === "" && own.images === undefined && results.length > 0;
    return isOnlyResults ? results : [...results, { role: "user", content: text, ...own }];
  });
}

/** What a tool's image is to the model that is not sent. */
const unseenImage = "[An image, which cannot be shown to the model.]";

/** The images to send, by their parts. */
function sentImages(messages: readonly LanguageModelChatRequestMessage[]): ReadonlyMap<unknown, ChatImage> {
  const images = new Map<unknown, ChatImage>();
  let room = mostImageBytes;
  for (const part of messages.flatMap(({ content }) => content).filter(isImage)) {
    const image = promptImage(part.data);
    if (!image) throw new UserError("imageInput");
    images.set(part, image);
    room -= image.bytes.length;
  }
  if (room < 0) throw new UserError("imagesTooLarge");
  const ofTools = messages.flatMap(({ content }) => content.filter(isToolResult).flatMap((result) => result.content));
  for (const part of ofTools.filter(isImage).toReversed()) {
    const image = promptImage(part.data);
    if (!image || image.bytes.length > room) continue;
    images.set(part, image);
    room -= image.bytes.length;
  }
  return images;
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

/** Text that arrives as a data part. Other MIME types are internal to VS Code, such as `cache_control` (VS Code 1.139). */
function dataText(part: unknown): string {
  if (!(part instanceof LanguageModelDataPart) || !/^text\/|^application\/json\b|^image\/svg/.test(part.mimeType))
    return "";
  return new TextDecoder().decode(part.data);
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

/** The text of a part of a tool's result. */
function resultText(part: unknown): string {
  return part instanceof LanguageModelPromptTsxPart ? promptText(part.value) : textOf([part]);
}

/** The text in the leaves of a tree rendered by `@vscode/prompt-tsx`. Handles any depth, and cycles. */
function promptText(root: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const waiting = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    if ("text" in node && typeof node.text === "string") texts.push(node.text);
    else for (const child of Object.values(node).reverse()) waiting.push(child);
  }
  return texts.join("");
}
