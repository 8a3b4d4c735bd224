import { indentOf, hasText } from "../../text/lines.ts";
import { contentOf } from "./brackets.ts";
import type { Place } from "./place.ts";

const bracketCloser = /^\s*[)\]}]/;
const closer =
  /^\s*(?:[)\]}]|<\/|\/?>$|;;|(?:end|fi|done|esac|else|elif|elsif|elseif|when|rescue|ensure|after|except|finally)\b)/;
const label = /^\s*(?:case\b.*|\w+):$/;
/** Labels that are no keys, as in YAML. */
const plainLabel = /^\s*(?:case\b.*|default|public|private|protected):$/;
/** Lines of a preprocessor, which can be at any column. */
const directive = /^\s*#\s*(?:if|el|end|def|undef|region|pragma|include|line)/;
const openerWord =
  /(?:\b(?:do|then|else|begin)|\bdo \|[^|]*\||=>|->)$|^\s*(?:def|class|module|if|unless|while|until|case|for|begin|function|local function|else|elsif|when|rescue|ensure)\b(?!.*\b(?:end|then \S.*)$)/;
const openerTag =
  /^\s*(?:<(?!(?:script|style|template|br|hr|img|input|link|meta|area|base|col|source)\b)[a-z][\w.-]*(?:(?:\s[^<>]*)?(?<![/=])>)?|>)$/i;
/** The end of a line whose expression continues. */
const unfinished = /(?:[=&|+\\]|\b(?:return|and|or))\s*$/;
/** The start of a line that continues an expression. */
const continuation = /^\s*(?:[.?:|&+*=]|->|::)/;

/**
 * The completion with one shift, for answers that omit the indentation of the first line, or count all from it: the line
 * with the cursor says how far, and the second line whether all lines need it.
 */
export function fitIndentation(answer: string, place: Place): string {
  const { linePrefix } = place;
  const [first = "", ...rest] = answer.split("\n");
  const code = first.trimStart();
  const own = indentOf(first);
  if (hasText(linePrefix)) return [first, ...fitRest(linePrefix + first, rest, indentOf(linePrefix), place)].join("\n");
  if (linePrefix !== "") {
    // Some models begin with a space, which is no indentation.
    const isOwn = own !== "" && own !== " " && own !== linePrefix;
    return [code, ...(isOwn ? shift(rest, linePrefix, own) : fitRest(linePrefix + code, rest, linePrefix, place))].join(
      "\n",
    );
  }
  const level = levelBelow(place);
  const isFlat = level !== own && isTooFlat(first, place);
  if (own !== "") return isFlat ? shift([first, ...rest], level, own).join("\n") : answer;
  const base = isFlat && isRelative(level + code, rest, level, place) ? level : firstIndent(code, rest, place);
  return [base + code, ...fitRest(base + code, rest, base, place)].join("\n");
}

/** The lines after the first one with one shift, where the second line is not where the first one asks for it. */
function fitRest(first: string, rest: readonly string[], base: string, place: Place): readonly string[] {
  const { unit = "    " } = place;
  const indent = indentOf(nextOf(rest) ?? "");
  const level = opens(first, place) ? base + unit : base;
  if (isRelative(first, rest, base, place))
    return rest.some((line) => /^\s/.test(line)) ? shift(rest, level, indent) : nested(rest, level, unit, place);
  const isTwice = base !== "" && indent === base + level && !isUnfinished(first, place) && isCode(place);
  const areDeep = rest.every((line) => !hasText(line) || (line.startsWith(base) && !continuation.test(line)));
  return isTwice && areDeep ? shift(rest, level, indent) : rest;
}

/** Lines without any indentation, with that of the blocks that they start and end. */
function nested(lines: readonly string[], base: string, unit: string, place: Place): readonly string[] {
  let level = base;
  return lines.map((line) => {
    if (!hasText(line)) return line;
    if (closer.test(line)) level = level.slice(unit.length);
    const fitted = level + line;
    if (opens(line, place)) level += unit;
    return fitted;
  });
}

/** The lines with as much more or less indentation as `to` has than `from`. */
function shift(lines: readonly string[], to: string, from = ""): readonly string[] {
  const added = to.startsWith(from) ? to.slice(from.length) : "";
  const removed = from.startsWith(to) ? from.slice(to.length) : "";
  return lines.map((line) => (hasText(line) && line.startsWith(removed) ? added + line.slice(removed.length) : line));
}

/** The first line that shows the indentation. */
function nextOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => hasText(line) && !directive.test(line));
}

/** Whether the lines after the first one count their indentation from it: otherwise they would leave its block at once. */
function isRelative(first: string, rest: readonly string[], base: string, place: Place): boolean {
  const second = nextOf(rest);
  if (second === undefined || !isCode(place)) return false;
  const indent = indentOf(second);
  const { language, open, nextLine } = place;
  // The body of a namespace may have no indentation.
  const canBeFlat = language.levels !== "brackets" || (indentOf(nextLine) === "" && !closer.test(nextLine));
  if (base === "" && (canBeFlat || rest.some((line) => /^\s+\S/.test(line)))) return false;
  if (opens(first, place)) return indent.length <= base.length && !(indent === base && isSameLevel(second));
  if (indent.length >= base.length || closer.test(second) || label.test(second)) return false;
  if (language.levels === "brackets") return indent.length <= (open.stack.at(-1)?.length ?? -1);
  return indent === "" && hasText(rest[0] ?? "") && language.levels !== "none" && language.levels !== "tags";
}

