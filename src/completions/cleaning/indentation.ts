import { hasText, indentOf } from "../../text/lines.ts";
import { hasColons } from "../languages.ts";
import { readBrackets } from "./brackets.ts";
import { isCode, type ParsedContext } from "./context.ts";

/** The start of a line that closes a block or continues one at its level. */
const closer =
  /^\s*(?:[)\]}]|<\/|\/?>$|;;|(?:end|fi|done|esac|else|elif|elsif|elseif|when|rescue|ensure|after|except|finally)\b)/;
const label = /^\s*(?:case\b.*|\w+):$/;
const openerWord =
  /(?:\b(?:do|then|else|begin)|\bdo \|[^|]*\||=>|->|\bfunction\b[^()]*\([^()]*\))$|^\s*(?:def|class|module|if|unless|while|terminator|case|for|begin|else|elsif|when|rescue|ensure)\b(?!.*\b(?:end|then \S.*)$)/;
const openerTag =
  /^\s*(?:<(?!(?:script|style|template|br|hr|img|input|link|meta|area|base|col|source)\b)[a-z][\w.-]*(?:(?:\s[^<>]*)?(?<![/=])>)?|<?>)$/i;
/** A statement with its body on the next line, without a bracket. */
const openerStatement = /^\s*(?:\} )?(?:(?:else )?(?:if|for|foreach|while) ?\(.*\)|else)$/;
/** The start of a line that continues the statement of the line before it. */
const continuation = /^\s*(?:\??\.\w|[?:] |&&|\|\||<<|[+*] |->|::)/;
const item = /^\s*(?:[-*+]|\d+[.)]) /;

/**
 * Indents the completion by one offset, if its first line has no indentation or all of its lines are relative to it. The lines
 * around the cursor give the offset. Outside of an envelope, later lines that are too deep lose such an offset.
 */
export function fitIndentation(answer: string, source: ParsedContext, isEnveloped: boolean): string {
  const [first = "", ...rest] = answer.split("\n");
  // Where the text shows no level of indentation, the answer may.
  const [unit] = rest
    .map(indentOf)
    .filter((indent) => /^(?:\t| {2,8})$/.test(indent))
    .sort();
  const context = { ...source, unit: source.unit ?? unit };
  const { linePrefix, nextLine } = context;
  const [code, own] = [first.trimStart(), indentOf(first)];
  if (linePrefix !== "") {
    const start = hasText(linePrefix) ? first : code;
    return [start, ...fitRest(linePrefix + start, rest, indentOf(linePrefix), context, isEnveloped)].join("\n");
  }
  if (own !== "") return answer;
  const below = [...rest, nextLine].find(hasText) ?? "";
  const levels = levelsAbove(below, context);
  const opener = mayDedent(first, context) ? undefined : openerAbove(context);
  const inner = opener === undefined ? undefined : levels.find(({ length }) => length > opener.length);
  const level = levelOf(code, below, levels, context);
  const base = inner !== undefined && level.length < inner.length ? inner : level;
  return [base + code, ...fitRest(base + code, rest, base, context, isEnveloped)].join("\n");
}

/** The level of a line that lacks its indentation: the deepest that the line below it allows. */
function levelOf(code: string, below: string, levels: readonly string[], context: ParsedContext): string {
  const { lastLine, open, unit = "    ", language, missingClosers } = context;
  if (!hasText(below)) return "";
  if (/^[)\]}]/.test(code)) return open.indents.at(-1) ?? "";
  if (open.terminator === "*/" && code.startsWith("*"))
    return indentOf([below, lastLine].find((line) => /^\s*\*/.test(line)) ?? `${indentOf(lastLine)} *`);
  // Outside of all brackets, only a line in the middle of a statement is indented.
  const isOutside = language.blocks === "brackets" && open.indents.length === 0 && missingClosers !== undefined;
  const isAfterStatement = !isAdjacent(context) || /[;}]\s*$/.test(lastLine);
  if (isOutside && isAfterStatement) return "";
  // An item of a list is at the level of the next one.
  const isListed = !isAfterStatement && /,\s*$/.test(code) && readBrackets(code, language).indents.length === 0;
  if (isListed && indentOf(below).length > (levels.at(-1)?.length ?? 0)) return indentOf(below);
  const isContinued = !isAfterStatement && !isComment(lastLine, context) && !/[{,/>]\s*$/.test(lastLine);
  if (isCode(context) && isContinued && continuation.test(code)) {
    if (continuation.test(below)) return indentOf(below);
    return indentOf(lastLine) + (continuation.test(lastLine) ? "" : unit);
  }
  const isOpen = opens(code, context);
  const { length } = indentOf(below);
  const [isItem, isItemBelow] = [code, below].map((line) => language.blocks === "keys" && item.test(line));
  const isLast = closer.test(below) || (isItemBelow && !isItem);
  if (isLast && !isOpen) return levels.find((level) => level.length > length) ?? levels.at(-1) ?? "";
  // In a document, an item continues in the deeper lines below it.
  const isBegun = language.blocks === "none" && item.test(code) && !item.test(below);
  const isParent = isItemBelow
    ? isOpen && !isItem
    : isItem
      ? /:(?: |$)/.test(code)
      : isBegun || (isOpen && !isSameLevel(below));
  return levels.findLast((level) => (isParent ? level.length < length : level.length <= length)) ?? "";
}

