import { LanguageModelChatMessageRole, type LanguageModelChatRequestMessage, LanguageModelTextPart } from "vscode";
import type { Tool } from "../../gateway/types.ts";

/** Tags around the user's input in prompts of the built-in chat, which depend on the model (seen in VS Code 1.139). */
const tags = ["userRequest", "user_query"] as const;

/** Maximum length, in characters, of a question that is put back into the chat input. */
const longest = 4_000;

/**
 * The user's last question to the built-in chat, without its context. `undefined` for requests that no user typed, such
 * as those for titles, and for those of other extensions.
 */
export function askedQuestion(messages: readonly LanguageModelChatRequestMessage[]): string | undefined {
  const question = lastQuestion(messages);
  return question !== undefined && question.length > longest ? undefined : question;
}

/** Whether a request belongs to a question that the user typed in the built-in chat. */
export function isTyped(messages: readonly LanguageModelChatRequestMessage[]): boolean {
  return lastQuestion(messages) !== undefined;
}

function lastQuestion(messages: readonly LanguageModelChatRequestMessage[]): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    if (role !== LanguageModelChatMessageRole.User) continue;
    const text = content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
    const question = tags.map((tag) => between(text, `<${tag}>`, `</${tag}>`)).find(Boolean);
    if (question !== undefined) return question;
  }
  return undefined;
}

/** The last text between two markers. The user may have typed the markers too. */
function between(text: string, start: string, end: string): string {
  const stop = text.lastIndexOf(end);
  const from = stop < 0 ? -1 : text.lastIndexOf(start, stop);
  return from < 0 ? "" : text.slice(from + start.length, stop).trim();
}

/**
 * What a request of VS Code is counted as. Providers are not told, so the question's tags and the tools' names decide: an
 * agent has tools that change something, Ask has not. A request without a question is for a title, for example, or comes
 * from another extension.
 */
export function requestFeature(
  messages: readonly LanguageModelChatRequestMessage[],
  tools: readonly Tool[],
): "agent" | "chat" | "aiFeature" {
  if (!isTyped(messages)) return "aiFeature";
  return needsTools(tools, false) ? "agent" : "chat";
}

/**
 * Names of tools that change something. Agent mode and inline chat offer such tools; Ask offers read-only tools (seen
 * in VS Code 1.139). Names are all there is to go by: `LanguageModelChatTool` declares a name, a description and a schema,
 * and tools that are private to the caller, such as those of inline chat, are not in `lm.tools`, which knows tags.
 */
const changes = /apply|create|delete|edit|insert|patch|replace|write/i;

/** Whether a request is pointless if the gateway accepts no tools. */
export function needsTools(tools: readonly Pick<Tool, "name">[], mustCall: boolean): boolean {
  return tools.length > 0 && (mustCall || tools.some(({ name }) => changes.test(name)));
}
