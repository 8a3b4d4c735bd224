import { type CodeBlock, linesIn, prefixLength, type TextLine } from "./markdownParts.ts";
import { withSpacesMarked, withInvisibleMarked } from "./hiddenText.ts";

/** Maximum length of Markdown that VS Code renders (`renderMarkdown`, VS Code 1.139.1). */
const maxShown = 100_000;

/** Separates characters that would form HTML or an image, where an entity or a backslash would be shown as it is. */
const wordJoiner = "\u2060";

/** Shown after Markdown that is cut. */
const ellipsis = "…";

/** Markdown that is short enough for VS Code to render it all. */
export interface Shown {
  readonly markdown: string;
  /** The same without escapes, to be copied. */
  readonly text: string;
  /** Number of lines of the source that are shown. The lines of a block count only if the whole block is shown. */
  readonly end: number;
}

interface Presentation {
  /** Replaces a block by another one to show. */
  readonly present?: (block: CodeBlock) => Pick<CodeBlock, "prefix" | "info" | "lines">;
  /** Markdown to show below, even if the source is cut. */
  readonly closing?: string;
}

/**
 * Makes untrusted Markdown safe to show, so that no renderer hides anything in it. HTML, link definitions and images become
 * text; images would also tell a foreign server that the text was read. Code blocks get fences that their content cannot
 * close. Invisible characters, and spaces that push code out of view, are marked. Text that is too long is cut after a line.
 */
