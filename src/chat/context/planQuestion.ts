import type { Uri } from "vscode";
import type { ChatImage, ChatMessage } from "../../gateway/types.ts";
import { estimateTokens } from "../../text/estimateTokens.ts";
import { type Exchange, fitHistory } from "../../text/fitHistory.ts";
import { oneLine, splitLines } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";
import { imageTokens } from "../../text/promptImages.ts";
import { isTask, taskPromptIn, taskPrompts } from "../../text/tasks.ts";

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
  /** What the answer has to keep to; empty for nothing in particular. */
  readonly rules?: string;
}

/** Something that is left out or cut, or that is sent although it may hold secrets; `noteTexts` says it to the user. */
export interface Note {
  readonly kind:
    | ("truncated" | "omitted" | "historyOmitted" | "masked" | "noFile")
    | ("unreadable" | "secret" | "sentSecret" | "outside" | "ignored" | "unchecked" | "overLimit");
  readonly name: string;
}

/** Context, the most relevant first, and notes on what is not in it. */
export interface NotedContext {
  readonly parts: readonly ContextPart[];
  readonly notes: readonly Note[];
}

/** The messages to send, with the context that fits, and all notes. */
export interface QuestionPlan extends NotedContext {
  readonly messages: readonly ChatMessage[];
}

/** Plans a request that fits: the whole question, then context, then the newest turns. `undefined` without prompt and context. */
export function planQuestion(question: QuestionParts): QuestionPlan | undefined {
  const { typed, gathered, exchanges, budget, language } = question;
  if (typed.prompt.trim() === "" && gathered.parts.length === 0) return undefined;
  const { rules = "" } = question;
  const { images = [] } = gathered;
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

/** The prompt for the model: context, task, then the user's words. */
export function composeQuestion(typed: Typed, context: readonly ContextPart[], language: string): string {
  return [...context.map(quotePart), promptText(typed, language)].filter((text) => text !== "").join("\n\n");
}

/** The task and the user's words, without context. Without words, the task is in `language`, VS Code's display language. */
export function promptText({ prompt, command }: Typed, language: string): string {
  const words = prompt.trim();
  if (!isTask(command)) return words;
  return words === "" ? taskPromptIn(language, command) : `${taskPrompts[command]}\n\n${words}`;
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
  /** The file that it is, or is a part of. */
  readonly uri?: Uri;
  /** The line of the file where it starts, from zero; the first by default. */
  readonly start?: number;
}

/** Tokens a part costs in addition to its name and text: fence, language, and line breaks. */
const frame = 12;

/** Minimum size of a truncated part, in tokens; a shorter piece is not worth sending. */
const leastUseful = 200;

/** Fits the parts into `budget` tokens in the given order, most relevant first, truncating a part that does not fit. */
export function fitContext(parts: readonly ContextPart[], budget: number): NotedContext {
  const fitted: ContextPart[] = [];
  const notes: Note[] = [];
  let room = budget;
  for (const part of parts) {
    const { name } = part;
    const around = estimateTokens(name) + frame;
    const fits = around + estimateTokens(part.text) <= room;
    const text = fits ? part.text : room >= leastUseful ? firstLines(part.text, room - around) : "";
    const isLeftOut = text === "" && !fits;
    if (!fits) notes.push({ kind: isLeftOut ? "omitted" : "truncated", name });
    if (isLeftOut) continue;
    fitted.push({ ...part, text });
    room -= around + estimateTokens(text);
  }
  return { parts: fitted, notes };
}

/** The first whole lines that fit into `budget` tokens. */
function firstLines(text: string, budget: number): string {
  let end = 0;
  let tokens = 0;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const next = newline < 0 ? text.length : newline + 1;
    tokens += estimateTokens(text.slice(end, next));
    if (tokens > budget) break;
    end = next;
  }
  return text.slice(0, end);
}
