/** What starts a comment in the languages that models write, with what may surround it. */
const commentStart = /^(?:\{?\/\*+|\/\/+|#+|<!--|--+|;+|%+|\*+|"""|'{1,3}|rem\b|\{\{!--)\s*/i;
const commentEnd = /\s*(?:\*+\/\}?|-->|"""|--\}\})$/;
const dots = "(?:\\.{3,}|…)";

const onlyDots = new RegExp(`^[([{]?\\s*${dots}\\s*[)\\]}]?[,;]?$`);
/** Words that stand for code, next to an ellipsis. */
const standIn =
  /\b(?:existing|unchanged|rest|remaining|remainder|same|other|others|previous|omitted|original|code|implementation|unmodified|keep|snip|more)\b|现有|其余|其他|剩余|原有|不变|省略|代码|保持/i;
const dotted = /^[([]?\s*(?:\.{2,}|…)|(?:\.{2,}|…)\s*[)\]]?$/;
/** What surrounds the words of a comment, as in `--- snip ---`. */
const rule = /^[-=*~_]{2,}\s*|\s*[-=*~_]{2,}$/g;
/** Words in brackets. */
const bracketed = /^[([<]\s*(\w+\s+\w.*?)\s*[)\]>]$/;
const what =
  "(?:code|implementation|content|contents|body|logic|imports?|functions?|methods?|class|file|fields?|properties|props|lines|tests?|cases|members|statements|options|config|configuration|styles|rules|markup)";
/** Whole comments that stand for code without an ellipsis. */
const phrases = new RegExp(
  `^[([]?(?:(?:the |all |keep |your )*(?:existing|unchanged|remaining|other|previous|original|rest of(?: the| this| your)?)(?: \\w+){0,2} ${what}(?: (?:here|unchanged|remains?|stays?|the same|goes here|omitted|continues|as (?:before|is)|above|below|is|are|of the file|of the code))*|etc\\.?|(?:the )?(?:rest|remainder|everything else)(?: of (?:the|this|your) \\w+)? (?:(?:is|remains?|stays?|kept?) )?(?:unchanged|omitted|the same|as is|as before)|unchanged|no changes?(?: here)?|same as (?:before|above|existing|original)|omitted(?: for brevity)?|(?:remains?|stays?|keep) (?:unchanged|as is|the same)|snip)[)\\]]?\\.?$`,
  "i",
);
const chinesePhrases =
  /^(?:(?:现有|其余|其他|剩余|原有|原来的)(?:的)?(?:代码|内容|逻辑|实现|部分)(?:保持)?(?:不变)?|(?:保持|其余)?不变|(?:此处)?省略)[。.]?$/;

const enclosed = new RegExp(`^[([]?${dots}.*${dots}[)\\]]?$`);

/** The longest line that is looked at; stand-ins are short. */
const longest = 200;

/** Whether an old line is no code but stands for lines that the answer leaves out. */
export function isEllipsis(line: string): boolean {
  return line.length <= longest && (onlyDots.test(line.trim()) || isOmission(line));
}

/** Whether a new line is a comment such as "... existing code ..." in place of the code. */
export function isOmission(line: string): boolean {
  if (line.length > longest) return false;
  const text = line.trim();
  if (onlyDots.test(text)) return true;
  if (!commentStart.test(text)) {
    const words = bracketed.exec(text)?.[1] ?? "";
    return phrases.test(words) || (enclosed.test(text) && standIn.test(text));
  }
  const words = text.replace(commentStart, "").replace(commentEnd, "").replace(rule, "").trim();
  return (
    onlyDots.test(words) ||
    phrases.test(words) ||
    chinesePhrases.test(words) ||
    (dotted.test(words) && standIn.test(words))
  );
}

/** The first of the new lines that stands for code and is no line of the old code. */
export function findOmission(added: readonly string[], old: readonly string[]): string | undefined {
  const omissions = added.filter(isOmission);
  if (omissions.length === 0) return undefined;
  const known = new Set(old.map((line) => line.trim()));
  return omissions.find((line) => !known.has(line.trim()));
}

/** How many lines of code a comment has to replace before a single word tells that it stands for them. */
const fewLines = 3;
const leftOut =
  /\b(?:existing|unchanged|unmodified|rest|remain\w*|omitted|elided|truncated|brevity|previous|original|same|as (?:before|is|was)|no changes?|keep|everything else)\b|\.{3}|…|现有|其余|剩余|原有|不变|省略/i;

/** Whether some lines are replaced by nothing but fewer comments that seem to stand for them. */
export function leavesOut(removed: readonly string[], added: readonly string[]): boolean {
  const filled = added.map((line) => line.trim()).filter((line) => line !== "");
  const isComment = (line: string): boolean => line.length <= longest && commentStart.test(line);
  const code = removed.map((line) => line.trim()).filter((line) => line !== "" && !commentStart.test(line));
  if (filled.length === 0 || code.length < Math.max(fewLines, filled.length) || !filled.every(isComment)) return false;
  if (!filled.some((line) => leftOut.test(line))) return false;
  const known = new Set(code);
  return !filled.some((line) => known.has(line.replace(commentStart, "").replace(commentEnd, "")));
}
