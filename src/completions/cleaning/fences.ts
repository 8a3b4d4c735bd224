import { isFilled } from "../../text/lines.ts";
import { fenceLine } from "./embedded.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";
import { withoutDiff } from "./lineMarks.ts";
import { isIntroduction, isPath, isSentence } from "./prose.ts";
import { isEnvelope } from "./tags.ts";

/** Longest line that is read as a fence, in characters. */
const longestFence = 200;
const emptyFence = /^\s*(`{3,}|~{3,})[^\n`]{0,80}\n\s*\1\s*$/;

/** Languages that a fence around a part of a document can have. */
const isDocumentName = /^(?:markdown|md|mdx|text|txt|plaintext|plain|code)$/i;

interface Fence {
  readonly line: number;
  readonly mark: string;
  readonly info: string;
}

/** Whether a line starts or ends a fence. */
export function isFence(line: string): boolean {
  return fenceOf(line) !== undefined;
}

/** The code in the first fence of an answer; `undefined` if there is none, or if fences are what is completed. */
export function insideFence(answer: string, place: Place, fitter: Fitter): string | undefined {
  const oneLine =
    /^\s*(`{3,})(?:(?:js|ts|jsx|tsx|javascript|typescript|python|py|html|css|json|yaml|yml|go|c|cpp|java|rust|sh|bash|shell|text|php|sql) )?([^`\n]+)\1\s*$/.exec(
      answer.slice(0, 2_000),
    );
  if (oneLine && answer.length <= 2_000) return oneLine[2];
  if (emptyFence.test(answer.slice(0, 400))) return "";
  const lines = answer.split("\n");
  const fences = fencesIn(lines);
  const [first] = fences;
  if (!first) return undefined;
  if (place.syntax.hasFences) return insideDocument(lines, fences, place);
  const before = lines.slice(0, first.line);
  const isLast = lines.slice(first.line + 1).every((line) => line.trim() === "");
  const isInCode = !fitter.scanner().isInLongText;
  const isCode = before.some(
    (line) => line.trim() !== "" && !isIntroduction(line) && !isSentence(line) && !isEnvelope(line) && !isPath(line),
  );
  const lastBefore = before.findLast(isFilled) ?? "";
  const hasIntroduction = isIntroduction(lastBefore) || isEnvelope(lastBefore) || isPath(lastBefore);
  // A fence in a string or a comment of the answer belongs to it.
  if (!isLast && !hasIntroduction && isInCode && before.length > 0) {
    if (fitter.scanner().feed(`${before.join("\n")}\n`).isInLongText) return undefined;
  }
  // The answer ends a fence that it never started: what comes first is the code.
  if ((isCode && !wraps(before)) || (isLast && before.length > 0 && !hasIntroduction)) return before.join("\n");
  const close = closeOf(first, fences)?.line;
  const said = lines.slice(first.line + 1, close);
  const content = (isDiff(first) ? withoutDiff(said) : said).join("\n");
  if (close === undefined) return withoutGluedEnd(content);
  return withoutBlankEdges(content);
}

