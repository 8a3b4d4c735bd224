import { indentOf, isFilled, withLineFeeds } from "../text/lines.ts";
import { hidesText } from "../text/unseen.ts";
import { insideEnvelope, withoutThoughts, withoutTokens } from "./cleaning/envelope.ts";
import { fitIndentation } from "./cleaning/indentation.ts";
import { type CompletionPlace, type Place, readPlace } from "./cleaning/place.ts";
import { withoutElisions, withoutSentences } from "./cleaning/prose.ts";
import { withoutAfter, withoutBefore, withoutLoops } from "./cleaning/repeated.ts";

/** Longest answer that is read, in characters. */
const longestAnswer = 49_152;
/** How many envelopes an answer can have: a tag in a fence after a sentence. */
const mostEnvelopes = 3;
/** How much of the line before the cursor is looked at, in characters. */
const longestLine = 2_000;
/** Blank lines in a row that push code out of view. */
const gap = /(?:^|\n)(?:[^\S\n]*\n){10}/;

/** The text to insert at the cursor, or undefined for nothing. Pure. */
export function cleanCompletion(answer: string, source: CompletionPlace): string | undefined {
  const place = readPlace(source);
  const all = withoutTokens(withoutThoughts(withLineFeeds(answer.slice(0, longestAnswer))), place);
  if (withoutAfter(all, place) === "") return undefined;
  // What the model repeats is removed first if it can be: the fences and sentences in it are the document's.
  const inside = unwrapped(withoutBefore(all, place) ?? "", place);
  const said = withoutSentences(withoutElisions(inside), place);
  const own = said === undefined ? undefined : withoutBefore(withEdges(said, place), place);
  if (own === undefined) return undefined;
  const short = withoutAfter(withoutLoops(own), place);
  const text = withEdges(fitIndentation(withEdges(short, place), place), place);
  if (text.trim() === "" || isHidden(text, place)) return undefined;
  return place.lineEnding === "\n" ? text : text.replaceAll("\n", "\r\n");
}

function unwrapped(answer: string, place: Place): string {
  let text = answer;
  for (let round = 0; round < mostEnvelopes; round += 1) {
    const inner = insideEnvelope(text, place);
    if (inner === undefined) break;
    text = inner;
  }
  return text;
}

/** The text without the white space that stands on both sides already. */
function withEdges(answer: string, place: Place): string {
  const { linePrefix, lineSuffix, open } = place;
  let text = answer;
  if (linePrefix.trim() === "" || /\S\s$/.test(linePrefix) || isNeedlessBreak(text, place))
    text = text.replace(/^(?:[ \t]*\n)+(?:[ \t]{2,}(?=\S))?/, (space) =>
      linePrefix.trim() === "" ? space.slice(space.lastIndexOf("\n") + 1) : "",
    );
  // A blank line is mostly needless but after a block.
  if (!linePrefix.endsWith("}")) text = text.replace(/^(?:[ \t]*\n){2,}/, "\n");
  if (/\S\s+$/.test(linePrefix)) text = text.replace(/^[ \t](?=\S)/, "");
  // A comment of one line ends with it.
  if (lineSuffix.trim() === "" && open.until.trim() === "" && startsLine(text, linePrefix)) text = `\n${text}`;
  return lineSuffix.trim() === "" ? text.trimEnd() : text;
}

/** Whether the line goes on although the answer starts another one. */
function isNeedlessBreak(answer: string, { linePrefix, lineSuffix, language, open }: Place): boolean {
  const [, indent = "", line = ""] = /^\s*\n([ \t]*)(\S[^\n]*)/.exec(answer) ?? [];
  if (line === "") return false;
  if (lineSuffix.trim() !== "") return !answer.trim().includes("\n");
  if (indent.length > 1 || indent === "\t" || answer.trim().includes("\n")) return false;
  const { levels } = language;
  // A single space, or what no line starts with that is not indented. A selector of CSS may.
  const isRest = indent === " " ? !line.startsWith("*") : /^[.,;:=?]/.test(line) && !/[,}/]$/.test(linePrefix);
  if (isFilled(linePrefix) && isRest) return true;
  // A name or a value that has only begun.
  const hasBegun = open.until === "" && /(?:^|[\w)\]])\.$|\w=$/.test(linePrefix);
  if (hasBegun && levels !== "none" && levels !== "keys") return true;
  const isCode = levels === "brackets" || levels === "words";
  return (
    isCode &&
    open.until !== "*/" &&
    (/[([]$/.test(linePrefix) || /^\s.*[^\s;{}:>,/|]$/.test(linePrefix)) &&
    !/\b(?:do|then|else)$/.test(linePrefix) &&
    !/^(?:[)\]}]|end\b)/.test(line)
  );
}

/** Whether a text has lost the line break before it. */
function startsLine(text: string, linePrefix: string): boolean {
  if (!/\S$/.test(linePrefix)) return false;
  const [indent, base] = [indentOf(text), indentOf(linePrefix)];
  const mark = /^(?:\/\*)?(\*|\/\/|#|--)(?= |$)/.exec(linePrefix.trimStart())?.[1];
  if (mark !== undefined && text.slice(indent.length).startsWith(`${mark} `)) return true;
  const isDeep = indent.length > 1 || indent === "\t";
  if (/(?:;|(?<!\$)\{)$/.test(linePrefix) && !/^[^{\n]*\}/.test(text))
    return isDeep || (linePrefix.trim() !== "{" && /^[\p{L}_@#$]/u.test(text));
  if (/^[ \t]*(?:[)\]}]|end\b|<\/)/.test(text)) return isDeep || linePrefix.endsWith(",");
  return isDeep && indent.startsWith(base) && !(indent === base && /^\s*[=:+&|?]/.test(text));
}

/** Whether a part of a text is not seen where it is shown: invisible characters, or code that is pushed out of view. */
function isHidden(text: string, { linePrefix }: Place): boolean {
  const before = linePrefix.slice(-longestLine);
  const [first = "", ...others] = text.split("\n");
  return gap.test(text) || hidesText([first, ...others]) || hidesText([before + first], [before]);
}