export function showMarkdown(
  parts: Iterable<CodeBlock | TextLine>,
  { present = (block) => block, closing = "" }: Presentation = {},
): Shown {
  const [shown, texts]: [string[], string[]] = [[], []];
  let room = maxShown - "\n\n".length - ellipsis.length - "\n\n".length - closing.length;
  let end = 0;
  /** Adds lines, each with a line break, if they leave room for `reserved` characters. */
  const add = (lines: readonly string[], reserved = 0): boolean => {
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (length + reserved > room) return false;
    shown.push(...lines);
    room -= length;
    return true;
  };
  const addBlock = (block: CodeBlock): boolean => {
    const { prefix, info, lines } = present(block);
    const [language = ""] = /^[\w+#.-]{1,50}/.exec(info) ?? [];
    // Each line takes at least one character.
    const fence = fenceAround(lines.slice(0, room));
    const last = shown.at(-1) ?? "";
    // A blank line ends a quote or list item before a block that is not part of it.
    const isApart = prefix === "" ? last !== "" : prefix.startsWith(">") && !/^(?:>|$)/.test(last);
    const bottom = prefix + fence;
    const top = isApart ? ["", bottom + language] : afterQuote(last, bottom + language);
    if (!add(top, bottom.length + 1)) return false;
    const isFitting = (line: string): boolean =>
      add([prefix + withSpacesMarked(withInvisibleMarked(line))], bottom.length + 1);
    const cut = lines.findIndex((line) => !isFitting(line));
    add([bottom]);
    const copied = cut < 0 ? block.lines : lines.slice(0, cut);
    const mark = block.prefix + fenceAround(copied);
    texts.push(mark + language);
    for (const line of copied) texts.push(block.prefix + withInvisibleMarked(line));
    texts.push(mark);
    return cut < 0;
  };
  let isDoubtful = false;
  /** The columns of the table that the lines may be in. A blank line or a heading ends a table. */
  let columns = 0;
  const addLine = (text: string): boolean => {
    const line = withInvisibleMarked(text);
    const row = withAllCells(showLine(withSpacesVisible(line), isDoubtful), columns);
    const isShown = add(afterQuote(shown.at(-1) ?? "", row));
    if (/^ {0,3}(?:#{1,6} |$)/.test(line)) columns = 0;
    if (tableHead.test(line)) columns = Math.min(columns || line.length, line.match(/-+/g)?.length ?? 0);
    isDoubtful = line.trim() !== "" && (isDoubtful || doubt.test(line));
    if (isShown) texts.push(line);
    return isShown;
  };
  let isWhole = true;
  for (const part of parts) {
    isWhole = part.type === "line" ? addLine(part.text) : addBlock(part);
    isDoubtful &&= part.type === "line";
    if (!isWhole) break;
    end += linesIn(part);
  }
  if (!isWhole) shown.push("", ellipsis);
  if (closing !== "") shown.push("", closing);
  return { markdown: shown.join("\n"), text: texts.join("\n"), end };
}

/**
 * A line, after a blank one if it ends a quote. VS Code's renderer (marked 14) can hide a character for each line that
 * continues a list in a quote without the marks of the quote, and so hide code.
 */
function afterQuote(last: string, line: string): readonly string[] {
  const isOutside = line.trim() !== "" && quotesAround(line) < quotesAround(last);
  return isOutside ? ["", line] : [line];
}

function quotesAround(line: string): number {
  return line.slice(0, prefixLength(line)).split(">").length;
}

/** A fence of at least `minLength` backticks that is longer than any fence in the lines. */
export function fenceAround(lines: Iterable<string>, minLength = 3): string {
  let length = minLength;
  for (const line of lines) {
    const run = /^\s*(`+)/.exec(line)?.[1]?.length ?? 0;
    if (run >= length) length = run + 1;
  }
  return "`".repeat(length);
}

/** The lines as a code block, with a fence that is longer than any in them. */
export function fenced(lines: readonly string[], language = ""): string {
  const fence = fenceAround(lines);
  return [fence + language, ...lines, fence].join("\n");
}

/**
 * Escapes a line outside code blocks: all tags, images, definitions and backticks, except for those of code spans. Uses
 * entities, because VS Code's renderer removes backslashes from link texts before parsing them (VS Code 1.139.1).
 */
function showLine(line: string, isAfterDoubt: boolean): string {
  const start = prefixLength(line);
  const isIndented = /^(?: {4}|\t)/.test(line);
  const prefix = line.slice(0, start);
  const text = line.slice(start);
  if (text.startsWith("~~~")) return `${prefix}&#126;${escapeInline(text.slice(1), isIndented, isAfterDoubt)}`;
  const escaped = escapeInline(text, isIndented, isAfterDoubt);
  return prefix + (beginsDefinition(escaped) ? `&#91;${escaped.slice(1)}` : escaped);
}

/** Marks long runs of spaces, except in tables, which are often padded. The first 8 stay, so that indented code stays code. */
function withSpacesVisible(line: string): string {
  return /^ {0,3}\|/.test(line) ? line : withSpacesMarked(line, 8);
}

/** The second line of a table, which has a dash or more for each column. */
const tableHead = /^(?=.*[|:])[\s>]*(?:[|:-]\s*)+$/;

/** A row in a table with all its cells, because renderers hide those beyond the last column (GFM 0.29, "Tables"). */
function withAllCells(row: string, columns: number): string {
  if (columns === 0) return row;
  let cell = /^[\s>]*\|/.test(row) ? -1 : 0;
  const end = row.trimEnd().length;
  return row.replace(/(?<!\\)(?:\\\\)*\|/g, (pipe, at: number) =>
    at + pipe.length < end && (cell += 1) >= columns ? `${pipe.slice(0, -1)}\\|` : pipe,
  );
}

/** Whether a line starts a link definition, or may start one that continues in the next line. */
function beginsDefinition(text: string): boolean {
  if (!text.startsWith("[")) return false;
  for (let index = 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === "[") return false;
    else if (text[index] === "]") return text[index + 1] === ":";
  }
  return true;
}

/** Where VS Code's renderer (marked 14) may find no code spans in the rest of a paragraph: at a URL or some tildes. */
const doubt = /\]\(|~/;

function escapeInline(text: string, isIndented: boolean, isAfterDoubt: boolean): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const next = new Map(
    Map.groupBy(runs, ({ length }) => length)
      .values()
      .flatMap((same) => same.map((run, at) => [run, same[at + 1]] as const)),
  );
  let shown = "";
  let end = 0;
  const firstDoubt = isAfterDoubt ? -1 : (doubt.exec(text)?.index ?? text.length);
  for (const run of runs) {
    const { length, index } = run;
    if (index < end) continue;
    const partner = next.get(run);
    const words = text.slice(end, index);
    const isEscaped = /(?<!\\)\\(?:\\\\)*$/.test(words);
    if (partner === undefined || isEscaped) {
      shown += plain(isEscaped ? words.slice(0, -1) : words, isIndented) + "&#96;".repeat(length);
      end = index + length;
      continue;
    }
    const span = text.slice(index, partner.index + length);
    const isSpan = firstDoubt >= index && (index === 0 || /\s$/.test(text.slice(index - 1, index)));
    shown += plain(words, isIndented) + (isSpan ? span : withoutTags(span));
    end = partner.index + length;
  }
  return shown + plain(text.slice(end), isIndented);
}

function plain(words: string, isIndented: boolean): string {
  if (isIndented) return withoutTags(words);
  return words
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replace(/!(?:\\\\)*\\?\[/g, (image) => `${image.replace(/\\?\[$/, "")}&#91;`);
}

/** Escapes text that may be code, so that nothing is hidden if the renderer does not treat it as code. */
function withoutTags(code: string): string {
  return code.replace(/<(?=[a-z/!?])/gi, `<${wordJoiner}`).replace(/!(?=\\*\[)/g, `!${wordJoiner}`);
}
