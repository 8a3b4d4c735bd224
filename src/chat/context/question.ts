import { fenceAround } from "../../text/markdown.ts";
import { oneLine } from "../../text/oneLine.ts";
import { splitLines } from "../../text/splitLines.ts";
import { type Task, taskPrompts, taskPromptsIn } from "../../text/tasks.ts";
import type { ContextPart } from "./fitContext.ts";

/** A question as it is typed: the user's words, after a command or not. */
interface Typed {
  readonly prompt: string;
  readonly command?: string | undefined;
}

/** Whether a command of the participant is a task for the model. */
export function isTask(command: string | undefined): command is Task {
  return command !== undefined && Object.hasOwn(taskPrompts, command);
}

/**
 * What the model reads: the context first, then what to do with it, the user's words last. `language` is VS Code's, for
 * where there are no words to tell the user's.
 */
export function composeQuestion({ prompt, command }: Typed, context: readonly ContextPart[], language: string): string {
  const words = prompt.trim();
  const prompts = words === "" ? taskPromptsIn(language) : taskPrompts;
  const task = isTask(command) ? [prompts[command]] : [];
  return [...context.map(quotePart), ...task, words].filter((text) => text !== "").join("\n\n");
}

function quotePart({ name, language, text }: ContextPart): string {
  const fence = fenceAround(splitLines(text));
  return `${oneLine(name)}:\n${fence}${oneLine(language)}\n${text.replace(/\n$/, "")}\n${fence}`;
}
