import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";
import { isIntroduction, isSentence } from "./prose.ts";
import { isEnvelope } from "./tags.ts";

const fenceLine = /^[ \t]{0,12}(`{3,8}|~{3,8})[ \t]*([\w#+.:-]*)([^`\n]{0,80})$/;

const emptyFence = /^\s*(`{3,}|~{3,})[^\n`]{0,80}\n\s*\1\s*$/;

/** Languages that a fence around a part of a document can have. */
const isDocumentName = /^(?:markdown|md|mdx|text|txt|plaintext|plain)$/i;

interface Fence {
  readonly line: number;
  readonly mark: string;
  readonly info: string;
}

/** The code in the first fence of an answer; `undefined` if there is none, or if fences are what is completed. */
export function insideFence(answer: string, place: Place, fitter: Fitter): string | undefined {
  const oneLine =
    /^\s*(`{3,})(?:(?:js|ts|jsx|tsx|javascript|typescript|python|py|html|css|json|yaml|yml|go|c|cpp|java|rust|sh|bash|shell|text|php|sql) )?([^`\n]+)\1\s*$/.exec(
      answer.slice(0, 2_000),
    );
  if (oneLine && answer.length <= 2_000) return oneLine[2];
  const span = /^\s*`([^`\n]+)`\s*$/.exec(answer.slice(0, 2_000))?.[1];
  if (span !== undefined && answer.length <= 2_000 && !canBeQuoted(span, place)) return span;
  if (emptyFence.test(answer.slice(0, 400))) return "";
  const lines = answer.split("\n");
  const fences = fencesIn(lines);
  const [first] = fences;
  if (!first) return undefined;
  const isDocument = place.syntax.isProse && place.syntax.layout === "none";
  if (isDocument) return insideDocument(lines, fences, place);
  const before = lines.slice(0, first.line);
  const isLast = lines.slice(first.line + 1).every((line) => line.trim() === "");
  const isInCode = !fitter.scanner().isInLongText;
  if (!isLast && isInCode && before.length > 0 && fitter.scanner().feed(`${before.join("\n")}\n`).isInLongText)
    return undefined;
  const isCode = before.some(
    (line) => line.trim() !== "" && !isIntroduction(line) && !isSentence(line) && !isEnvelope(line),
  );
  const lastBefore = before.findLast((line) => line.trim() !== "") ?? "";
  const hasIntroduction = isIntroduction(lastBefore) || isEnvelope(lastBefore);
  // The answer ends a fence that it never started: what comes first is the code.
  if ((isCode && !wraps(before)) || (isLast && before.length > 0 && !hasIntroduction)) return before.join("\n");
  return lines.slice(first.line + 1, closeOf(first, fences)?.line).join("\n");
}

/** Whether backticks around a text can be code. */
function canBeQuoted(text: string, { syntax, linePrefix }: Place): boolean {
  if (syntax.layout === "none" || syntax.isProse) return true;
  if (syntax.longTexts.some(([open]) => open === "`")) return !/[;{]$/.test(text) || /[=(,:+[]\s*$/.test(linePrefix);
  return syntax.lineComments.some((mark) => mark !== "//") && syntax.layout === "brackets";
}

/** In a document with fences of its own, only those are removed that cannot be part of it. */
function insideDocument(lines: readonly string[], fences: readonly Fence[], place: Place): string | undefined {
  const [first, second] = fences;
  if (!first) return undefined;
  const before = lines.slice(0, first.line).filter((line) => line.trim() !== "");
  const isFirst = before.every((line) => isIntroduction(line) || isEnvelope(line));
  const content = lines.slice(first.line + 1, second?.line).join("\n");
  if (fencesIn(place.before.split("\n")).length % 2 === 1) {
    // The block that the cursor is in ends after the cursor, so that no fence fits before that.
    const isEnded = fencesIn(place.after.split("\n"))[0]?.info === "";
    if (isFirst && (first.info !== "" || isEnded)) return content;
    return isEnded ? lines.slice(0, first.line).join("\n") : undefined;
  }
  if (!second) {
    if (first.info !== "" && !isDocumentName.test(first.info)) return undefined;
    return isFirst ? content : lines.slice(0, first.line).join("\n");
  }
  if (!isFirst) return undefined;
  const isNamed = isDocumentName.test(first.info);
  const last = fences.at(-1);
  const end = last?.info === "" ? last.line : undefined;
  const isWhole = lines.slice((end ?? lines.length) + 1).every((line) => line.trim() === "");
  const isBare =
    first.info === "" &&
    isWhole &&
    fences.length % 2 === 0 &&
    (looksLikeDocument(content) || !place.before.trimEnd().endsWith(":"));
  if (!isNamed && !isBare && before.length === 0 && place.linePrefix.trim() === "") return undefined;
  return lines.slice(first.line + 1, end).join("\n");
}

/** Whether a text has the marks of a document, as lists, headings and tables, that a block of code rarely starts with. */
function looksLikeDocument(text: string): boolean {
  return /^\s*(?:[-*+] |\d+\. |#{1,6} |> |\||<!--|\[|<(?:table|p|div|img|a|h\d)\b)/.test(text);
}

function closeOf(first: Fence, fences: readonly Fence[]): Fence | undefined {
  return fences.find(({ line, mark, info }) => line > first.line && info === "" && mark.startsWith(first.mark));
}

function fencesIn(lines: readonly string[]): readonly Fence[] {
  const fences: Fence[] = [];
  for (const [line, text] of lines.entries()) {
    if (text.length > 200) continue;
    const [, mark, info = ""] = fenceLine.exec(text) ?? [];
    if (mark !== undefined) fences.push({ line, mark, info });
  }
  return fences;
}

/** Whether the lines before a fence are mostly sentences, so that the fence starts the code. */
function wraps(before: readonly string[]): boolean {
  const filled = before.filter((line) => line.trim() !== "");
  const sentences = filled.filter((line) => isIntroduction(line) || isSentence(line));
  return sentences.length * 2 > filled.length || isIntroduction(filled.at(-1) ?? "");
}
