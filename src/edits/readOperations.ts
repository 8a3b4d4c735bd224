import { isFilled } from "../text/lines.ts";
import type { BlockFacts, Operation } from "./operations.ts";
import { pathInInfo, pathInLine, startsPath } from "./paths.ts";
import { readAnswer, type FencedSection, type Section } from "./readAnswer.ts";
import { readPatch } from "./readPatch.ts";
import { startsPatch, startsSearch } from "./regions.ts";
import { isCutOff, scanEdits, startsEdit } from "./scanEdits.ts";

/** The mark in the info string of the block that replaces the lines in question. */
export const replaceMark = "replace";

/** All edits of an answer. */
export interface ReadOperations {
  readonly operations: readonly Operation[];
  /** The line where the answer stops early or is no longer shown, and why. */
  readonly broken: { readonly kind: "cutOff" | "tooLong"; readonly line: number } | undefined;
  /** The answer's blocks and what is between them. */
  readonly sections: readonly Section[];
}

/** Whether a block with this info string replaces the lines in question. */
export function isReplacement(info: string): boolean {
  return info.split(/\s+/).includes(replaceMark);
}

/** Reads the edits of an answer in any of the forms that models use. */
export function readOperations(answer: string, files: ReadonlyMap<string, unknown>): ReadOperations {
  const { sections, showsLine } = readAnswer(withSimpleIndents(answer, files));
  const all: Operation[] = [];
  let openAt: number | undefined;
  let end = 0;
  for (const [index, section] of sections.entries()) {
    const found =
      section.type === "fenced" ? readFenced(sections, index, section, files) : readPlain(sections, index, files);
    all.push(...found.operations);
    if (found.isOpen) openAt ??= section.line;
    if (found.operations.length > 0) end = Math.max(end, found.end);
  }
  // Beside an edit, a block that may quote a part of a file does.
  const operations = all.filter((one) => all.length === 1 || one.type !== "wholeFile" || !one.isDoubtful);
  const open = sections.find((section) => section.type === "fenced" && !section.isClosed);
  if (open && operations.length > 0) openAt ??= open.line;
  if (end > 0) openAt ??= announcedAt(sections.at(-1), end, files);
  if (openAt !== undefined) return { operations, broken: { kind: "cutOff", line: openAt }, sections };
  const isShown = operations.length === 0 || showsLine(end - 1);
  return { operations, broken: isShown ? undefined : { kind: "tooLong", line: end - 1 }, sections };
}

/**
 * The answer with simple blanks for the ones that do not break with which copies from a browser indent lines, perhaps
 * behind the mark of a patch.
 */
function withSimpleIndents(answer: string, files: ReadonlyMap<string, unknown>): string {
  const isUsual = (text: unknown): boolean => typeof text === "string" && /^[ \t]*\u00a0/m.test(text);
  if (!answer.includes("\u00a0") || [...files.values()].some(isUsual)) return answer;
  return answer.replace(/^[+-]?[ \t]*\u00a0[ \t\u00a0]*/gm, (start) => start.replaceAll("\u00a0", " "));
}

/** The last line, if it is a path after which another edit was to come. */
function announcedAt(
  section: Section | undefined,
  end: number,
  files: ReadonlyMap<string, unknown>,
): number | undefined {
  if (section?.type !== "plain") return undefined;
  const last = section.lines.findLastIndex(isFilled);
  const isAfter = last >= 0 && section.line + last >= end;
  return isAfter && startsPath(section.lines[last] ?? "", files) ? section.line + last : undefined;
}

/** The edits of a section, and the line of the answer after them. */
interface SectionEdits {
  readonly operations: readonly Operation[];
  readonly isOpen: boolean;
  readonly end: number;
}

function readPlain(sections: readonly Section[], index: number, files: ReadonlyMap<string, unknown>): SectionEdits {
  const section = sections[index];
  if (section?.type !== "plain") return { operations: [], isOpen: false, end: 0 };
  const isHidden = (line: number): boolean => section.isInHtml[line] ?? false;
  const isLast = index === sections.length - 1;
  const place = { line: section.line, path: undefined, isPlain: true, isHidden, isLast };
  const found = scanEdits(section.lines, files, place);
  return { ...found, end: section.line + found.end };
}

function readFenced(
  sections: readonly Section[],
  index: number,
  section: FencedSection,
  files: ReadonlyMap<string, unknown>,
): SectionEdits {
  const { info, lines, isInHtml, isClosed } = section;
  const before = pathBefore(sections[index - 1], files);
  const named = pathInInfo(info.replace(new RegExp(`(?:^|\\s)${replaceMark}(?=\\s|$)`), ""), files);
  const path = named ?? before?.path;
  const line = section.line + 1;
  const place = { line, path, isPlain: false, isHidden: () => isInHtml, isLast: !isClosed };
  const end = line + lines.length;
  const found = (...operations: readonly Operation[]): SectionEdits => {
    const hidden: Operation = { type: "problem", kind: "html", path, line };
    return { operations: isInHtml && operations.length > 0 ? [hidden] : operations, isOpen: false, end };
  };
  const filled = lines.flatMap((text, at) => (text.trim() === "" ? [] : [at])).slice(0, 2);
  const starts = filled.some((at) => startsEdit(lines, at));
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(info);
  const hasMarks = lines.some((text) => startsSearch(text) || startsPatch(text));
  if (starts || isDiff) {
    if (!hasMarks && (isDiff || filled.slice(0, 1).some((at) => startsEdit(lines, at)))) {
      if (endsEarly(lines, sections.slice(index + 1, index + 3))) {
        return found({ type: "problem", kind: "fence", path, line });
      }
      const operations = readPatch(lines, { line, path, isPlain: false });
      return { ...found(...operations), isOpen: !isClosed };
    }
    return { ...scanEdits(lines, files, place), end };
  }
  const block: BlockFacts = { fence: section.fence, isBeforeBareBlock: isBare(sections.slice(index + 1, index + 3)) };
  if (isReplacement(info)) return found({ type: "replace", lines, block, line });
  if (named !== undefined || before?.isOnlyPath === true) {
    const isDoubtful = before?.isOnlyPath !== true && /^(?:make|docker)file$/i.test(info);
    return found({ type: "wholeFile", path: path ?? "", lines, block, line, isDoubtful });
  }
  return hasMarks ? { ...scanEdits(lines, files, place), end } : found();
}

/** The path that the line before a block names. One blank line may be between. */
function pathBefore(
  section: Section | undefined,
  files: ReadonlyMap<string, unknown>,
): ReturnType<typeof pathInLine> | undefined {
  if (section?.type !== "plain") return undefined;
  const line = section.lines.slice(-2).findLast(isFilled);
  return line === undefined ? undefined : pathInLine(line, files);
}

/** Whether a fence in a unified diff has ended its block, so that what follows is the rest of it. */
function endsEarly(lines: readonly string[], next: readonly Section[]): boolean {
  if (!isBare(next)) return false;
  const [after] = next;
  const block = next.find((section) => section.type === "fenced");
  // A block that starts an edit of its own is not the rest of this one.
  if (block && startsEdit(block.lines, 0)) return false;
  const hasRows = after?.type === "plain" && after.lines.some((text) => /^[+-]/.test(text));
  return hasRows || isCutOff(lines, false);
}

/** Whether the next block has no info string. */
function isBare(next: readonly Section[]): boolean {
  const block = next.find((section) => section.type === "fenced");
  return block?.info === "";
}
