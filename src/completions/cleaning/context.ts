import { indentOf, hasText, withLineFeeds } from "../../text/lines.ts";
import { type Brackets, readBrackets } from "./brackets.ts";
import { hasColons, type Language, languageOf } from "../languages.ts";

/** The text before and after the cursor, and VS Code's identifier of the language. */
export interface CursorContext {
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
}

/** The text around the cursor, of limited length and with `\n` as the only line ending, and its syntax. */
export interface ParsedContext {
  readonly before: string;
  readonly after: string;
  /** The line of the cursor, before and after it. */
  readonly linePrefix: string;
  readonly lineSuffix: string;
  /** The nearest lines with text before and after the line of the cursor. */
  readonly lastLine: string;
  readonly nextLine: string;
  readonly lineEnding: "\n" | "\r\n";
  readonly language: Language;
  /** What is open at the cursor. */
  readonly open: Brackets;
  /** Number of brackets that the completion has to close, less those it has to open; `undefined` in long documents. */
  readonly missingClosers: number | undefined;
  /** One level of indentation, if the text shows it. */
  readonly unit: string | undefined;
}

/** Length of the text that is read on each side, in characters. */
const maxSide = 32_768;

/** Parsed contexts. Cached, because an answer arrives in many pieces. */
const reads = new WeakMap<CursorContext, ParsedContext>();

/** Parses a context, only once. */
export function readContext(source: CursorContext): ParsedContext {
  const context = reads.get(source) ?? read(source);
  reads.set(source, context);
  return context;
}

function read({ prefix, suffix, languageId }: CursorContext): ParsedContext {
  const tail = prefix.slice(-maxSide);
  const before = withLineFeeds(tail);
  const after = withLineFeeds(suffix.slice(0, maxSide));
  const language = languageOf(languageId);
  const open = readBrackets(before, language);
  const rest = readBrackets(after, language, open.terminator);
  const isWhole = prefix.length <= maxSide && suffix.length <= maxSide;
  const isWindows = tail.includes("\n") ? /\r\n[^\n]*$/.test(tail) : /^[^\n]{0,1000}\r\n/.test(suffix);
  const lines = before.split("\n");
  const linePrefix = lines.pop() ?? "";
  const [lineSuffix = "", ...next] = after.split("\n", 50);
  return {
    before,
    after,
    linePrefix,
    lineSuffix,
    lastLine: lines.findLast(hasText) ?? "",
    // At the start of a line, that line comes next.
    nextLine: [linePrefix === "" ? lineSuffix : "", ...next].find(hasText) ?? "",
    lineEnding: isWindows ? "\r\n" : "\n",
    language,
    open,
    missingClosers: isWhole ? open.indents.length - rest.unopened.length : undefined,
    unit: unitOf([...lines.slice(-400), linePrefix + (hasText(lineSuffix) ? lineSuffix : "."), ...next]),
  };
}

/** The most frequent step by which a line is deeper than the one before. */
function unitOf(lines: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  let last = "";
  for (const line of lines) {
    if (!hasText(line)) continue;
    const indent = indentOf(line);
    const step = indent.startsWith(last) ? indent.slice(last.length) : "";
    if (step === "\t" || /^ {2,8}$/.test(step)) counts.set(step, (counts.get(step) ?? 0) + 1);
    last = indent;
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}

/** Whether the cursor is in code, rather than in a document or in a string or comment of several lines. */
export function isCode({ language, open }: ParsedContext): boolean {
  return language.blocks !== "none" && (open.terminator === "" || open.terminator === "\n");
}

/** Whether the cursor is after what opens a block, and before at most brackets that an editor has added. */
export function isInBody(context: ParsedContext): boolean {
  const { linePrefix, lineSuffix, language, open } = context;
  if (!isCode(context)) return false;
  if (hasText(lineSuffix)) return /(?<!\$)\{$/.test(linePrefix) && /^[)\]}]/.test(lineSuffix);
  return hasColons(language) && linePrefix.endsWith(":") && open.indents.length === 0;
}

/** Whether the cursor is right after the last character of its line. */
export function isAtEnd({ linePrefix, lineSuffix }: ParsedContext): boolean {
  return /\S$/.test(linePrefix) && !hasText(lineSuffix);
}
