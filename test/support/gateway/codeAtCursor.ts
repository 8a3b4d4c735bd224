import { type Conversation, questionOf } from "./conversation.ts";

const marker = "<|cursor|>";

/** The code before the cursor, if a completion is asked for. */
export function codeBeforeCursor(conversation: Conversation): string | undefined {
  const question = questionOf(conversation);
  return question.includes(marker) ? question.slice(0, question.indexOf(marker)).split("\nCode:\n").at(-1) : undefined;
}

/** Completes code like a model that knows only the name that was declared last; nothing in the middle of a word. */
export function completeCode(before: string): string {
  const lines = before.split("\n");
  const line = lines.at(-1) ?? "";
  const names = lines
    .slice(0, -1)
    .join("\n")
    .matchAll(/\b(?:const|let|var)\s+(\w+)|^(\w+) = /gm);
  const [, declared, assigned] = [...names].at(-1) ?? [];
  const name = declared ?? assigned ?? "undefined";
  const end = /;\s*$/m.test(before) ? ";" : "";
  if (/(?:\/\/|#)\s*$/.test(line)) return `${/\s$/.test(line) ? "" : " "}Uses ${name}.`;
  if (/[{:]\s*$/.test(before)) return `${/^\s+$/.test(line) ? "" : "\n  "}return ${name}${end}`;
  if (line.trim() === "") return `console.log(${name})${end}`;
  if (line.endsWith("(")) return `${name})${end}`;
  return /\s$/.test(line) ? `${name}${end}` : "";
}
