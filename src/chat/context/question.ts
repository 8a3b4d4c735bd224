import { oneLine, splitLines } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { isTask, taskPrompts, taskPromptsIn } from "../../text/tasks.ts";
import type { ContextPart } from "./fitContext.ts";

/** A question as typed: the prompt, with an optional command. */
export interface Typed {
  readonly prompt: string;
  readonly command?: string | undefined;
}

/** The prompt for the model: context, task, then the user's words. */
export function composeQuestion(typed: Typed, context: readonly ContextPart[], language: string): string {
  return [...context.map(quotePart), askedText(typed, language)].filter((text) => text !== "").join("\n\n");
}

/**
 * The task and the user's words, without context. `language` is VS Code's display language, used when there are no
 * words.
 */
export function askedText({ prompt, command }: Typed, language: string): string {
  const words = prompt.trim();
  const prompts = words === "" ? taskPromptsIn(language) : taskPrompts;
  const task = isTask(command) ? [prompts[command]] : [];
  return [...task, words].filter((text) => text !== "").join("\n\n");
}

function quotePart({ name, language, text }: ContextPart): string {
  const fence = fenceAround(splitLines(text));
  return `${oneLine(name)}:\n${fence}${oneLine(language)}\n${text.replace(/\n$/, "")}\n${fence}`;
}
