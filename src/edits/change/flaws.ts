import type { EditProblemKind } from "../types.ts";
import { hidesText } from "../../text/unseen.ts";

/** A line that marks a part of an edit, perhaps decorated or with escaped brackets. */
const mark =
  /^(?:\W*(?:<|&lt;)+\s*SEARCH|\W*(?:>|&gt;)+\s*REPLACE|\s*\*{3} (?:(?:Begin|End) Patch|(?:Update|Add|Delete) File: .+))\W*$/;

/** The longest line that is looked at; marks and comments that stand for code are short. */
const longest = 300;

/**
 * Why new lines cannot be applied: they have marks of an edit, invisible characters, or blanks that push code out of view,
 * that the old ones did not have, or they leave out code.
 */
export function flawOf(added: readonly string[], old: readonly string[], isNew = false): EditProblemKind | undefined {
  if (hasMarks(added) && !hasMarks(old)) return "malformed";
  if (hidesText(added, old)) return "unseen";
  const omissions = added.filter((line) => isOmission(line, isNew));
  const known = omissions.length > 0 ? new Set(old.map((line) => line.trim())) : undefined;
  return omissions.every((line) => known?.has(line.trim())) ? undefined : "omission";
}

/**
 * Whether lines have marks of an edit, or old and new code between marks as in a conflict of Git. If the old lines have
 * none, the marks belong to an edit in an unknown format, and would end up in the code.
 */
export function hasMarks(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => /^\s*<{5,}(?:\s|$)/.test(line));
  const middle = lines.findIndex((line, index) => index > start && /^\s*={5,}\s*$/.test(line));
  const end = lines.findLastIndex((line) => /^\s*>{5,}(?:\s|$)/.test(line));
  const isConflict = start >= 0 && middle > start && end > middle;
  return isConflict || lines.some((line) => line.length <= longest && mark.test(line));
}

/** What starts and ends a comment in the languages that models write, with rules such as `--- snip ---`. */
const commentStart = /^(?:\{?\/\*+|\/\/+|#+|<!--|--+|;+|%+|"""|'{1,3}|rem\b|\{\{!--)\s*(?:[-=*~_]{2,}\s*)?/i;
const commentEnd = /(?:\s*[-=*~_]{2,})?\s*(?:\*+\/\}?|-->|"""|--\}\})?$/;

const onlyDots = /^[([{]?\s*(?:\.{3,}|…)\s*[)\]}]?[,;]?$/;
/** An ellipsis at an end of some words. */
const dotted = /^[([]?\s*(?:\.{2,}|…)|(?:\.{2,}|…)\s*[)\]]?$/;
/** Words that stand for code, next to an ellipsis or in place of several lines. */
const elision =
  /\b(?:existing|unchanged|unmodified|rest|remain\w*|same|others?|previous|original|omitted|elided|truncated|brevity|code|implementation|keep|snip|more|no changes?|as (?:before|is|was)|everything else)\b|现有|其余|其他|剩余|原有|不变|省略|代码|保持/i;
const what =
  "(?:code|implementation|contents?|body|logic|imports?|functions?|methods?|class|file|fields?|properties|props|lines|tests?|cases|members|statements|options|config\\w*|styles|rules|markup)";
const stays =
  "(?:(?:is|are|remains?|stays?|kept?) )?(?:unchanged|omitted|the same|as is|as before|here|goes here|continues)";
/** Whole comments that stand for code without an ellipsis. */
const phrase = new RegExp(
  `^[([<]?(?:(?:the |all |keep |your )*(?:existing|unchanged|remaining|other|previous|original|rest of(?: the| this| your)?)(?: \\w+){0,2} ${what}(?: ${stays})?|(?:the )?(?:rest|remainder|everything else)(?: of (?:the|this|your) \\w+)? ${stays}|(?:no changes?(?: here)?|same as (?:before|above|existing|original)|(?:remains?|stays?|keep) (?:as is|the same)|${stays}(?: for brevity)?|etc\\.?|snip)|(?:现有|其余|其他|剩余|原有|原来)的?(?:代码|内容|逻辑|实现|部分)(?:保持)?(?:不变)?|(?:保持|其余)?不变|(?:此处)?省略)[)\\]>]?[.。]?$`,
  "i",
);

/**
 * Whether a line stands for code that an answer leaves out, as a comment such as "... existing code ..." does. In a new file
 * there is no code that dots alone could stand for.
 */
export function isOmission(line: string, isNew = false): boolean {
  const text = line.length > longest ? "" : line.trim();
  if (onlyDots.test(text)) return !isNew;
  if (!commentStart.test(text)) return /^[([<].* /.test(text) && phrase.test(text);
  const words = text.replace(commentStart, "").replace(commentEnd, "").trim();
  if (onlyDots.test(words)) return !isNew;
  return phrase.test(words) || (dotted.test(words) && elision.test(words));
}

/** How many lines of code a comment has to replace before a single word tells that it stands for them. */
const fewLines = 3;

/** Whether some lines are replaced by nothing but fewer comments that seem to stand for them. */
export function leavesOut(removed: readonly string[], added: readonly string[]): boolean {
  const filled = added.map((line) => line.trim()).filter((line) => line !== "");
  const isComment = (line: string): boolean => line.length <= longest && commentStart.test(line);
  const code = removed.map((line) => line.trim()).filter((line) => line !== "" && !commentStart.test(line));
  if (filled.length === 0 || code.length < Math.max(fewLines, filled.length) || !filled.every(isComment)) return false;
  // A comment may as well be another one anew.
  if (removed.filter((line) => isComment(line.trim())).length >= filled.length) return false;
  if (!filled.some((line) => elision.test(line) || /\.{3}|…/.test(line))) return false;
  // Code that becomes a comment is not left out.
  const known = new Set(code);
  return !filled.some((line) => known.has(line.replace(commentStart, "").replace(commentEnd, "")));
}
