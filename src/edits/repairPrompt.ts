import type { ChatRequest } from "../gateway/types.ts";
import { estimateTokens } from "../prompts/estimateTokens.ts";
import { fenced } from "../text/markdown.ts";
import { hasText } from "../text/lines.ts";
import { FileText } from "./change/fileText.ts";
import { asWritten, type Restore } from "./resolveEdits.ts";
import type { EditProblem, EditProblemKind, Operation, OperationOf } from "./types.ts";

/** What the model is told about each kind of problem. A retry does not help with the others. */
const reasons: Partial<Record<EditProblemKind, string>> = {
  notFound: "its old lines are not in the file",
  ambiguous: "its old lines are in the file more than once; include enough neighboring lines to make them unique",
  ellipsis: "its old lines are abbreviated; give every line",
  omission: "a comment stands for code that is left out of the new lines; give every line",
  alreadyApplied: "the file already has its new lines",
  overlap: "it changes the same lines as another one; put both into one",
  malformed: "it breaks the rules of its format",
  several: "only one block may replace the given lines",
  fence: "its fence is too short for the fences in the code",
  html: "it has HTML outside a fenced block, or is inside HTML, where it is not shown; put it into a fenced block",
  noTarget: "it does not say what it changes; use SEARCH/REPLACE blocks, each below the path of its file",
  unknownFile: "there is no such file",
  exists: "there is such a file already, so change it instead of creating it",
};

/** Maximum number of problems that are quoted, and of lines of the file for each of them. */
const maxQuoted = 5;
const maxLines = 40;
const around = 3;

/**
 * The prompt that requests the edits with these problems a second time. `files` are texts by path. `undefined` if that would
 * not help. What the model wrote is quoted in lines of its own, as it wrote them.
 */
export function repairPrompt(
  operations: readonly Operation[],
  files: ReadonlyMap<string, string>,
  problems: readonly EditProblem[],
  restore = asWritten,
): string | undefined {
  if (problems.length === 0 || problems.some(({ kind }) => reasons[kind] === undefined)) return undefined;
  const items = problems.slice(0, maxQuoted).map(({ kind, line, path }) => {
    const edit = operations.find((one): one is OperationOf<"hunk"> => one.line === line && one.type === "hunk");
    const old = edit?.hunk.old ?? [];
    const first = old.find(hasText);
    const ofFile = files.size > 1 && path !== undefined ? ` of ${path}` : "";
    const which = first === undefined ? "" : " whose old lines begin with the line below";
    const text = kind === "notFound" && path !== undefined ? files.get(path) : undefined;
    return [
      `${which === "" ? "An" : "The"} edit${ofFile}${which} cannot be applied: ${reasons[kind] ?? ""}.`,
      ...(first === undefined ? [] : [fenced([first.slice(0, 200)])]),
      ...quoteNearest(text, old, restore),
    ].join("\n");
  });
  return [
    `Nothing of your last answer was applied to ${files.size > 1 ? "any file" : "the file"}.`,
    ...items,
    "Give all edits of that answer again, complete and in the form that was asked for, with old lines copied from the file as it is. Write nothing else.",
  ].join("\n\n");
}

/**
 * The edits of a second answer, after those of the first that fit: some models repeat only the others. A complete second
 * answer stands alone, because it may add the same lines at other places.
 */
export function mergedEdits(
  second: readonly Operation[],
  first: readonly Operation[],
  problems: readonly Pick<EditProblem, "line">[],
): readonly Operation[] {
  const fitting = first.filter((one) => !problems.some(({ line }) => line === one.line));
  const [again, before] = [second, first].map((all) => Map.groupBy(all.flatMap(addedBy), (line) => line));
  const isRepeated = (line: string): boolean => (again?.get(line)?.length ?? 0) >= (before?.get(line)?.length ?? 0);
  const isComplete = fitting.map(addedBy).every((lines) => lines.length > 0 && lines.every(isRepeated));
  return isComplete ? second : [...fitting, ...second];
}

/** The lines with text that an edit adds, each with its file. */
function addedBy(edit: Operation): readonly string[] {
  if (edit.type !== "hunk") return [];
  const old = new Set(edit.hunk.old);
  const added = edit.hunk.lines.filter((line) => hasText(line) && !old.has(line));
  return added.map((line) => `${edit.path ?? ""} ${line.trim()}`);
}

/** The lines of a file that old lines probably mean, and the first of them that differs. */
function quoteNearest(text: string | undefined, written: readonly string[], restore: Restore): readonly string[] {
  const { lines } = new FileText(text ?? "");
  const old = written.map(restore);
  const { start, differing } = nearestLines(lines, old) ?? { start: 0, differing: -1 };
  if (differing < 0) return [];
  const [line, from] = [start + differing, Math.max(0, start - around)];
  return [
    "The first of its old lines that differs is:",
    fenced([written[differing] ?? ""]),
    lines[line] === undefined ? "The file ends before it." : `The file has another line ${line + 1}.`,
    `The file there, from line ${from + 1}:`,
    fenced(lines.slice(from, Math.min(start + old.length + around, from + maxLines))),
  ];
}

/** Lines that occur more often say nothing about the place. */
const maxPositions = 20;

/** The positions of each line, apart from whitespace around it. */
export function positionsOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  return Map.groupBy(lines.keys(), (line) => lines[line]?.trim() ?? "");
}

/**
 * The position at which most of the rarer old lines are, and the first old line that differs there, or -1. Only to name or
 * quote the position.
 */
export function nearestLines(
  lines: readonly string[],
  old: readonly string[],
  positions = positionsOf(lines),
): { readonly start: number; readonly differing: number } | undefined {
  const votes = new Map<number, number>();
  for (const [at, text] of old.entries()) {
    const those = text.trim() === "" ? [] : (positions.get(text.trim()) ?? []);
    if (those.length > maxPositions) continue;
    for (const position of those) if (position >= at) votes.set(position - at, (votes.get(position - at) ?? 0) + 1);
  }
  const [start] = [...votes].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  if (start === undefined) return undefined;
  return { start, differing: old.findIndex((line, at) => lines[start + at]?.trim() !== line.trim()) };
}

/** The request for a second attempt, after an answer whose edits do not fit. `undefined` if it has more than `room` tokens. */
export function buildRepairRequest(
  request: ChatRequest,
  answer: string,
  prompt: string,
  room: number,
): ChatRequest | undefined {
  const said = [{ role: "assistant", content: answer } as const, { role: "user", content: prompt } as const];
  const messages = [...request.messages, ...said];
  const tokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return tokens > room ? undefined : { ...request, messages };
}
