import { hasText } from "../../text/lines.ts";
import { isAtEnd, isCode, isInBody, type ParsedContext } from "./context.ts";
import { introduces, isProse } from "./prose.ts";
import { keyOf } from "./repeated.ts";

/** Longest line that is read as a fence or tag, in characters. */
const longestMark = 200;

/** Tags that models put around all of an answer, besides the one that the prompt asks for. */
const otherTag =
  /^\s*<((?:[a-z]+[_-])?(?:completion|code|answer|output|result|response|insert|fill|middle|text|snippet)(?:[_-][a-z]+){0,2})>/i;
const fence = /^\s{0,12}`{3,} {0,3}([^`]{0,80})$/;
/** What ends an answer: the tag of the prompt, and tokens for the end of a turn or a file. */
const endMark =
  /<\/completion>|<[|｜](?:end|eot|eos|im_|file|assistant|system)[\w▁]*[|｜]>|<\/s>|<EOT>|<eos>|<end_of_turn>/gi;
/** Markers for the cursor, or for a gap, in prompts. */
const cursorMark =
  /<\|?\/?(?:fim[_▁-]?(?:prefix|middle|suffix)|(?:user_|fim[_▁-]?|code_)?(?:cursor|caret|hole|fill|insert|mask|completion)(?:[_▁ -]?(?:is|me|here|in|hole|position|marker)){0,3})\s?\/?\|?>|<｜fim▁\w+｜>|(?:\{\{|\[\[?|<<<?|__)(?:cursor|caret|hole|mask|(?:fill|cursor|insert|complete)_(?:me|here|in))(?:\}\}|\]\]?|>>>?|__)|<extra_id_\d>|[█▮](?!["'`█])|(?<!["'`█])[█▮]/gi;

/** The answer up to its first end marker, which may be cut off. Markers in the document itself do not count. */
export function untilEndMark(answer: string, context: ParsedContext): string {
  const end = [...answer.matchAll(endMark)].find(
    ({ 0: mark, index }) => !isInDocument(mark, context) && hasText(answer.slice(0, index)),
  );
  if (end || !answer.includes("<completion>") || isInDocument("<completion", context))
    return answer.slice(0, end?.index);
  const last = Math.max(0, answer.lastIndexOf("</"));
  return "</completion>".startsWith(answer.slice(last)) ? answer.slice(0, last) : answer;
}

/** The answer without cursor markers, unless the document has them, and without the code outside of them. */
export function withoutCursorMarks(answer: string, context: ParsedContext): string {
  const marks = [...answer.matchAll(cursorMark)].filter(([mark]) => !isInDocument(mark, context));
  const starts = [0, ...marks.map(({ 0: mark, index }) => index + mark.length)];
  const parts = starts.map((start, at) => answer.slice(start, marks[at]?.index));
  // The completion is the part that repeats nothing: between two markers, or on one side of a single one.
  const [first, last] = [keyOf(parts[0] ?? ""), keyOf(parts.at(-1) ?? "")];
  if (hasText(parts.slice(1).join("")) && keyOf(context.before).endsWith(first)) parts.shift();
  if (hasText(parts.slice(0, -1).join("")) && keyOf(context.after).startsWith(last)) parts.pop();
  return parts.join("");
}

function isInDocument(mark: string, { before, after }: ParsedContext): boolean {
  return before.includes(mark) || after.includes(mark);
}

/** The text inside the tag that the prompt asks for, or another one around the answer; `undefined` if there is none. */
export function insideTag(answer: string, context: ParsedContext): string | undefined {
  // Sentences before it may name the tag.
  const start = answer.lastIndexOf("<completion>");
  const [open, name = "completion"] =
    start < 0 ? (otherTag.exec(answer.slice(0, longestMark)) ?? []) : ["<completion>"];
  if (open === undefined || isInDocument(`<${name}`, context)) return undefined;
  const inside = answer.slice(Math.max(0, start) + open.length);
  const end = inside.indexOf(`</${name}>`);
  const others = end < 0 || start >= 0 ? [] : inside.slice(end + name.length + 3).split("\n");
  // With code after the closing tag, the tag belongs to the code.
  if (others.some((line) => hasText(line) && !isProse(line))) return undefined;
  const whole = inside.slice(0, end < 0 ? undefined : end);
  const text = whole.replace(/\n[ \t]*$/, "");
  // The tags may be on lines of their own. Otherwise, or if it can't continue the line, the completion begins below it.
  const isStatement = /[\d)\]}"'`]$/.test(context.linePrefix) && /^\n[\p{L}@#$_]/u.test(text);
  const isUnfinished = isCode(context) && context.open.terminator === "" && /[.=]$/.test(context.linePrefix);
  const isContent = text === whole && !isUnfinished;
  const isBelow = isInBody(context) || (isAtEnd(context) && (isContent || isStatement));
  return isBelow ? text : text.replace(/^[ \t]*\n/, "");
}

/** The lines that start or end a fence. */
export function fencesIn(lines: readonly string[]): readonly { line: number; info: string }[] {
  return lines.flatMap((text, line) => {
    const info = fence.exec(text.slice(0, longestMark))?.[1];
    return info === undefined ? [] : [{ line, info: info.trim() }];
  });
}

/** The text inside the fence of an answer; `undefined` if there is none, or it is the document's. */
export function insideFence(answer: string, context: ParsedContext): string | undefined {
  const lines = answer.split("\n");
  const [first, ...others] = fencesIn(lines);
  if (!first) return undefined;
  const before = lines.slice(0, first.line).filter(hasText);
  const isDocument = context.language.hasFences === true;
  const isFirst = before.every((line) => introduces(line, context) || (!isDocument && isProse(line)));
  const close = others.find(({ info }) => info === "");
  const content = lines.slice(first.line + 1, close?.line).join("\n");
  // Below the line of the cursor, a block begins as on a line of its own.
  const isBelow = first.line > 0 && before.length === 0;
  const start = isBelow ? { ...context, linePrefix: "" } : context;
  if (isDocument && !(isFirst && before.length > 0) && isOfDocument(first.info, start)) return undefined;
  if (!isFirst) return first.info === "" || !isDocument ? lines.slice(0, first.line).join("\n") : undefined;
  return close ? content : content.replace(/`{3}\s*$/, "");
}

/** Whether a block is the document's own, rather than what the answer is wrapped in. */
function isOfDocument(info: string, { before, after, linePrefix }: ParsedContext): boolean {
  if (fencesIn(before.split("\n")).length % 2 === 1) return info === "" && fencesIn(after.split("\n"))[0]?.info !== "";
  return !hasText(linePrefix) && info !== "" && !/^(?:markdown|md|mdx|text|txt|plaintext)$|^\S*[\\/]/i.test(info);
}
