import { hasText, indentOf, withLineFeeds } from "../text/lines.ts";
import { withoutReasoning } from "../prompts/answerTags.ts";
import { hidesText } from "../text/hiddenText.ts";
import { type CursorContext, type ParsedContext, isAtEnd, isCode, isInBody, readContext } from "./cleaning/context.ts";
import { insideFence, insideTag, untilEndMark, withoutCursorMarks } from "./cleaning/answerMarks.ts";
import { readBrackets } from "./cleaning/brackets.ts";
import { fitIndentation, opens } from "./cleaning/indentation.ts";
import { isRefusal, withoutSentences } from "./cleaning/prose.ts";
import { withoutLoops, withoutRepeatedPrefix, withoutRepeatedSuffix, withoutSuffix } from "./cleaning/repeated.ts";

/** Longest answer that is read, in characters. */
const maxAnswerLength = 49_152;
/** Longest part of the line before the cursor that is searched for hidden text, in characters. */
const maxLine = 2_000;
/** Blank lines in a row that push code out of view. */
const gap = /(?:^|\n)(?:[^\S\n]*\n){10}/;

/** The text to insert at the cursor, or undefined for nothing. Pure. */
export function cleanCompletion(answer: string, source: CursorContext): string | undefined {
  const context = readContext(source);
  const whole = untilEndMark(withoutReasoning(withLineFeeds(answer.slice(0, maxAnswerLength))), context);
  const enveloped = taggedText(whole, context);
  const body = withoutCursorMarks(enveloped ?? whole, context);
  if (!hasText(withoutRepeatedSuffix(body, context))) return undefined;
  const inside = enveloped === undefined ? withoutAdditions(body, context) : body;
  if (inside === undefined || isRefusal(inside, context)) return undefined;
  const own = withoutRepeatedPrefix(withLineBreak(inside, context), context);
  if (own === undefined) return undefined;
  // The indentation distinguishes closers of the completion from those that follow it.
  const fitted = fitIndentation(withoutLoops(own, context), context, enveloped !== undefined);
  const text = withEdges(withoutSuffix(fitted, context), context);
  if (!hasText(text) || isHidden(text, context)) return undefined;
  return context.lineEnding === "\n" ? text : text.replaceAll("\n", "\r\n");
}

/** The text inside the tag of an answer, without another tag or fence around all of it; `undefined` if there is no tag. */
function taggedText(answer: string, context: ParsedContext): string | undefined {
  const inside = insideTag(answer, context);
  if (inside === undefined) return undefined;
  return (/^\s*```/.test(inside) ? insideFence(inside, context) : undefined) ?? inside;
}

/** An answer without a tag, without the fence and sentences around the completion. */
function withoutAdditions(answer: string, context: ParsedContext): string | undefined {
  // Fences and sentences in what the answer repeats are the document's.
  const own = withoutRepeatedPrefix(answer, context) ?? "";
  return withoutSentences(insideFence(own, context) ?? own, context);
}

/** The text with the line break before it that a tag or fence took, and without needless blank lines. */
function withLineBreak(answer: string, context: ParsedContext): string {
  const { linePrefix, lineSuffix, open, language, unit = "    " } = context;
  const isBody = isInBody(context);
  const text = isAtEnd(context) ? answer : answer.replace(/^(?:[ \t]*\n){2,}/, isBody ? "\n" : "");
  if (!hasText(linePrefix) || hasText(open.terminator)) return text;
  // The text begins with the line of the cursor.
  if (text.startsWith("\n") || text.startsWith(linePrefix)) return text;
  const [own, indent] = [indentOf(text), indentOf(linePrefix)];
  const isIndented =
    /^(?:\t| {2})/.test(own) && (own === indent || own === indent + unit || opens(linePrefix, context));
  const isList = isIndented && opens(linePrefix, context) && own.length > indent.length && text.includes("\n");
  if (!isBody && (!/\S$/.test(linePrefix) || hasText(lineSuffix)))
    return isList ? `\n${text}` : isIndented && !linePrefix.endsWith("\t") ? text.slice(own.length) : text;
  const isInLine = isBody && !text.includes("\n") && readBrackets(text, language).terminator !== "\n";
  const isAfterStatement =
    !isInLine && (/(?:;|\S\s*(?<![$=])\{)$/.test(linePrefix) || (isBody && linePrefix.endsWith(":")));
  const isStatement = isAfterStatement && (isBody || /^[\p{L}_@#$]/u.test(text)) && !/^[^{\n]*\}/.test(text);
  return isIndented ? `\n${text}` : isStatement ? `\n${text.trimStart()}` : text;
}

/** The text without the whitespace that the document has already on both sides. */
function withEdges(answer: string, context: ParsedContext): string {
  const { linePrefix, lineSuffix } = context;
  let text = answer;
  if (!hasText(linePrefix)) text = text.replace(/^(?:[ \t]*\n)+/, "");
  else if (/\s$/.test(linePrefix)) text = text.replace(/^(?:[ \t]*\n)+[ \t]*|^ (?=\S)/, "");
  if (!hasText(lineSuffix)) return text.trimEnd();
  if (text.startsWith("\n") && /^(?:\{\}|\(\)|\[\]|><)/.test(linePrefix.slice(-1) + lineSuffix) && isCode(context))
    return `${text.trimEnd()}\n${indentOf(linePrefix)}`;
  return /^[ \t]/.test(lineSuffix) ? text.replace(/[ \t]+$/, "") : text;
}

/** Whether a part of a text would go unseen: invisible characters, or code that is pushed out of view. */
function isHidden(text: string, { linePrefix }: ParsedContext): boolean {
  const before = linePrefix.slice(-maxLine);
  const [first = "", ...others] = text.split("\n");
  return gap.test(text) || hidesText([first, ...others]) || hidesText([before + first], [before]);
}
