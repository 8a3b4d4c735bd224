import { indexOfEntity, withoutEntities } from "../../text/html.ts";
import { parseJson } from "../../text/json.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";
import type { Syntax } from "./syntax.ts";

/** Longest text on one line that can be a quotation. */
const longestSpan = 2_000;
const keys = /^(?:completions?|code|text|answer|insert(?:_?text|ion)?|content|result|output|response|replacement)$/i;

/** The code that the answer has as a quotation, as JSON, or with escapes; `undefined` if it is not quoted. */
export function insideQuotes(answer: string, place: Place, fitter: Fitter): string | undefined {
  const isShort = answer.length <= longestSpan;
  return (
    insideJson(answer, place) ??
    (isShort ? insideBackticks(answer, place, fitter) : undefined) ??
    withCharacters(answer, place, fitter) ??
    withLineBreaks(answer, place, fitter) ??
    withPlainQuotes(answer, place, fitter)
  );
}

function insideBackticks(answer: string, place: Place, fitter: Fitter): string | undefined {
  const double = /^\s*``[ ]?([^\n]+?)[ ]?``\s*$/.exec(answer)?.[1];
  if (double !== undefined && !double.includes("``")) return double;
  const [, bullet, span] = /^\s*([-*] )?`([^`\n]+)`\s*$/.exec(answer) ?? [];
  if (span !== undefined) return bullet !== undefined || !canBeQuoted(span, place, fitter) ? span : undefined;
  const bold = /^\s*\*\*([^*\n]+)\*\*\s*$/.exec(answer)?.[1];
  if (bold !== undefined && !place.syntax.isProse && /^["'`]?$/.test(fitter.scanner().until)) return bold;
  const quoted = /^\s*"([^"\n]+)"\s*$/.exec(answer)?.[1];
  const isStatement = quoted !== undefined && place.linePrefix.trim() === "" && /[;{]$/.test(quoted);
  return isStatement || (quoted !== undefined && fitter.prefers(quoted, answer) > 0) ? quoted : undefined;
}

/** Whether backticks around a text can be code. */
function canBeQuoted(text: string, place: Place, fitter: Fitter): boolean {
  const { syntax, linePrefix } = place;
  if (syntax.layout === "yaml") return linePrefix.trim() !== "" && !/[:-]\s*$/.test(linePrefix);
  const isLine = linePrefix.trim() === "";
  // A line of a comment, of a document or with tags is no code within that.
  if (isLine && (startsComment(text, syntax) || /^\s*(?:[-*+>|] |#{1,6} |\d+\. |\||<[\w/!])/.test(text))) return false;
  if (isLine && syntax.hasFences && /^\p{L}.*[.!?:]$/u.test(text) && text.split(" ").length > 5) return false;
  if (syntax.hasTags && (/[<>]/.test(text) || fitter.scanner().until !== "")) return false;
  if (isLine && syntax.layout === "none" && !syntax.isProse) return false;
  if (syntax.layout === "none" || syntax.isProse || fitter.scanner().until !== "") return true;
  const isStart = linePrefix.trim() === "";
  if (syntax.longTexts.some(([open]) => open === "`")) {
    const isValue = /(?:[=(,:+[?&|>{!]|\b(?:return|case|html|css|sql|gql|graphql|raw|keyframes|styled[.\w]*))\s*$/.test(
      linePrefix,
    );
    return !/[;{]$/.test(text) && (isValue || text.includes("${"));
  }
  if (syntax.layout === "words") return /^\w+$/.test(text) || (!isStart && /[=("'$]\s*$/.test(linePrefix));
  return syntax.lineComments.every((mark) => mark === "#") && syntax.layout === "brackets" && !isStart;
}

function startsComment(text: string, { lineComments, longTexts }: Syntax): boolean {
  const start = text.trimStart();
  if (lineComments.some((mark) => start.startsWith(mark))) return true;
  return longTexts.some(([open]) => /^(?:\/\*|<!--)/.test(open) && (start.startsWith(open) || start.startsWith("* ")));
}

/** The only text of an object, or a text with line breaks where no string can be. */
function insideJson(answer: string, { syntax, linePrefix, before, after }: Place): string | undefined {
  const text = answer.trim();
  const isObject = /^\{\s*"\w{1,20}"\s*:\s*"/.test(text) && text.endsWith("}");
  const isString = text.startsWith('"') && text.endsWith('"') && text.includes("\\n") && !text.includes("\n");
  if (!isObject && !isString) return undefined;
  const value = parseJson(text);
  if (isString) {
    const isAlone = linePrefix.trim() === "" && !/[[(,+]\s*$/.test(before.slice(-200));
    return isAlone && typeof value === "string" && value.trimEnd().includes("\n") ? value : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const [entry, ...others] = Object.entries(value);
  const [key = "", content]: readonly unknown[] = entry ?? [];
  if (others.length > 0 || typeof key !== "string" || typeof content !== "string" || !keys.test(key)) return undefined;
  const isOwn = before.includes(`"${key}"`) || after.includes(`"${key}"`);
  return isOwn && !syntax.isProse && /^[:[,]$/.test(linePrefix.trim().slice(-1)) ? undefined : content;
}

/** The answer with characters instead of entities, if the document has none and code cannot have them there. */
function withCharacters(answer: string, { before, after, syntax }: Place, fitter: Fitter): string | undefined {
  const first = indexOfEntity(answer);
  if (first < 0 || [before, after].some((side) => indexOfEntity(side) >= 0)) return undefined;
  const isCode = !syntax.isProse && fitter.scanner().feed(answer.slice(0, first)).until === "";
  const isTag = syntax.hasTags && /&lt;\/?\w|[=-]&gt;|&amp;&amp;/.test(answer);
  if (/[<>]/.test(answer) || (syntax.hasTags ? !isTag : !isCode)) return undefined;
  return withoutEntities(answer);
}

/** The answer with line breaks where the code has their escapes outside of strings. */
function withLineBreaks(answer: string, { syntax }: Place, fitter: Fitter): string | undefined {
  if (answer.trim().includes("\n") || !answer.includes("\\n") || syntax.isProse || syntax.layout === "none")
    return undefined;
  const scanner = fitter.scanner();
  const [first = "", ...others] = answer.split("\\n");
  let text = first;
  scanner.feed(first);
  for (const part of others) {
    const mark = scanner.until === "" || scanner.until === "\n" ? "\n" : "\\n";
    text += mark + part;
    scanner.feed(mark + part);
  }
  return text === answer ? undefined : text;
}

/** The answer with straight quotation marks where the document has no others. */
function withPlainQuotes(answer: string, { before, after, syntax }: Place, fitter: Fitter): string | undefined {
  const first = answer.search(/[“”]/);
  if (first < 0 || answer.includes('"') || /[“”]/.test(before + after)) return undefined;
  if (syntax.hasTags && /=“[^“”\n<>]{0,500}”/.test(answer)) return answer.replace(/[“”]/g, '"');
  if (syntax.isProse) return undefined;
  const isCode = fitter.scanner().feed(answer.slice(0, first)).until === "";
  return isCode ? answer.replace(/[“”]/g, '"') : undefined;
}