/** Whether a line is not deeper than the line that opened the block around it, although others are. */
function isTooFlat(line: string, place: Place): boolean {
  const { language, open, lastLine, nextLine } = place;
  if (!isCode(place) || closer.test(line) || label.test(line) || directive.test(line)) return false;
  const indent = indentOf(line).length;
  if (language.levels !== "brackets")
    return isAdjacent(place) && opens(lastLine, place) && indent <= indentOf(lastLine).length && !isSameLevel(line);
  const opener = open.stack.at(-1)?.length ?? -1;
  const isIndented = [lastLine, nextLine].some((other) => indentOf(contentOf(other)).length > opener);
  return indent <= opener && (isIndented || closer.test(nextLine));
}

/** Whether a line may be at the level of the line before it that opens a block. */
function isSameLevel(line: string): boolean {
  return closer.test(line) || plainLabel.test(line) || /^\s*(?:- |(?:\{|do|then|begin)$)/.test(line);
}

/** The indentation that the first line of an answer lacks at the start of a line; empty if it can do without. */
function firstIndent(code: string, rest: readonly string[], place: Place): string {
  const { lastLine, nextLine, open, language, owed } = place;
  const [last, second] = [indentOf(lastLine), nextOf(rest)];
  if (directive.test(code)) return "";
  if (code.startsWith("*") && isInText(place)) return /^\s*\/\*/.test(lastLine) ? `${last} ` : last;
  const next = second ?? nextLine;
  const isBetween = isAdjacent(place) && indentOf(next) === last && !/[;}]\s*$/.test(lastLine);
  if (language.levels === "none") {
    // The items of a list begin anew.
    if (/^(?:[-*+]|\d+[.)]|#+) /.test(code)) return "";
    const isBody = isAdjacent(place) && opens(lastLine, place) && indentOf(next).length > last.length;
    return isBody ? indentOf(next) : isAdjacent(place) && indentOf(next) === last ? last : "";
  }
  const opener = open.stack.at(-1);
  if (bracketCloser.test(code)) return opener ?? "";
  if (continuation.test(code) && continuation.test(lastLine)) return last;
  const level = levelBelow(place);
  // Outside of all brackets, only what continues an expression is indented.
  if (
    language.levels === "brackets" &&
    opener === undefined &&
    owed !== undefined &&
    level === indentOf(contentOf(lastLine))
  )
    return isBetween && !opens(code, place) ? last : "";
  const above = indentAbove(code, next, level, place);
  const isDeeper = second === undefined && above.length > level.length;
  return !hasText(next) || isDeeper || isTooFlat(above + code, place) ? level : above;
}

/** The indentation of the line after the last one before the cursor. */
function levelBelow(place: Place): string {
  const { unit = "    " } = place;
  const lastLine = isInText(place) ? place.lastLine : contentOf(place.lastLine);
  const isUnder = !isInText(place) && (opens(lastLine, place) || isUnfinished(lastLine, place));
  return indentOf(lastLine) + (isUnder ? unit : "");
}

/** The indentation of a line by the one after it; `level` is what the line before it asks for. */
function indentAbove(code: string, next: string, level: string, place: Place): string {
  const { unit = "    " } = place;
  const indent = indentOf(next);
  const flatter = indent.endsWith(unit) ? indent.slice(unit.length) : "";
  if (isInText(place)) return indent;
  if (opens(code, place) || isUnfinished(code, place) || (continuation.test(next) && !continuation.test(code)))
    return isSameLevel(next) ? indent : level.length < indent.length ? level : flatter;
  return closer.test(next) ? indent + unit : indent;
}

/** Whether the expression of a line continues in the next one. */
function isUnfinished(line: string, { language }: Place): boolean {
  return unfinished.test(line) && !language.lineComments.some((mark) => line.trimStart().startsWith(mark));
}

/** Whether a line starts a block. */
function opens(line: string, { language: { levels, lineComments } }: Place): boolean {
  const code = line.trimEnd();
  if (lineComments.some((mark) => code.trimStart().startsWith(mark))) return false;
  if (/[([{]$/.test(code)) return true;
  if (levels === "colons" || levels === "keys") return /(?::|\b(?:then|do|else))$/.test(code);
  if (levels === "words") return openerWord.test(code);
  return levels === "tags" ? openerTag.test(code) : code.endsWith("=>") || label.test(code);
}

/** Whether the cursor is in code, in which lines tell by their ends how deep the next one is. */
function isCode(place: Place): boolean {
  return place.language.levels !== "none" && !isInText(place);
}

/** Whether the cursor is in a string or comment of several lines. */
function isInText({ open }: Place): boolean {
  return open.until !== "" && open.until !== "\n";
}

/** Whether the line before the cursor's line is not blank. */
function isAdjacent({ before, lastLine }: Place): boolean {
  return before.endsWith(`${lastLine}\n`);
}
