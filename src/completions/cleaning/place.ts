import { embeddedCode } from "./embedded.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";

/** Where a completion goes: the text before and after the cursor, and VS Code's id of the language. */
export interface CompletionPlace {
  readonly prefix: string;
  readonly suffix: string;
  readonly languageId: string;
}

/** What is read of a place: a bounded part of the text on both sides, with `\n` as the only line ending. */
export interface Place {
  readonly before: string;
  readonly after: string;
  /** Whether `before` starts with the document. */
  readonly startsDocument: boolean;
  /** The code in the language at the cursor: all of the text, or a part of a document in another language. */
  readonly code: CodePlace;
  /** The current line before and after the cursor. */
  readonly linePrefix: string;
  readonly lineSuffix: string;
  readonly lineEnding: "\n" | "\r\n";
  readonly syntax: Syntax;
}

interface CodePlace {
  readonly before: string;
  readonly after: string;
  /** Whether nothing is missing before and after. */
  readonly isWhole: boolean;
  readonly isWholeAfter: boolean;
  /** Whether it is a part of a document in another language. */
  readonly isEmbedded: boolean;
}

/** How much is read on each side, in characters. */
const longestSide = 32_768;

/** What was read of places that are still asked about, with what they said then. */
const reads = new WeakMap<CompletionPlace, CompletionPlace & { readonly place: Place }>();

/** Reads a place, once as long as it stays the same: an answer comes in many pieces. */
export function readPlace(source: CompletionPlace): Place {
  const known = reads.get(source);
  const { prefix, suffix, languageId } = source;
  if (known?.prefix === prefix && known.suffix === suffix && known.languageId === languageId) return known.place;
  const place = read(source);
  reads.set(source, { prefix, suffix, languageId, place });
  return place;
}

function read({ prefix, suffix, languageId }: CompletionPlace): Place {
  const startsDocument = prefix.length <= longestSide;
  const endsDocument = suffix.length <= longestSide;
  const tail = startsDocument ? prefix : wholeLines(prefix.slice(-longestSide));
  const head = endsDocument ? suffix : suffix.slice(0, longestSide);
  const before = withLineFeeds(tail);
  const after = withLineFeeds(head);
  const end = after.indexOf("\n");
  const embedded = embeddedCode(languageId, before, after);
  const isEmbedded = embedded !== undefined && embedded.from > 0;
  return {
    before,
    after,
    startsDocument,
    code: {
      before: before.slice(embedded?.from),
      after: after.slice(0, embedded?.to),
      isWhole: startsDocument || isEmbedded,
      isWholeAfter: isEmbedded || endsDocument,
      isEmbedded,
    },
    linePrefix: before.slice(before.lastIndexOf("\n") + 1),
    lineSuffix: end < 0 ? after : after.slice(0, end),
    lineEnding: lineEndingOf(tail, head),
    syntax: syntaxOf(embedded?.languageId ?? languageId, before, after),
  };
}

/** The text with `\n` as the only line ending. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function wholeLines(tail: string): string {
  return tail.slice(tail.indexOf("\n") + 1);
}

/** The line ending next to the cursor. */
function lineEndingOf(before: string, after: string): "\n" | "\r\n" {
  const last = before.lastIndexOf("\n");
  if (last >= 0) return before[last - 1] === "\r" ? "\r\n" : "\n";
  const next = after.indexOf("\n");
  return next > 0 && after[next - 1] === "\r" ? "\r\n" : "\n";
}