/** The indentation of the blocks that a line after the last one before the cursor may belong to, the deepest last. */
function levelsAbove(below: string, context: ParsedContext): readonly string[] {
  const { before, lastLine, language } = context;
  const start = codeStart(lastLine, context);
  const unit = context.unit ?? (indentOf(below).slice(start.length) || "    ");
  const levels = [
    ...(start === indentOf(lastLine) ? [] : [start]),
    ...(opens(lastLine, context) ? [start + unit] : []),
  ];
  // The stars of a comment are one space deeper than its start.
  const hasStars = language.multiline.some(([open]) => open === "/*");
  let minIndent = Infinity;
  for (const line of before.split("\n").toReversed()) {
    const indent = hasStars && /^\s+\*/.test(line) ? indentOf(line).slice(0, -1) : indentOf(line);
    if (!hasText(line) || indent.length >= minIndent) continue;
    levels.unshift(indent);
    minIndent = indent.length;
    if (minIndent === 0) break;
  }
  return levels;
}

/** Where the code of a line starts: in YAML, after what marks an item. */
function codeStart(line: string, { language }: ParsedContext): string {
  return indentOf(line) + (language.blocks === "keys" && /^\s*- \S/.test(line) ? "  " : "");
}

/** The indentation of the line that opens the innermost block, if the cursor is certainly inside it. */
function openerAbove(context: ParsedContext): string | undefined {
  const { language, open, lastLine, nextLine } = context;
  if (!isCode(context)) return undefined;
  const isInsideBlock = isAdjacent(context) && opens(lastLine, context);
  const isBracket = language.blocks === "brackets" && (!isInsideBlock || /[([{]$/.test(lastLine.trimEnd()));
  const opener = isInsideBlock ? codeStart(lastLine, context) : isBracket ? open.indents.at(-1) : undefined;
  const isTag = language.blocks === "tags";
  if (opener === undefined || !(isTag || (isBracket && hasText(nextLine)))) return opener;
  // The body of a namespace or an element, for example, may have no indentation.
  const { length } = indentOf(nextLine);
  return length > opener.length || (!isTag && length === opener.length && closer.test(nextLine)) ? opener : undefined;
}

/** Whether a line may be less deep than the block that it is in. */
function mayDedent(line: string, context: ParsedContext): boolean {
  const { blocks } = context.language;
  if (isSameLevel(line) || (blocks === "tags" && opens(line, context))) return true;
  return blocks === "keys"
    ? item.test(line) && indentOf(context.lastLine) === ""
    : blocks !== "colons" && label.test(line);
}

/** The lines after the first one, shifted as a whole if the second line is not at the level that the first one requires. */
function fitRest(
  first: string,
  rest: readonly string[],
  base: string,
  context: ParsedContext,
  isEnveloped: boolean,
): readonly string[] {
  const second = rest.find(hasText);
  if (second === undefined) return rest;
  const stars = starsBelow(first, context);
  if (stars !== undefined && /^\s*\*/.test(second)) {
    const { length } = indentOf(second);
    const isWrong = length < stars.length || (base !== "" && length === base.length + stars.length);
    return isWrong ? shift(rest, stars, indentOf(second)) : rest;
  }
  // The body of a block is indented even if its first line is not.
  const isBody = first === context.linePrefix && context.language.blocks !== "tags";
  if ((base === "" && !isBody) || !isCode(context) || opensText(first, context)) return rest;
  const level = codeStart(first, context) + (opens(first, context) ? (context.unit ?? "    ") : "");
  const isIndentedTwice =
    !isEnveloped &&
    indentOf(second) === base + level &&
    !/[([]\s*$/.test(first) &&
    !continuation.test(second) &&
    rest.every((line) => !hasText(line) || line.startsWith(base + base));
  if (isIndentedTwice) return shift(rest, level, indentOf(second));
  if (!isRelative(first, second, base, rest[0] === second, context)) return rest;
  // The second line of a statement is deeper than the first one, as it is in the answer.
  if (!opens(first, context)) return shift(rest, base);
  // Only the first line of a body may lack its indentation.
  const others = rest.filter((line) => hasText(line) && line !== second);
  const isFirst = isBody && indentOf(second) === "" && others.some((line) => line.startsWith(level));
  const isInside = (line: string, at: number): boolean =>
    line.startsWith(level) || (at === others.length - 1 && closer.test(line));
  return isFirst && others.every(isInside) && !isRelative(level + second, others[0] ?? "", level, true, context)
    ? rest.map((line) => (line === second ? level + line : line))
    : shift(rest, level, indentOf(second));
}

/** Whether a string begins that contains the next lines as they are, as in a template literal or a here document. */
function opensText(line: string, { language }: ParsedContext): boolean {
  return readBrackets(line, language).terminator === "`" || /<<[-~<]?["']?\w+["']?\s*$/.test(line);
}

/** The indentation of the stars below a line of a comment: one space deeper than the start of the comment. */
function starsBelow(line: string, { open }: ParsedContext): string | undefined {
  if (line.includes("*/")) return undefined;
  if (/^\s*\/\*/.test(line)) return `${indentOf(line)} `;
  return open.terminator === "*/" && /^\s*\*/.test(line) ? indentOf(line) : undefined;
}

/** Whether the second line is indented relative to the first one: otherwise it would end the block at once. */
function isRelative(first: string, second: string, base: string, isNext: boolean, context: ParsedContext): boolean {
  const { language, open, nextLine } = context;
  const indent = indentOf(second);
  // The keys of an item, or of a key without a value, are deeper.
  if (language.blocks === "keys" && !item.test(second)) {
    if (opens(first, context)) return indent.length <= base.length;
    if (item.test(first) && indent !== "") return indent.length < base.length && indent.length <= "- ".length;
  }
  if (closer.test(second) || (!hasColons(language) && label.test(second))) return false;
  const unopened = readBrackets(first, language).unopened.length;
  // A bracket that the first line closes was opened at another level.
  const { length } = unopened > 0 ? (open.indents.at(-unopened) ?? "") : base;
  if (opens(first, context))
    return indent.length <= length && !(indent.length === length && (isSameLevel(second) || item.test(second)));
  if (indent.length >= base.length) return false;
  if (language.blocks === "brackets") return unopened === 0 && indent.length <= (open.indents.at(-1)?.length ?? -1);
  return indent === "" && isNext && (language.blocks !== "tags" || indentOf(nextLine) !== "" || closer.test(nextLine));
}

/** The lines, shifted by the difference between the indentations `from` and `to`. */
function shift(lines: readonly string[], to: string, from = ""): readonly string[] {
  const added = to.startsWith(from) ? to.slice(from.length) : "";
  const removed = from.startsWith(to) ? from.slice(to.length) : "";
  return lines.map((line) => (hasText(line) && line.startsWith(removed) ? added + line.slice(removed.length) : line));
}

/** Whether a line may be at the level of the line before it that starts a block. */
function isSameLevel(line: string): boolean {
  return (
    closer.test(line) ||
    /^\s*(?:case\b.*|default|public|private|protected):$|^\s*(?:(?:\{|do|then|begin|[^\s(]+\))$)/.test(line)
  );
}

/** Whether the line before the cursor's line is not blank. */
function isAdjacent({ before, lastLine }: ParsedContext): boolean {
  return before.endsWith(`${lastLine}\n`);
}

/** Whether a line has only a comment. */
function isComment(line: string, { language }: Pick<ParsedContext, "language">): boolean {
  return language.lineComments.some((mark) => line.trimStart().startsWith(mark));
}

/** Whether a line starts a block. */
export function opens(line: string, context: Pick<ParsedContext, "language">): boolean {
  const { blocks, lineComments } = context.language;
  if (isComment(line, context)) return false;
  const code = lineComments.reduce((text, mark) => text.split(` ${mark} `, 1)[0] ?? "", line).trimEnd();
  if (/[([{]$/.test(code)) return true;
  if (hasColons(context.language)) return /(?::|\b(?:then|do|else)|: [|>][-+]?)$/.test(code);
  if (blocks === "words") return openerWord.test(code);
  return (
    openerTag.test(code) ||
    (blocks !== "tags" && (code.endsWith("=>") || label.test(code) || openerStatement.test(code)))
  );
}
