import { hasText, withLineFeeds } from "../text/lines.ts";
import { hidesText } from "../text/invisible.ts";
import { insideFence, insideTag, withoutMarkers, withoutThoughts, withoutTokens } from "./cleaning/envelope.ts";
import { fitIndentation } from "./cleaning/indentation.ts";
import { type CursorContext, type Place, readPlace } from "./cleaning/place.ts";
import { isRefusal, withoutElisions, withoutSentences } from "./cleaning/prose.ts";
import { withoutAfter, withoutBefore, withoutLoops } from "./cleaning/repeated.ts";

/** Longest answer that is read, in characters. */
const longestAnswer = 49_152;
/** How much of the line before the cursor is looked at, in characters. */
const longestLine = 2_000;
/** A fence that is none of a document's own. */
const textFence = /^\s*```(?:markdown|mdx?|text|txt|plaintext)[ \t]*\n/i;
/** Blank lines in a row that push code out of view. */
const gap = /(?:^|\n)(?:[^\S\n]*\n){10}/;

/** The text to insert at the cursor, or undefined for nothing. Pure. */
export function cleanCompletion(answer: string, source: CursorContext): string | undefined {
  const place = readPlace(source);
  const all = withLineFeeds(answer.slice(0, longestAnswer));
  const said = withoutTokens(withoutThoughts(all), place);
  const enveloped = insideEnvelope(said, place);
  const body = withoutMarkers(enveloped ?? said, place);
  if (withoutAfter(body, place) === "") return undefined;
  const inside = enveloped === undefined ? withoutAdditions(body, place) : body;
  if (inside === undefined || isRefusal(inside, place, enveloped !== undefined)) return undefined;
  const own = withoutBefore(withLineBreak(inside, place), place);
  if (own === undefined) return undefined;
  // The indentation tells closers of the completion from those that follow it.
  const text = withEdges(withoutAfter(fitIndentation(withEdges(withoutLoops(own), place), place), place), place);
  if (!hasText(text) || isHidden(text, place)) return undefined;
  return place.lineEnding === "\n" ? text : text.replaceAll("\n", "\r\n");
}

/** What the tag of an answer holds, without another tag or fence around all of that; `undefined` if there is none. */
function insideEnvelope(answer: string, place: Place): string | undefined {
  const inside = insideTag(answer, place);
  if (inside === undefined) return undefined;
  const isFenced = place.language.levels === "none" ? textFence.test(inside) : /^\s*```/.test(inside);
  return insideTag(inside, place) ?? (isFenced ? insideFence(inside, place) : undefined) ?? inside;
}

/** An answer without a tag, without what models add to it. */
function withoutAdditions(answer: string, place: Place): string | undefined {
  // What the model repeats is removed first if it can be: the fences and sentences in it are the document's.
  const own = withoutBefore(answer, place) ?? "";
  const inside = insideFence(own, place) ?? own;
  return withoutSentences(withoutElisions(insideTag(inside, place) ?? inside), place);
}

/** The text with the line break before it that a tag or fence took, and without needless blank lines. */
function withLineBreak(answer: string, { linePrefix, lineSuffix, open }: Place): string {
  const text = linePrefix.endsWith("}") ? answer : answer.replace(/^(?:[ \t]*\n){2,}/, "");
  if (!/\S$/.test(linePrefix) || hasText(lineSuffix) || hasText(open.until)) return text;
  const isIndented = /^(?:\t|[ \t]{2})[ \t]*\S/.test(text);
  const isAfterStatement = /(?:;|\S\s*(?<!\$)\{)$/.test(linePrefix);
  const isStatement = isAfterStatement && /^[\p{L}_@#$]/u.test(text) && !/^[^{\n]*\}/.test(text);
  // A comment of one line ends with it.
  const mark = /^\s*(?:\/\*)?(\*|\/\/+|#|--)(?= |$)/.exec(linePrefix)?.[1];
  const isComment = mark !== undefined && text.trimStart().startsWith(`${mark} `);
  return isIndented || isStatement || isComment ? `\n${text}` : text;
}

/** The text without the white space that the document has already on both sides. */
function withEdges(answer: string, { linePrefix, lineSuffix }: Place): string {
  let text = answer;
  if (!hasText(linePrefix)) text = text.replace(/^(?:[ \t]*\n)+/, "");
  else if (/\s$/.test(linePrefix)) text = text.replace(/^(?:[ \t]*\n)+[ \t]*|^[ \t](?=\S)/, "");
  return hasText(lineSuffix) ? text : text.trimEnd();
}

/** Whether a part of a text is not seen where it is shown: invisible characters, or code that is pushed out of view. */
function isHidden(text: string, { linePrefix }: Place): boolean {
  const before = linePrefix.slice(-longestLine);
  const [first = "", ...others] = text.split("\n");
  return gap.test(text) || hidesText([first, ...others]) || hidesText([before + first], [before]);
}
