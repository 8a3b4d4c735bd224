import { hasText, indentOf } from "../../text/lines.ts";
import { readBrackets } from "./brackets.ts";
import type { ParsedContext } from "./context.ts";

/** The start of a line that closes a block or continues one at its level. */
const closer =
  /^\s*(?:[)\]}]|<\/|\/?>$|;;|(?:end|fi|done|esac|else|elif|elsif|elseif|when|rescue|ensure|after|except|finally)\b)/;
const label = /^\s*(?:case\b.*|\w+):$/;
const openerWord =
  /(?:\b(?:do|then|else|begin)|\bdo \|[^|]*\||=>|->)$|^\s*(?:def|class|module|if|unless|while|terminator|case|for|begin|function|local function|else|elsif|when|rescue|ensure)\b(?!.*\b(?:end|then \S.*)$)/;
const openerTag =
  /^\s*(?:<(?!(?:script|style|template|br|hr|img|input|link|meta|area|base|col|source)\b)[a-z][\w.-]*(?:(?:\s[^<>]*)?(?<![/=])>)?|>)$/i;
/** The end of a line whose expression continues, and the start of one that continues it. */
const unfinished = /(?:[=&|+\\]|\b(?:return|and|or))\s*$/;
const continuation = /^\s*(?:[.?:|&+*=]|->|::)/;

/**
 * The completion with one shift of its indentation, where the first line lacks it or all lines count from it: the line with
 * the cursor shows how far, and the second line whether all lines need it.
 */
export function fitIndentation(answer: string, context: ParsedContext): string {
  const { linePrefix } = context;
  const [first = "", ...rest] = answer.split("\n");
  const [code, own] = [first.trimStart(), indentOf(first)];
  if (hasText(linePrefix))
    return [first, ...fitRest(linePrefix + first, rest, indentOf(linePrefix), context)].join("\n");
  if (linePrefix !== "") {
    // Some models begin with a space, which is no indentation.
    const isOwn = own !== "" && own !== " " && own !== linePrefix;
    const lines = isOwn ? shift(rest, linePrefix, own) : fitRest(linePrefix + code, rest, linePrefix, context);
    return [code, ...lines].join("\n");
  }
  const level = levelBelow(context);
  const isFlat = own !== level && isTooFlat(first, level, context);
  if (own !== "") return isFlat ? shift([first, ...rest], level, own).join("\n") : answer;
  const base = isFlat && context.unit !== undefined ? level : firstIndent(code, rest, level, context);
  return [base + code, ...fitRest(base + code, rest, base, context)].join("\n");
}

/** The lines after the first one with one shift, where the second line is not at the level that the first one asks for. */
function fitRest(first: string, rest: readonly string[], base: string, context: ParsedContext): readonly string[] {
  const { unit = "    " } = context;
  const indent = indentOf(rest.find(hasText) ?? "");
  const level = opens(first, context) ? base + unit : base;
  if (isRelative(first, rest, base, context)) return shift(rest, level, indent);
  const isTwice = base !== "" && indent === base + level && !isUnfinished(first, context) && isCode(context);
  const areDeep = rest.every((line) => !hasText(line) || (line.startsWith(base) && !continuation.test(line)));
  return isTwice && areDeep ? shift(rest, level, indent) : rest;
}

/** The lines with as much more or less indentation as `to` has than `from`. */
function shift(lines: readonly string[], to: string, from = ""): readonly string[] {
  const added = to.startsWith(from) ? to.slice(from.length) : "";
  const removed = from.startsWith(to) ? from.slice(to.length) : "";
  return lines.map((line) => (hasText(line) && line.startsWith(removed) ? added + line.slice(removed.length) : line));
}

/** Whether the lines after the first one count their indentation from it: otherwise they would leave its block at once. */
function isRelative(first: string, rest: readonly string[], base: string, context: ParsedContext): boolean {
  const second = rest.find(hasText);
  if (second === undefined || base === "" || !isCode(context) || closer.test(second) || label.test(second))
    return false;
  const indent = indentOf(second);
  if (opens(first, context)) return indent.length <= base.length && !(indent === base && isSameLevel(second));
  if (indent.length >= base.length) return false;
  const { language, open } = context;
  // After a bracket that closes more than its line opens, lines may leave the block.
  if (language.blocks === "brackets")
    return readBrackets(first, language).unopened === 0 && indent.length <= (open.indents.at(-1)?.length ?? -1);
  return indent === "" && hasText(rest[0] ?? "") && language.blocks !== "tags";
}

