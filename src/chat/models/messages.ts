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
import type { ChatMessage, ToolCall } from "../../gateway/types.ts";
import { callText } from "../../text/tokenCounter.ts";
import { readItems } from "./answerItems.ts";
import { isSystem } from "./unpublishedApi.ts";

/** Converts VS Code's messages, tool results first. Throws `UserError` of kind `imageInput` for an image: no model takes any. */
export function toChatMessages(messages: readonly LanguageModelChatRequestMessage[]): readonly ChatMessage[] {
  return messages.flatMap(({ role, content }) => {
    if (content.some(isImage)) throw new UserError("imageInput");
    const text = textOf(content);
    if (role === LanguageModelChatMessageRole.Assistant) {
      const toolCalls = content.flatMap(toToolCall);
      // Items are for the results of the calls: only these continue the answer.
      return [
        { role: "assistant", content: text, toolCalls, items: toolCalls.length > 0 ? readItems(content) : undefined },
      ];
    }
    if (isSystem(role)) return [{ role: "system", content: text }];
    const results = content.flatMap(toToolResult);
    return text === "" && results.length > 0 ? results : [...results, { role: "user", content: text }];
  });
}

/** The text of a message that counts as tokens. */
export function countedText({ content }: LanguageModelChatRequestMessage): string {
  const calls = content.flatMap(toToolCall).map(callText);
  const results = content.map((part) => (part instanceof LanguageModelToolResultPart ? resultText(part) : ""));
  return [textOf(content), ...calls, ...results].join("\n");
}

function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : dataText(part))).join("");
}

/** Text that arrives as a data part. Other MIME types are internal to VS Code, such as `cache_control` (VS Code 1.139). */
function dataText(part: unknown): string {
  if (!(part instanceof LanguageModelDataPart) || !/^text\/|^application\/json\b/.test(part.mimeType)) return "";
  return new TextDecoder().decode(part.data);
}

function isImage(part: unknown): boolean {
  return part instanceof LanguageModelDataPart && part.mimeType.startsWith("image/");
}

function toToolCall(part: unknown): readonly ToolCall[] {
  if (!(part instanceof LanguageModelToolCallPart)) return [];
  return [{ id: part.callId, name: part.name, input: { ...part.input } }];
}

function toToolResult(part: unknown): readonly ChatMessage[] {
  if (!(part instanceof LanguageModelToolResultPart)) return [];
  return [{ role: "tool", toolCallId: part.callId, content: resultText(part) }];
}

/** Tool results with an image get a placeholder instead of an error, so the model can continue. */
function resultText({ content }: LanguageModelToolResultPart): string {
  const texts = content.map((part) => {
    if (part instanceof LanguageModelPromptTsxPart) return promptText(part.value);
    return isImage(part) ? "[An image, which this model cannot see.]" : textOf([part]);
  });
  return texts.join("");
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
