import { type CodeBlock, prefixLength, type TextLine } from "./markdownParts.ts";
import { withBlanksMarked, withUnseenMarked } from "./unseen.ts";

/** Maximum length of Markdown that VS Code renders (`renderMarkdown`, VS Code 1.139.1). */
export const longestShown = 100_000;

/** Separates characters that together would form HTML or an image, where an entity or backslash would be visible. */
const wordJoiner = "\u2060";

/**
 * Makes untrusted Markdown safe to show, so that nothing in it is hidden by any renderer. HTML, link definitions and
 * images become text; code blocks get fences that their content cannot close; invisible characters, and blanks that
 * push code out of view, are marked. Of lists and quotes, only what is not `lifted` stays inside. Images would also
 * report to a foreign server that the text was read.
 */
export function showMarkdown(
  parts: readonly (CodeBlock | TextLine)[],
  isLifted: (block: CodeBlock) => boolean = () => false,
): string {
  const shown: string[] = [];
  let length = 0;
  for (const part of parts) {
    // The rest is never shown, and long texts block the editor.
    if (length > longestShown) break;
    const before = shown.length;
    if (part.type === "line") shown.push(showLine(withBlanksSeen(withUnseenMarked(part.text))));
    else {
      const prefix = isLifted(part) ? "" : part.prefix;
      // A blank line ends a quote or list item before a block that is not part of it.
      const last = shown.at(-1) ?? "";
      if (prefix === "" ? last !== "" : prefix.startsWith(">") && !/^(?:>|$)/.test(last)) shown.push("");
      for (const line of showBlock(part)) shown.push(prefix + line);
    }
    for (let index = before; index < shown.length; index += 1) length += (shown[index]?.length ?? 0) + 1;
  }
  return shown.join("\n");
}

/** A fence longer than any at the start of the lines, and at least `shortest` long. */
export function fenceAround(lines: Iterable<string>, shortest = 3): string {
  let length = shortest;
  for (const line of lines) {
    const run = /^\s*(`+)/.exec(line)?.[1]?.length ?? 0;
    if (run >= length) length = run + 1;
  }
  return "`".repeat(length);
}

function showBlock({ info, lines }: CodeBlock): readonly string[] {
  const shown = lines.map((line) => withBlanksMarked(withUnseenMarked(line)));
  const fence = fenceAround(shown);
  const [language = ""] = /^[\w+#.-]{1,50}/.exec(info) ?? [];
  return [fence + language, ...shown, fence];
}

/**
 * Escapes a line outside code blocks. Keeps code spans; no other backtick, tag, image or definition takes effect. Uses
 * entities, because VS Code's renderer removes backslashes from link texts before parsing them (seen in VS Code
 * 1.139.1).
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

/** Whether a line starts a link definition, or may start one that continues. */
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
  const next = new Map(
    Map.groupBy(runs, ({ length }) => length)
      .values()
      .flatMap((same) => same.map((run, at) => [run, same[at + 1]] as const)),
  );
  let shown = "";
  let end = 0;
  // VS Code's renderer (marked 14) finds no code span inside a URL or after some tildes.
  let isDoubtful = false;
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
    isDoubtful ||= /\]\(|~/.test(words);
    const isSpan = !isDoubtful && (index === 0 || /\s$/.test(text.slice(index - 1, index)));
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

/** For text that may be code: hides nothing if the renderer does not treat it as code. */
function withoutTags(code: string): string {
  return code.replace(/<(?=[a-z/!?])/gi, `<${wordJoiner}`).replace(/!(?=\\*\[)/g, `!${wordJoiner}`);
}