/** The indentation of the line after the last one before the cursor. */
function levelBelow(context: ParsedContext): string {
  const { lastLine, unit = "    " } = context;
  const isUnder = isCode(context) && (opens(lastLine, context) || isUnfinished(lastLine, context));
  return indentOf(lastLine) + (isUnder ? unit : "");
}

/** Whether a line is not deeper than the start of the block around it, although `level` is. */
function isTooFlat(line: string, level: string, context: ParsedContext): boolean {
  const { language, open, lastLine, nextLine } = context;
  if (!isCode(context) || closer.test(line) || (language.blocks !== "keys" && label.test(line))) return false;
  const isUnder = isAdjacent(context) && opens(lastLine, context);
  const opener = language.blocks === "brackets" ? open.indents.at(-1) : isUnder ? indentOf(lastLine) : undefined;
  if (opener === undefined || indentOf(line).length > opener.length || level.length <= opener.length) return false;
  // The body of a namespace, for example, may have no indentation.
  return !hasText(nextLine) || closer.test(nextLine) || indentOf(nextLine).length > opener.length;
}

/** The indentation that the first line of an answer lacks at the start of a line: that of the next line, or `level`. */
function firstIndent(code: string, rest: readonly string[], level: string, context: ParsedContext): string {
  const { lastLine, nextLine, open, unit = "    ", language, missingClosers } = context;
  if (/^[)\]}]/.test(code)) return open.indents.at(-1) ?? "";
  const second = rest.find(hasText);
  const next = second ?? nextLine;
  const last = indentOf(lastLine);
  // Outside of all brackets, only a line between others of an expression is indented.
  const isOutside = language.blocks === "brackets" && open.indents.length === 0 && missingClosers !== undefined;
  if (isOutside && level === last)
    return isAdjacent(context) && indentOf(next) === last && !/[;}]\s*$/.test(lastLine) ? last : "";
  if (language.blocks === "none") {
    // A paragraph or list starts anew.
    const isBody = isAdjacent(context) && !/^(?:[-*+]|\d+[.)]|#+) /.test(code);
    return isBody && (indentOf(next) === last || opens(lastLine, context)) ? indentOf(next) : "";
  }
  if (!hasText(next) || (continuation.test(code) && continuation.test(lastLine))) return level;
  const indent = indentOf(next);
  const isOpen = isCode(context) && (opens(code, context) || isUnfinished(code, context)) && !isSameLevel(next);
  const above = isOpen ? indent.slice(unit.length) : closer.test(next) && isCode(context) ? indent + unit : indent;
  return second === undefined && above.length > level.length ? level : above;
}

/** Whether a line may be at the level of the line before it that starts a block. */
function isSameLevel(line: string): boolean {
  return (
    closer.test(line) ||
    /^\s*(?:case\b.*|default|public|private|protected):$|^\s*(?:- |(?:\{|do|then|begin)$)/.test(line)
  );
}

function isUnfinished(line: string, { language }: ParsedContext): boolean {
  return unfinished.test(line) && !language.lineComments.some((mark) => line.trimStart().startsWith(mark));
}

/** Whether the line before the cursor's line is not blank. */
function isAdjacent({ before, lastLine }: ParsedContext): boolean {
  return before.endsWith(`${lastLine}\n`);
}

/** Whether a line starts a block. */
function opens(line: string, { language: { blocks, lineComments } }: ParsedContext): boolean {
  const code = line.trimEnd();
  if (lineComments.some((mark) => code.trimStart().startsWith(mark))) return false;
  if (/[([{]$/.test(code)) return true;
  if (blocks === "colons" || blocks === "keys") return /(?::|\b(?:then|do|else))$/.test(code);
  if (blocks === "words") return openerWord.test(code);
  return blocks === "tags" ? openerTag.test(code) : code.endsWith("=>") || label.test(code);
}

/** Whether the cursor is in code, rather than in a document or in a string or comment of several lines. */
function isCode({ language, open }: ParsedContext): boolean {
  return language.blocks !== "none" && (open.terminator === "" || open.terminator === "\n");
}