/** In a document with fences of its own, only those are removed that cannot be part of it. */
function insideDocument(lines: readonly string[], fences: readonly Fence[], place: Place): string | undefined {
  const [first, second] = fences;
  if (!first) return undefined;
  const before = lines.slice(0, first.line).filter(isFilled);
  const isFirst = before.every((line) => isIntroduction(line) || isEnvelope(line));
  const content = lines.slice(first.line + 1, second?.line).join("\n");
  if (isFirst && isDiff(first) && /^[-+]{3} |^@@ /m.test(content)) return withoutDiff(content.split("\n")).join("\n");
  if (fencesIn(place.before.split("\n")).length % 2 === 1) {
    // The block that the cursor is in ends after the cursor, so that no fence fits before that.
    const isEnded = fencesIn(place.after.split("\n"))[0]?.info === "";
    if (isFirst && (first.info !== "" || isEnded)) return second ? content : withoutGluedEnd(content);
    return isEnded ? lines.slice(0, first.line).join("\n") : undefined;
  }
  // In the middle of a line, or named by a path, a block is what the answer is wrapped in.
  const isInLine = place.linePrefix.trim() !== "";
  const isWrapper = isInLine || isDocumentName.test(first.info) || /[\\/]/.test(lines[first.line] ?? "");
  if (!second) {
    if (first.info !== "" && !isWrapper) return undefined;
    return isFirst ? withoutGluedEnd(content) : lines.slice(0, first.line).join("\n");
  }
  if (!isFirst && !(isWrapper && isIntroduction(before.at(-1) ?? ""))) return undefined;
  const isNamed = /^(?:markdown|md|mdx)$/i.test(first.info);
  const close = outerClose(fences);
  // After the end of a block comes a blank line; after the start of one in it, its code.
  const isOuter = close === undefined || (lines[close + 1] ?? "").trim() === "";
  const last = fences.at(-1);
  const end = isNamed && !isOuter && last?.info === "" ? last.line : close;
  const looksAlike = looksLikeDocument(content);
  const isIntroduced = place.before.trimEnd().endsWith(":");
  const isWhole = lines.slice((end ?? lines.length) + 1).every((line) => line.trim() === "");
  const isBare = first.info === "" && (looksAlike || (isWhole && !isIntroduced));
  const isText = !isNamed && !looksAlike && !isInLine && isIntroduced;
  if ((!isWrapper || isText) && !isBare && before.length === 0) return undefined;
  return withoutBlankEdges(lines.slice(first.line + 1, end).join("\n"));
}

function isDiff({ info }: Fence): boolean {
  return /^(?:diff|patch)$/i.test(info);
}

/** The line of the fence that ends the first one, with whole blocks in between. */
function outerClose(fences: readonly Fence[]): number | undefined {
  let depth = 0;
  for (const [at, { info, line }] of fences.entries()) {
    depth += at === 0 || info !== "" ? 1 : -1;
    if (depth === 0) return line;
  }
  return undefined;
}

/** The content of a block without blank lines, if there is one on both sides. */
function withoutBlankEdges(content: string): string {
  return content.startsWith("\n") && content.endsWith("\n") ? content.slice(1, -1) : content;
}

/** The content of a block whose end stands on its last line, or is cut off. */
function withoutGluedEnd(content: string): string {
  return content.replace(/\n?`{1,3}[ \n]{0,8}$/, "");
}

/** Whether a text has the marks of a document, as lists, headings and tables, that a block of code rarely starts with. */
function looksLikeDocument(text: string): boolean {
  return /^\s*(?:[-*+] |\d+\. |#{1,6} |> |\||<!--|\[|<(?:table|p|div|img|a|h\d)\b)/.test(text);
}

function closeOf(first: Fence, fences: readonly Fence[]): Fence | undefined {
  return fences.find(({ line, mark, info }) => line > first.line && info === "" && mark.startsWith(first.mark));
}

function fencesIn(lines: readonly string[]): readonly Fence[] {
  let isOpen = false;
  return lines.flatMap((text, line) => {
    const fence = fenceOf(text);
    if (!fence) return [];
    // Tildes under a line underline it.
    const isUnderline =
      !isOpen && fence.mark.startsWith("~") && fence.info === "" && (lines[line - 1] ?? "").trim() !== "";
    isOpen ||= !isUnderline;
    return isUnderline ? [] : [{ line, ...fence }];
  });
}

function fenceOf(line: string): Omit<Fence, "line"> | undefined {
  if (line.length > longestFence) return undefined;
  const [, mark, info = ""] = fenceLine.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, info };
}

/** Whether the lines before a fence are mostly sentences, so that the fence starts the code. */
function wraps(before: readonly string[]): boolean {
  const filled = before.filter(isFilled);
  const sentences = filled.filter((line) => isIntroduction(line) || isSentence(line));
  return sentences.length * 2 > filled.length || isIntroduction(filled.at(-1) ?? "");
}
