import { withoutReasoning } from "../prompts/answerTags.ts";
import { hasText } from "../text/lines.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import { fencesIn } from "./cleaning/answerMarks.ts";
import { isProse } from "./cleaning/prose.ts";
import type { CursorContext } from "./cleaning/context.ts";
import type { CompletionKind } from "./completionKind.ts";

const maxLines = 60;
/** Longest answer that is read, in characters. */
export const maxAnswerLength = 12_000;
/** Length of the code before the cursor that an answer may repeat, in characters. */
const near = 12_000;

/**
 * The part of an answer that is complete, so that the request can be aborted: the line, or the block once another line changes
 * nothing. Only whole lines count. `undefined` if more is needed.
 */
export function finishedPart(text: string, context: CursorContext, kind: CompletionKind): string | undefined {
  const end = text.lastIndexOf("\n");
  if (text.length > maxAnswerLength) return text.slice(0, end < 0 ? undefined : end);
  if (end < 0) return undefined;
  const part = text.slice(0, end);
  const lines = withoutReasoning(part).split("\n");
  // Sentences may precede the tag that the prompt asks for.
  if (lines.every((line) => !hasText(line) || isProse(line)) || repeatsBefore(lines, context)) return undefined;
  if (lines.length > maxLines) return part;
  const now = trimToKind(cleanCompletion(part, context), kind);
  // A line that is used unchanged needs no further line.
  if (kind !== "block" && now !== "" && now.trim() === lines.find(hasText)?.trim()) return part;
  const last = lines.findLastIndex(hasText);
  return now !== "" && now === trimToKind(cleanCompletion(lines.slice(0, last).join("\n"), context), kind)
    ? part
    : undefined;
}

/** The part of a completion that is used for a kind. */
export function trimToKind(text: string | undefined, kind: CompletionKind): string {
  // Between brackets, the lines of a completion end before the line of the closing bracket.
  const isWhole = kind === "block" || /^\r?\n[^]*\n[ \t]*$/.test(text ?? "");
  return isWhole ? (text ?? "") : (/^\s*[^\r\n]*/.exec(text ?? "")?.[0] ?? "");
}

/** Whether an answer only repeats lines before the cursor so far. */
function repeatsBefore(lines: readonly string[], { prefix }: CursorContext): boolean {
  const known = prefix.slice(-near).split("\n");
  const current = known.pop() ?? "";
  const before = [...known.filter(hasText), ...(hasText(current) ? [current] : [])].map((line) => line.trim());
  const said = lines.filter((line) => hasText(line) && fencesIn([line]).length === 0).map((line) => line.trim());
  // The first line may begin with the tag that the prompt asks for, or with one of HTML.
  const [first = "", ...others] = said;
  const untagged = [first.replace(/^<\w+>/, "").trim(), ...others].filter(hasText);
  return [said, untagged].some(
    (own) => own.length > 0 && before.some((_, from) => own.every((line, at) => line === before[from + at])),
  );
}
