import type { LineRange } from "../../text/lineRange.ts";
import { hasText, indentOf } from "../../text/lines.ts";

/** A language in which indentation is syntax. */
interface Language {
  readonly files: RegExp;
  /** The start of a line whose indentation counts. In YAML, what follows the dash of an item is a block of its own. */
  readonly start: RegExp;
  /** Code that the next line may be indented below. */
  readonly opens: RegExp;
  /** Whether the next line has to be indented below it. */
  readonly needsBlock: boolean;
  /** Lines that begin a multiline text, which ends at a line that is indented no more than they are. */
  readonly opensText?: RegExp;
}

const languages: readonly Language[] = [
  { files: /\.pyi?$/, start: /^[ \t]*(?=[^\s#])/, opens: /:\s*$/, needsBlock: true },
  {
    files: /\.ya?ml$/,
    start: /^[ \t]*(?:(?:- +)+(?=[^\s#])|(?=-$|[^\s#][^:#]*:(?:\s|$)))/,
    opens: /[:-]\s*(?:[&!]\S+\s*)*$/,
    needsBlock: false,
    opensText: /[|>][-+\d]{0,2}\s*(?:#.*)?$/,
  },
];

/** A line whose indentation counts. */
interface Start {
  /** Its indentation, and that of what it begins. */
  readonly indent: string;
  readonly inner: string;
  /** The line of code above it, without the content of its strings and its comment. */
  readonly above: string;
}

/** Maximum number of lines to search for the block of a line. Without a result, its indentation is taken to be right. */
const maxLines = 1_000;

/** Maximum length of a line, in characters. A file with a longer one is not checked. */
const maxLineLength = 2_000;

/**
 * Whether a line of Python or YAML in one of these ranges, or the next one below, is in no block: it is indented more than the
 * line above, which opens no block, or less, but unlike any block above.
 */
export function isMisindented(path: string, lines: readonly string[], ranges: readonly LineRange[]): boolean {
  const language = languages.find(({ files }) => files.test(path));
  if (!language || lines.some(({ length }) => length > maxLineLength)) return false;
  const starts = startsIn(language, lines);
  return ranges.some(({ start, end }) => {
    let below = end;
    while (below < end + maxLines && below < lines.length && !starts[below]) below += 1;
    for (let at = start; at <= below; at += 1) if (isInNoBlock(language, starts, at)) return true;
    return false;
  });
}

function isInNoBlock({ opens, needsBlock }: Language, starts: readonly (Start | undefined)[], at: number): boolean {
  const line = starts[at];
  if (!line) return false;
  let isFirst = true;
  for (let number = at - 1; number >= Math.max(0, at - maxLines); number -= 1) {
    const other = starts[number];
    if (!other) continue;
    const isInside = line.indent.startsWith(other.inner) && line.indent !== other.inner;
    if (isInside) return !isFirst || !opens.test(line.above);
    if (isFirst && needsBlock && opens.test(line.above)) return true;
    // A key may be below the items of a list only where it is beside the key of that list.
    const isBeside = line.indent === other.indent && (line.indent !== line.inner || other.indent === other.inner);
    if (isBeside || line.indent === other.inner) return false;
    isFirst = false;
  }
  return !isFirst && at <= maxLines;
}

/** A comment, or a line of a template around the code, as in Helm and Ansible. */
const noCode = /^\s*(?:#|\{\{[^{}]*\}\}\s*$|\{%)/;

const tokens = /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#.*$|[()[\]{}]/g;

/** The lines whose indentation counts, by their numbers: not those inside brackets or a text, or that continue a line. */
function startsIn({ start, opensText }: Language, lines: readonly string[]): readonly (Start | undefined)[] {
  let [depth, quote, text, above] = [0, "", Infinity, ""];
  return lines.map((line) => {
    const indent = indentOf(line);
    if (hasText(line) && indent.length <= text) text = Infinity;
    if (text < Infinity) return undefined;
    const isCode = hasText(line) && !noCode.test(line);
    const isInside = depth > 0 || quote !== "" || above.endsWith("\\");
    const [beginning] = isInside || !isCode ? [] : (start.exec(line) ?? []);
    const found = beginning === undefined ? undefined : { indent, inner: beginning.replaceAll("-", " "), above };
    if (isCode) above = line.replace(tokens, blankText);
    for (const [token] of line.matchAll(tokens)) {
      if (quote !== "") quote = token === quote ? "" : quote;
      else if (token === '"""' || token === "'''") quote = token;
      else if (/[([{]/.test(token[0] ?? "")) depth += 1;
      else if (/[)\]}]/.test(token[0] ?? "")) depth = Math.max(0, depth - 1);
    }
    if (opensText?.test(line) === true) text = indent.length;
    return found;
  });
}

function blankText(token: string): string {
  return token.startsWith("#") ? "" : token.replace(/^["'].*/, '""');
}
