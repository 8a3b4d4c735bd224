import type { ChatMessage } from "../gateway/types.ts";
import { estimateTokens } from "../text/estimateTokens.ts";
import { fenceAround } from "../text/markdown.ts";
import { type DescribedChange, type DescribedChanges, lineTokens } from "./describeChanges.ts";
import { fitDiffs, type FittedDiff } from "./fitDiffs.ts";

/** A request about changes, and the diffs in it. */
export interface ChangesPrompt {
  readonly messages: readonly ChatMessage[];
  readonly diffs: readonly FittedDiff[];
}

/** Maximum tokens of the list of files. */
const perList = 2_000;

/** Tokens for what joins the parts, and for the note about files that are only counted. */
const joints = 80;

/**
 * Builds a request about changes in at most `budget` tokens, as `estimateTokens` counts them: the rules, the list of
 * files, their diffs of at most `perFile` tokens each, and other parts, which are never cut. `undefined` if not even the
 * rules and the first file fit.
 */
export function buildChangesPrompt(
  changes: DescribedChanges,
  { rules, others, perFile }: { readonly rules: string; readonly others: readonly string[]; readonly perFile: number },
  budget: number,
): ChangesPrompt | undefined {
  let left = budget - estimateTokens(rules) - estimateTokens(others.join("\n\n")) - joints;
  const list = fileList(changes, Math.min(perList, Math.floor(left / 3)));
  if (list === undefined) return undefined;
  left -= estimateTokens(list);
  for (let room = left; ;) {
    const diffs = fitDiffs(changes.files, room, perFile);
    const content = [list, ...diffs.filter(({ lines }) => lines.length > 0).map(diffText), ...others].join("\n\n");
    // The sum of the parts is only an estimate of the whole: long fences, for example, cost more.
    const excess = estimateTokens(rules) + estimateTokens(content) - budget;
    if (excess <= 0) return { messages: messagesOf(rules, content), diffs };
    if (room <= 0) return undefined;
    room -= excess + joints;
  }
}

function messagesOf(rules: string, content: string): readonly ChatMessage[] {
  return [
    { role: "system", content: rules },
    { role: "user", content },
  ];
}

function diffText({ name, lines, isCut }: FittedDiff): string {
  return fenced(`Diff of ${name}${isCut ? " (cut: only its beginning)" : ""}:`, lines, "diff");
}

/** The files, one line each, in about `budget` tokens; `undefined` if not even one fits. */
function fileList({ isStaged, files, secretFiles }: DescribedChanges, budget: number): string | undefined {
  const heading = isStaged ? "Staged changes:" : "Changes (nothing is staged):";
  let left = budget - lineTokens(heading);
  const lines: string[] = [];
  // A name takes at most a quarter of the list.
  for (const line of files.map(toLine(Math.max(100, Math.floor(budget / 4))))) {
    left -= lineTokens(line);
    if (left < 0) break;
    lines.push(line);
  }
  if (lines.length === 0 && files.length > 0) return undefined;
  const unnamed = files.length - lines.length;
  return [
    heading,
    ...lines,
    ...(unnamed > 0 ? [`- and ${unnamed} more files`] : []),
    ...(secretFiles > 0 ? [`- and ${secretFiles} files that are withheld`] : []),
  ].join("\n");
}

function toLine(longest: number): (file: DescribedChange) => string {
  return ({ line }) => `- ${line.length > longest ? `${line.slice(0, longest)}…` : line}`;
}

/** Lines of text or of a diff as a fenced block, whose fence is longer than any in the lines. */
export function fenced(heading: string, lines: readonly string[], language = ""): string {
  const fence = fenceAround(lines.map((line) => line.replace(/^[+-]/, "")));
  return [heading, `${fence}${language}`, ...lines, fence].join("\n");
}
