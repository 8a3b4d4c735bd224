/** What starts and ends a comment in the languages that models write, with rules such as `--- snip ---`. */
const commentStart = /^(?:\{?\/\*+|\/\/+|#+|<!--|--+|;+|%+|\*+|"""|'{1,3}|rem\b|\{\{!--)\s*(?:[-=*~_]{2,}\s*)?/i;
const commentEnd = /(?:\s*[-=*~_]{2,})?\s*(?:\*+\/\}?|-->|"""|--\}\})?$/;

const onlyDots = /^[([{]?\s*(?:\.{3,}|…)\s*[)\]}]?[,;]?$/;
/** An ellipsis at an end of some words. */
const dotted = /^[([]?\s*(?:\.{2,}|…)|(?:\.{2,}|…)\s*[)\]]?$/;
const enclosed = /^[([]?(?:\.{3,}|…).*(?:\.{3,}|…)[)\]]?$/;
/** Words that stand for code, next to an ellipsis or in place of several lines. */
const standIn =
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

/** The longest line that is looked at; stand-ins are short. */
const longest = 200;

/** Whether a line stands for code that an answer leaves out, as a comment such as "... existing code ..." does. */
export function isOmission(line: string): boolean {
  const text = line.length > longest ? "" : line.trim();
  if (onlyDots.test(text)) return true;
  if (!commentStart.test(text))
    return (/^[([<].* /.test(text) && phrase.test(text)) || (enclosed.test(text) && standIn.test(text));
  const words = text.replace(commentStart, "").replace(commentEnd, "").trim();
  return onlyDots.test(words) || phrase.test(words) || (dotted.test(words) && standIn.test(words));
}

/** How many lines of code a comment has to replace before a single word tells that it stands for them. */
const fewLines = 3;

/** Whether some lines are replaced by nothing but fewer comments that seem to stand for them. */
export function leavesOut(removed: readonly string[], added: readonly string[]): boolean {
  const filled = added.map((line) => line.trim()).filter((line) => line !== "");
  const isComment = (line: string): boolean => line.length <= longest && commentStart.test(line);
  const code = removed.map((line) => line.trim()).filter((line) => line !== "" && !commentStart.test(line));
  if (filled.length === 0 || code.length < Math.max(fewLines, filled.length) || !filled.every(isComment)) return false;
  if (!filled.some((line) => standIn.test(line) || /\.{3}|…/.test(line))) return false;
  // Code that becomes a comment is not left out.
  const known = new Set(code);
  return !filled.some((line) => known.has(line.replace(commentStart, "").replace(commentEnd, "")));
}
