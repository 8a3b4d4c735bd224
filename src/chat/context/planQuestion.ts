import type { Uri } from "vscode";
import type { ChatImage, ChatMessage } from "../../gateway/types.ts";
import { estimateTokens, lineEnds } from "../../prompts/estimateTokens.ts";
import { type Exchange, fitHistory } from "../../prompts/fitHistory.ts";
import { oneLine, splitLines } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { imageTokens } from "../../prompts/promptImages.ts";
import { isTask, taskPromptIn, taskPrompts } from "../../prompts/tasks.ts";

/** Share of the budget that earlier turns may use when files are attached. */
const historyShare = 0.3;

/** The input of `planQuestion`. */
export interface QuestionParts {
  readonly typed: Typed;
  readonly gathered: NotedContext & { readonly images?: readonly ChatImage[] };
  /** Earlier questions with their answers, the oldest first. */
  readonly exchanges: readonly Exchange[];
  /** Maximum input, in tokens as `estimateTokens` counts them; `Infinity` for an unknown model. */
  readonly budget: number;
  /** VS Code's display language. */
  readonly language: string;
  /** Instructions for the answer, if there are any. */
  readonly rules?: string;
}

/** A note for the user about context that was omitted or truncated, or that may have secrets; see `noteTexts`. */
export interface Note {
  readonly kind:
    | ("truncated" | "omitted" | "historyOmitted" | "masked" | "noFile")
    | ("unreadable" | "secret" | "sentSecret" | "outside" | "ignored" | "unchecked" | "overLimit");
  readonly name: string;
}

/** Context, the most relevant first, with notes. */
export interface NotedContext {
  readonly parts: readonly ContextPart[];
  readonly notes: readonly Note[];
}

/** The messages to send, with the context that fits, and all notes. */
export interface QuestionPlan extends NotedContext {
  readonly messages: readonly ChatMessage[];
}

/**
 * Plans a request that fits into the budget: the question, then context, then the newest turns. `undefined` without prompt and
 * context.
 */
export function planQuestion({
  typed,
  gathered,
  exchanges,
  budget,
  language,
  rules = "",
}: QuestionParts): QuestionPlan | undefined {
  const { images = [] } = gathered;
  if (typed.prompt.trim() === "" && gathered.parts.length + images.length === 0) return undefined;
  const forText = budget - imageTokens(images);
  const room = forText - estimateTokens(promptText(typed, language)) - estimateTokens(rules);
  const forHistory = Math.min(room * historyShare, tokensIn(exchanges.flatMap((turn) => [turn.question, turn.answer])));
  const fitted = fitContext(gathered.parts, room - forHistory);
  const content = [rules, composeQuestion(typed, fitted.parts, language)].filter((text) => text !== "").join("\n\n");
  const history = fitHistory(exchanges, forText - estimateTokens(content));
  return {
    messages: [...history, { role: "user", content, ...(images.length > 0 && { images }) }],
    parts: fitted.parts,
    notes: [
      ...gathered.notes,
      ...fitted.notes,
      ...(exchanges.length > history.length / 2 ? [{ kind: "historyOmitted", name: "" } as const] : []),
    ],
  };
}

function tokensIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

/** A question as typed: the prompt, with an optional command. */
interface Typed {
  readonly prompt: string;
  readonly command?: string | undefined;
}

/** The text for the model: context, task, then the prompt. For a task, what it is about comes last, apart from other context. */
export function composeQuestion(typed: Typed, context: readonly ContextPart[], language: string): string {
  const isAbout = ({ uri, isEarlier }: ContextPart): boolean => uri !== undefined && !isEarlier;
  const hasBoth = isTask(typed.command) && context.some(isAbout) && context.some(({ isEarlier }) => isEarlier);
  const [others, code] = hasBoth ? [context.filter((part) => !isAbout(part)), context.filter(isAbout)] : [context, []];
  const titles = hasBoth ? ["From earlier in this chat, for reference:", "This code:"] : ["", ""];
  return [titles[0], ...others.map(quotePart), titles[1], ...code.map(quotePart), promptText(typed, language)]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The task and the prompt, without context. Without a prompt, the task asks for an answer in `language`. */
export function promptText({ prompt, command }: Typed, language: string): string {
  const text = prompt.trim();
  if (!isTask(command)) return text;
  return text === "" ? taskPromptIn(language, command) : `${taskPrompts[command]}\n\n${text}`;
}

function quotePart({ name, language, text }: ContextPart): string {
  const fence = fenceAround(splitLines(text));
  return `${oneLine(name)}:\n${fence}${oneLine(language)}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** A piece of context: a file, a selection or a directory listing. */
export interface ContextPart {
  /** Label shown to users: a path, with a line range unless it is the whole file. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  readonly uri?: Uri;
  /** The first line in the file, from zero; by default the first of the file. */
  readonly start?: number;
  /** Whether it is not from this question, but from an earlier one. */
  readonly isEarlier?: boolean;
}

/** Tokens a part costs in addition to its name and text: fence, language, and line breaks. */
const overhead = 12;

/** Minimum room for a truncated part, in tokens. Less is not worth sending. */
const minUseful = 200;

/** Fits the parts into `budget` tokens in the given order, most relevant first, truncating a part that does not fit. */
export function fitContext(parts: readonly ContextPart[], budget: number): NotedContext {
  const fitted: ContextPart[] = [];
  const notes: Note[] = [];
  let room = budget;
  for (const part of parts) {
    const { name } = part;
    const cost = estimateTokens(name) + overhead;
    const fits = cost + estimateTokens(part.text) <= room;
    const text = fits ? part.text : room >= minUseful ? firstLines(part.text, room - cost) : "";
    const isOmitted = text === "" && !fits;
    if (!fits) notes.push({ kind: isOmitted ? "omitted" : "truncated", name });
    if (isOmitted) continue;
    fitted.push({ ...part, text });
    room -= cost + estimateTokens(text);
  }
  return { parts: fitted, notes };
}

/** The first whole lines that fit into `budget` tokens. */
function firstLines(text: string, budget: number): string {
  const lines = text.split("\n");
  const fitting = lines.slice(0, lineEnds(lines, budget).length);
  return fitting.map((line) => `${line}\n`).join("");
}
