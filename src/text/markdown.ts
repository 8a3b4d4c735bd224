import { type CodeBlock, prefixLength, type TextLine } from "./markdownParts.ts";
import { withBlanksMarked, withUnseenMarked } from "./unseen.ts";

/** VS Code shows so many characters of a Markdown text and no more (`renderMarkdown`, seen in 1.139.1). */
export const longestShown = 100_000;

/** Parts what together would be HTML or an image, where an entity or a backslash would be seen. */
const wordJoiner = "\u2060";

/**
 * Foreign Markdown in a form of which everything is seen, whoever renders it: HTML, link definitions and images are
 * text, blocks of code have fences that nothing in them ends, characters that nobody sees are marked, as are blanks that
 * push code out of view, and of a list or quote only what is not `lifted` stays in it. Images would also tell a stranger's server what is in their address.
 */
export function showMarkdown(
  parts: readonly (CodeBlock | TextLine)[],
  isLifted: (block: CodeBlock) => boolean = () => false,
): string {
  const shown: string[] = [];
  let length = 0;
  for (const part of parts) {
    // Nobody sees more, and a long text would keep the editor waiting.
    if (length > longestShown) break;
    const before = shown.length;
    if (part.type === "line") shown.push(showLine(withBlanksSeen(withUnseenMarked(part.text))));
    else {
      const prefix = isLifted(part) ? "" : part.prefix;
      // A blank line ends whatever a block that is not in a list follows: a quote, an item of a list.
      if (endsWhatIsBefore(prefix, shown.at(-1) ?? "")) shown.push("");
      for (const line of showBlock(part)) shown.push(prefix + line);
    }
    for (let index = before; index < shown.length; index += 1) length += (shown[index]?.length ?? 0) + 1;
  }
  return shown.join("\n");
}

/** One fence longer than any that begins one of the lines, and at least `shortest` long. */
export function fenceAround(lines: Iterable<string>, shortest = 3): string {
  let length = shortest;
  for (const line of lines) {
    const run = /^\s*(`+)/.exec(line)?.[1]?.length ?? 0;
    if (run >= length) length = run + 1;
  }
  return "`".repeat(length);
}

function endsWhatIsBefore(prefix: string, line: string): boolean {
  return prefix === "" ? line !== "" : prefix.startsWith(">") && !/^(?:>|$)/.test(line);
}

function showBlock({ info, lines }: CodeBlock): readonly string[] {
  const shown = lines.map((line) => withBlanksMarked(withUnseenMarked(line)));
  const fence = fenceAround(shown);
  const [language = ""] = /^[\w+#.-]{1,50}/.exec(info) ?? [];
  return [fence + language, ...shown, fence];
}

/**
 * A line outside of blocks. Spans of code are kept; no other backtick, and no tag, image or definition, begins anything.
 * Entities say so: VS Code's renderer takes backslashes off the text of a link before it reads it.
 */
function showLine(line: string): string {
  const start = prefixLength(line);
  const isIndented = /^(?: {4}|\t)/.test(line);
  const prefix = line.slice(0, start);
  const text = line.slice(start);
  if (text.startsWith("~~~")) return `${prefix}&#126;${showWords(text.slice(1), isIndented)}`;
  if (beginsDefinition(text)) return `${prefix}&#91;${showWords(text.slice(1), isIndented)}`;
  return prefix + showWords(text, isIndented);
}

/** A line that may be code by its indentation. What is kept of the blanks keeps it so. Tables are often padded. */
function withBlanksSeen(line: string): string {
  return /^ {0,3}\|/.test(line) ? line : withBlanksMarked(line, 8);
}

/** Whether a line begins a link definition, or may begin one that goes on in the next line. */
function beginsDefinition(text: string): boolean {
  if (!text.startsWith("[")) return false;
  for (let index = 1; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === "[") return false;
    else if (text[index] === "]") return text[index + 1] === ":";
  }
  return true;
}

function showWords(text: string, isIndented: boolean): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const partners = partnersOf(runs);
  let shown = "";
  let end = 0;
  // In an address, and after some tildes, the renderer sees no span.
  let isDoubtful = false;
  for (const [position, { length, index }] of runs.entries()) {
    if (index < end) continue;
    const partner = runs[partners[position] ?? -1];
    const words = text.slice(end, index);
    const isEscaped = backslashesAtEnd(words) % 2 === 1;
    if (partner === undefined || isEscaped) {
      shown += plain(isEscaped ? words.slice(0, -1) : words, isIndented) + "&#96;".repeat(length);
      end = index + length;
      continue;
    }
    const span = text.slice(index, partner.index + length);
    isDoubtful ||= /\]\(|~/.test(words);
    const isSpan = !isDoubtful && (index === 0 || /\s$/.test(text.slice(index - 1, index)));
    shown += plain(words, isIndented) + (isSpan ? span : withoutTags(span));
    end = partner.index + length;
  }
  return shown + plain(text.slice(end), isIndented);
}

/** For each run of backticks the next one of the same length. */
function partnersOf(runs: readonly { readonly length: number }[]): readonly (number | undefined)[] {
  const next = new Map<number, number>();
  const partners: (number | undefined)[] = [];
  for (let position = runs.length - 1; position >= 0; position -= 1) {
    const { length } = runs[position] ?? { length: 0 };
    partners[position] = next.get(length);
    next.set(length, position);
  }
  return partners;
}

function plain(words: string, isIndented: boolean): string {
  if (isIndented) return withoutTags(words);
  return words
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replace(/!(?:\\\\)*\\?\[/g, (image) => `${image.replace(/\\?\[$/, "")}&#91;`);
}

/** For what may be code: nothing of it is hidden where it is none to the renderer. */
function withoutTags(code: string): string {
  return code.replace(/<(?=[a-z/!?])/gi, `<${wordJoiner}`).replace(/!(?=\\*\[)/g, `!${wordJoiner}`);
}

function backslashesAtEnd(words: string): number {
  let count = 0;
  while (words[words.length - 1 - count] === "\\") count += 1;
  return count;
}
