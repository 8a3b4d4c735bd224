import { indentOf, hasText } from "../text/lines.ts";
import type { CursorContext } from "./cleaning/context.ts";
import { opens } from "./cleaning/indentation.ts";
import { hasColons, languageOf } from "./languages.ts";

/** How much to complete: the rest of the line, one line, or the lines of a block; none for no request. */
export type CompletionKind = "none" | "rest" | "line" | "block";

/** How much before the cursor is read, in characters: a body may begin with a long comment. */
const maxText = 4_000;
/** Longest part of the line that is read on each side of the cursor, in characters. */
const maxLine = 1_000;

/** Only closing characters, which users type over, may follow the cursor in its line. */
const onlyClosers = /^(?:[)\]}>"'`;,:\s]|\/>|\*\/)*(?:<\/[\w.:-]*>[\s;,)]*)?$/;

/** Decides how much to complete. `isAfterAccepted`: the user has just accepted a completion here. */
export function completionKind(
  { prefix, suffix, languageId }: CursorContext,
  isAfterAccepted: boolean,
): CompletionKind {
  const linePrefix = prefix.slice(-maxLine).split("\n").at(-1) ?? "";
  const lineSuffix = suffix.slice(0, maxLine).split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
  if (prefix.trim() === "" && suffix.trim() === "") return "none";
  if (!onlyClosers.test(lineSuffix)) return "none";
  if (isAfterAccepted && lineSuffix.trim() === "") return "line";
  return isEmptyBody({ prefix, suffix, languageId }, linePrefix, lineSuffix) ? "block" : "rest";
}

/** Whether the cursor is in an empty block. */
function isEmptyBody({ prefix, suffix, languageId }: CursorContext, linePrefix: string, lineSuffix: string): boolean {
  const isOnOwnLine = linePrefix.trim() === "";
  if (!isOnOwnLine && lineSuffix.trim() !== "" && !/^[)\]};,\s]+$/.test(lineSuffix)) return false;
  const before = isOnOwnLine ? withoutComments(prefix.slice(-maxText), languageId) : linePrefix.trimEnd();
  const language = languageOf(languageId);
  const lastLine = before.split("\n").at(-1) ?? "";
  const indent = indentOf(lastLine).length;
  const next = suffix.slice(0, maxLine).split("\n").slice(1).find(hasText) ?? "";
  const isDeeper = indentOf(next).length > indent;
  // Right after a colon, a space or a bracket, a value or type follows.
  const isStatement = isOnOwnLine || (linePrefix.endsWith(":") && lineSuffix.trim() === "");
  if (hasColons(language) && !/[{([]$/.test(before)) return before.endsWith(":") && isStatement && !isDeeper;
  const isBelowWord = isOnOwnLine && language.blocks === "words" && opens(lastLine, { language });
  if (!isBelowWord && !(isOnOwnLine ? /[{([]$/ : /\{$/).test(before)) return false;
  const closes = lineSuffix.trim() === "" ? next.trimStart() : lineSuffix.trimStart();
  return /^[)\]}]/.test(closes) || (closes === "" && suffix.trim() === "") || (lineSuffix.trim() === "" && !isDeeper);
}

/** A text without the comments and the docstring at its end. */
function withoutComments(text: string, languageId: string): string {
  const { lineComments, multiline } = languageOf(languageId);
  let rest = text.trimEnd();
  for (;;) {
    const line = rest.slice(rest.lastIndexOf("\n") + 1);
    const isComment = lineComments.some((mark) => line.trimStart().startsWith(mark));
    const [open, close = ""] = multiline.find(([, end]) => end.length > 1 && line.endsWith(end)) ?? [];
    const start = open === undefined ? -1 : rest.lastIndexOf(open, rest.length - close.length - open.length);
    const end = isComment ? rest.length - line.length : start;
    // A string in a line with other code is not a docstring.
    if (end < 0 || hasText(rest.slice(rest.lastIndexOf("\n", end - 1) + 1, end))) return rest;
    rest = rest.slice(0, end).trimEnd();
  }
}
