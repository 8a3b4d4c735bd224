import { splitLines } from "./lines.ts";

/** A fenced code block, without its fence and the prefixes of its lines. */
export interface CodeBlock {
  readonly type: "code";
  /** The prefix of its lines: spaces in a list item, markers in a quote. */
  readonly prefix: string;
  readonly fence: string;
  readonly info: string;
  readonly lines: readonly string[];
  readonly isClosed: boolean;
  /** Whether it contains blocks with fences as long as its own, where CommonMark would end it. */
  readonly isNested?: boolean;
  /** Whether it is inside HTML or a link definition, where Markdown shows no code. */
  readonly isInHtml: boolean;
}

/** Any other line. */
export interface TextLine {
  readonly type: "line";
  readonly text: string;
  /** Whether it is inside HTML or a link definition that began before it. */
  readonly isInHtml: boolean;
}

/** The position of an opening fence: its quotes, the column of its list item, and its indentation. */
interface Opening {
  readonly quotes: number;
  readonly column: number;
  readonly indent: number;
  readonly fence: string;
  readonly info: string;
}

/** The prefix of a line: whitespace, quote and list markers. */
const linePrefix = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?[\s>]*)*/;
const openingFence = /^((?: {0,3}>)*)( *)(`{3,}|~{3,})(.*)$/;
const closingFence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** A fence that the next closing fence belongs to: none in a quote or in an indented list item. */
const nestedFence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** A list item that starts with text. An item that starts with another item is ignored, because its column is ambiguous. */
const listItem = /^( *)((?:[-*+]|\d{1,9}[.)]) {1,4})(?! |$|(?:[-*+]|\d{1,9}[.)])(?: |$))/;

/**
 * Splits Markdown into fenced blocks and other lines (CommonMark). In a list item, fences count only in the column of its
 * text. A block whose info string `mayNest` may contain blocks with fences as long as its own, if all of them are closed.
 */
export function* readParts(
  markdown: string,
  mayNest: (info: string) => boolean = () => false,
): Iterable<CodeBlock | TextLine> {
  const html = new HtmlContext();
  const lines = splitLines(markdown);
  let columns: readonly number[] = [];
  let isAfterBlank = true;
  let isPaired = true;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    columns = columnsAfter(line, columns, isAfterBlank);
    isAfterBlank = line.trim() === "";
    const opening = openingOf(line, columns.at(-1) ?? 0);
    if (!opening) {
      yield { type: "line", text: line, isInHtml: html.isInside };
      html.add(textOf(line));
      continue;
    }
    const isInHtml = html.isInside;
    const nested: BlockReading | undefined =
      isPaired && mayNest(opening.info.trim()) ? readBlock(lines, index + 1, opening, true) : undefined;
    // Fences that do not pair up to the end are not tried again, so that this takes linear time.
    isPaired &&= nested?.block.isClosed !== false;
    const { block, end } = nested?.block.isClosed === true ? nested : readBlock(lines, index + 1, opening);
    if (isInHtml) for (const inside of lines.slice(index, end)) html.add(textOf(inside));
    yield { ...block, isInHtml };
    index = end - 1;
  }
}

/** The number of lines of a part, with its fences. */
export function linesIn(part: CodeBlock | TextLine): number {
  return part.type === "line" ? 1 : part.lines.length + (part.isClosed ? 2 : 1);
}

/** The length of a line's prefix. */
export function prefixLength(line: string): number {
  return linePrefix.exec(line)?.[0].length ?? 0;
}

function textOf(line: string): string {
  return line.slice(prefixLength(line));
}

/** The text columns of the open list items, innermost last. */
function columnsAfter(line: string, columns: readonly number[], isAfterBlank: boolean): readonly number[] {
  if (line.trim() === "") return columns;
  const indent = line.search(/[^ ]/);
  const open = columns.filter((column) => column <= indent);
  const [, spaces = "", mark = ""] = listItem.exec(line) ?? [];
  // Only "1." can start a list inside a paragraph (CommonMark 0.31, "List items").
  const isItem = mark !== "" && (isAfterBlank || columns.length > 0 || /^(?:[-*+]|1[.)])/.test(mark));
  return isItem && spaces.length - (open.at(-1) ?? 0) <= 3 ? [...open, spaces.length + mark.length] : open;
}

function openingOf(line: string, column: number): Opening | undefined {
  const [, marks = "", spaces = "", fence = "", info = ""] = openingFence.exec(line) ?? [];
  if (fence === "" || (fence.startsWith("`") && info.includes("`"))) return undefined;
  const quotes = marks.replaceAll(" ", "").length;
  // The blank after the mark of a quote belongs to the mark.
  const indent = quotes > 0 ? Math.max(0, spaces.length - 1) : spaces.length - column;
  return indent > 3 ? undefined : { quotes, column: quotes > 0 ? 0 : column, indent, fence, info };
}

interface BlockReading {
  readonly block: Omit<CodeBlock, "isInHtml">;
  readonly end: number;
}

/** Reads a block up to the line after its closing fence, or the first one outside its container. */
function readBlock(
  all: readonly string[],
  start: number,
  { quotes, column, indent, fence, info }: Opening,
  pairs = false,
): BlockReading {
  const inside: string[] = [];
  let end = start;
  let [isClosed, isNested, depth, least] = [false, false, 0, indent];
  while (end < all.length && !isClosed) {
    const line = inContainer(all[end] ?? "", quotes, column);
    if (line === undefined) break;
    const isEnd = closingFence.exec(line)?.[1]?.startsWith(fence) === true;
    if (isEnd) depth -= 1;
    else if (pairs && nestedFence.exec(line)?.[1]?.startsWith(fence) === true) [depth, isNested] = [depth + 1, true];
    isClosed = isEnd && depth < 0;
    if (!isClosed) inside.push(line);
    if (!isClosed && line.trim() !== "") least = Math.min(least, spacesBefore(line));
    end += 1;
  }
  // CommonMark removes the indentation of the fence line by line, which shifts lines against each other.
  const lines = inside.map((line) => line.slice(Math.min(least, spacesBefore(line))));
  const prefix = quotes > 0 ? "> ".repeat(quotes) : " ".repeat(column);
  return { block: { type: "code", prefix, fence, info: info.trim(), lines, isClosed, isNested }, end };
}

/** A line without the markers of its quote or the indentation of its list item; `undefined` if it is in neither. */
function inContainer(line: string, quotes: number, column: number): string | undefined {
  if (quotes === 0 && line.trim() === "") return line.slice(Math.min(column, line.length));
  if (quotes === 0) return spacesBefore(line) < column ? undefined : line.slice(column);
  let rest = line;
  for (let quote = 0; quote < quotes; quote += 1) {
    const [mark] = /^ {0,3}> ?/.exec(rest) ?? [];
    if (mark === undefined) return undefined;
    rest = rest.slice(mark.length);
  }
  return rest;
}

function spacesBefore(line: string): number {
  return line.search(/[^ ]|$/);
}

const blankLine = /^\s*$/;

/** Start and end conditions of HTML blocks (CommonMark 0.31, "HTML blocks"). */
const htmlBlocks: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  // A tag of any name at the start of a line hides everything up to a blank line.
  [/^<\/?[a-z]/i, blankLine],
];

/** A link definition whose title is not closed: VS Code's renderer (marked 14) hides everything up to the title's end. */
const openDefinition = /^\[[^[\]]{1,999}\]:[^"'(]{0,4000}(["'(])[^"')]*$/;
const titleEnds: Readonly<Record<string, RegExp>> = { '"': /"/, "'": /'/, "(": /\)/ };

/** The same in a link, which ends with its paragraph at the latest. */
const openLink = /\]\([^\s()]{0,999}[ \t]+(["'(])[^"')]{0,999}$/;
const linkEnds: typeof titleEnds = { '"': /"|^\s*$/, "'": /'|^\s*$/, "(": /\)|^\s*$/ };

/** Tracks where Markdown hides lines: in HTML and in the titles of links. */
class HtmlContext {
  #end: RegExp | undefined;

  /** Whether the next line is inside. */
  get isInside(): boolean {
    return this.#end !== undefined;
  }

  /** Adds the next line, without list or quote markers. */
  add(line: string): void {
    if (this.#end === undefined) this.#begin(line);
    else if (this.#end.test(line)) this.#end = undefined;
  }

  #begin(line: string): void {
    const end = htmlBlocks.find(([start]) => start.test(line))?.[1];
    // A block may end on its first line.
    if (end && (end === blankLine || !end.test(line.slice(2)))) this.#end = end;
    if (!end) this.#end = titleEnds[openDefinition.exec(line)?.[1] ?? ""] ?? linkEnds[openLink.exec(line)?.[1] ?? ""];
  }
}
