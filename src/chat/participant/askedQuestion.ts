import { LanguageModelChatMessageRole, type LanguageModelChatRequestMessage, LanguageModelTextPart } from "vscode";

/** Between these tags the built-in chat puts what the user has typed, by model; seen in VS Code 1.139. */
const tags = ["userRequest", "user_query"] as const;

/** The longest question that is put into the chat's input again, in characters. */
const longest = 4_000;

/**
 * What the user asked the built-in chat last, among the context that goes with it. `undefined` for questions that nobody
 * typed, such as that for a title, and for those of other extensions.
 */
export function askedQuestion(messages: readonly LanguageModelChatRequestMessage[]): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    if (role !== LanguageModelChatMessageRole.User) continue;
    const text = content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
    const question = tags.map((tag) => between(text, `<${tag}>`, `</${tag}>`)).find(Boolean);
    if (question !== undefined) return question.length > longest ? undefined : question;
  }
  return undefined;
}

/** The last text between two marks. The user may have typed the marks as well. */
function between(text: string, start: string, end: string): string {
  const stop = text.lastIndexOf(end);
  const from = stop < 0 ? -1 : text.lastIndexOf(start, stop);
  return from < 0 ? "" : text.slice(from + start.length, stop).trim();
}
