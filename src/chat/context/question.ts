import { oneLine, splitLines } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { isTask, taskPrompts, taskPromptsIn } from "../../text/tasks.ts";
import type { ContextPart } from "./fitContext.ts";

/** A question as it is typed: the user's words, after a command or not. */
export interface Typed {
  readonly prompt: string;
  readonly command?: string | undefined;
}

/** The context, then what to do with it, the user's words last. */
export function composeQuestion(typed: Typed, context: readonly ContextPart[], language: string): string {
  return [...context.map(quotePart), askedText(typed, language)].filter((text) => text !== "").join("\n\n");
}

/** A question without its context: the task, then the user's words. `language` is VS Code's, for where there are no words. */
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
