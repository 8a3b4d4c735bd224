import type { EditProblemKind } from "../types.ts";
import { hidesText } from "../../text/hiddenText.ts";

/** A marker of an edit, even if it is decorated or its brackets are escaped: `**<<<<<<< SEARCH**`, `&gt;&gt; REPLACE`. */
const mark =
  /^(?:\W*(?:<|&lt;)+\s*SEARCH|\W*(?:>|&gt;)+\s*REPLACE|\s*\*{3} (?:(?:Begin|End) Patch|(?:Update|Add|Delete) File: .+))\W*$/;

/** Maximum length of a line that is checked. Marks, and comments that stand for code, are short. */
const maxLength = 300;

/**
 * Why new lines cannot be applied: they have marks of an edit, hidden text, or comments that stand for omitted code, as the
 * old lines do not.
 */
export function flawOf(added: readonly string[], old: readonly string[], isNew = false): EditProblemKind | undefined {
  if (hasMarks(added) && !hasMarks(old)) return "malformed";
  if (hidesText(added, old)) return "unseen";
  const omissions = added.filter((line) => isOmission(line, isNew));
  const known = omissions.length > 0 ? new Set(old.map((line) => line.trim())) : undefined;
  return omissions.every((line) => known?.has(line.trim())) ? undefined : "omission";
}

/**
 * Whether lines have marks of an edit, or of a merge conflict. In new lines, they are the remains of an edit in an unknown
 * form.
 */
export function hasMarks(lines: readonly string[]): boolean {
  const start = lines.findIndex((line) => /^\s*<{5,}(?:\s|$)/.test(line));
  const middle = lines.findIndex((line, index) => index > start && /^\s*={5,}\s*$/.test(line));
  const end = lines.findLastIndex((line) => /^\s*>{5,}(?:\s|$)/.test(line));
  const isConflict = start >= 0 && middle > start && end > middle;
  return isConflict || lines.some((line) => line.length <= maxLength && mark.test(line));
}

/** The start and end of a comment in most languages, with rules such as `--- snip ---`. */
const commentStart = /^(?:\{?\/\*+|\/\/+|#+|<!--|--+|;+|%+|"""|'{1,3}|rem\b|\{\{!--)\s*(?:[-=*~_]{2,}\s*)?/i;
const commentEnd = /(?:\s*[-=*~_]{2,})?\s*(?:\*+\/\}?|-->|"""|--\}\})?$/;

const onlyDots = /^[([{]?\s*(?:\.{3,}|…+|⋯+)\s*[)\]}]?[,;]?$/;
/** An ellipsis before and after some words. */
const [dotsBefore, dotsAfter] = [/^[([<]?\s*(?:\.{2,}|…|⋯)/, /(?:\.{2,}|…|⋯)\s*[)\]>]?$/];
/** Words that, next to an ellipsis, stand for omitted code. */
const elision =
  /\b(?:existing|unchanged|unmodified|rest|remain\w*|same|others?|previous|original|omitted|elided|truncated|brevity|code|implementation|keep|snip|more|no changes?|as (?:before|is|was)|everything else)\b|现有|其余|其他|剩余|原有|不变|省略|代码|保持/i;
const what =
  "(?:code|implementation|contents?|body|logic|imports?|functions?|methods?|class|file|fields?|properties|props|lines|tests?|cases|members|statements|options|config\\w*|styles|rules|markup)";
const isGone = "(?:(?:is|are|remains?|stays?|kept?) )?(?:unchanged|omitted|the same|as is|as before)";
const stays = `(?:${isGone}|here|goes here|continues)`;
/** Whole comments that stand for omitted code without an ellipsis. */
const phrase = new RegExp(
  `^[([<（]?(?:(?:the |all |keep |your )*(?:existing|unchanged|remaining|other|previous|original|rest of(?: the| this| your)?)(?: \\w+){0,2} ${what}(?: ${stays})?|(?:keep |leave )?(?:the )?(?:rest|remainder|everything else)(?: of (?:the|this|your) \\w+)? ${stays}|(?:\\w+ ){0,3}(?:code|implementation|logic|methods|functions|imports) ${isGone}(?: for brevity)?|(?:no changes?(?: here)?|same as (?:before|above|existing|original)|(?:remains?|stays?|keep) (?:as is|the same)|${stays}(?: for brevity)?|etc\\.?|snip)|(?:保持|保留)?(?:现有|其余|其他|剩余|原有|原来|以下|后续|之前|前面|上面)的?(?:(?:代码|内容|逻辑|实现|部分)|\\p{Script=Han}{0,6}不变)|(?:保持|其余)?不变|(?:此处|以下)?省略\\p{Script=Han}{0,6})[)\\]>）]?[.。]?$`,
  "iu",
);

/** Whether a line such as "// ... existing code ..." stands for omitted code. In a new file, dots alone do not. */
export function isOmission(line: string, isNew = false): boolean {
  const text = line.length > maxLength ? "" : line.trim();
  if (onlyDots.test(text)) return !isNew;
  const isComment = commentStart.test(text);
  const words = text.replace(commentStart, "").replace(commentEnd, "").trim();
  if (onlyDots.test(words)) return !isNew;
  const dots = [dotsBefore, dotsAfter].filter((one) => one.test(words)).length;
  const isElision = dots > 0 && elision.test(words);
  if (!isComment) return (dots === 2 && isElision) || (/^[([<].* /.test(text) && phrase.test(text));
  // An ellipsis on both sides stands for omitted code in any language.
  return phrase.test(words) || dots === 2 || isElision;
}
