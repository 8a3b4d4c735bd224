import { withoutAfter } from "./cleaning/after.ts";
import { withoutBefore } from "./cleaning/before.ts";
import { withEdges, withStart } from "./cleaning/edges.ts";
import { withoutElisions } from "./cleaning/elisions.ts";
import { insideFence } from "./cleaning/fences.ts";
import { Fitter } from "./cleaning/fit.ts";
import { fitIndents } from "./cleaning/indents.ts";
import { withoutLineMarks } from "./cleaning/lineMarks.ts";
import { withoutLoops } from "./cleaning/loops.ts";
import { withoutMarkers } from "./cleaning/markers.ts";
import { squeeze } from "./cleaning/overlap.ts";
import { type CompletionPlace, type Place, readPlace, withLineFeeds } from "./cleaning/place.ts";
import { insideQuotes } from "./cleaning/quoted.ts";
import { withoutSentences } from "./cleaning/sentences.ts";
import { insideTags, withoutControl } from "./cleaning/tags.ts";
import { insideWrapper } from "./cleaning/wrappers.ts";

/** Longest answer that is read, in characters. */
const longestAnswer = 49_152;
/** How many envelopes an answer can have: a tag in a fence after a sentence. */
const mostEnvelopes = 4;

/** The text to insert at the cursor, or undefined for nothing. Pure. */
export function cleanCompletion(answer: string, place: CompletionPlace): string | undefined {
  const here = readPlace(place);
  const text = withLineFeeds(answer.slice(0, longestAnswer));
  const fitter = new Fitter(here, text);
  const all = withoutControl(text, here);
  // What the model repeats is removed first if it can be: the fences and sentences in it are the document's.
  const inner = unwrapped(withoutBefore(all, here, fitter) ?? all, here, fitter);
  if (here.lineSuffix.trim() === "" && [all, inner].some((said) => follows(said, here, 20))) return undefined;
  const next = withoutBefore(withoutElisions(inner, here), here, fitter);
  const code = withoutSentences(next ?? inner, here, fitter);
  if (code === undefined || code.trim() === "") return undefined;
  const said = withoutMarkers(code, here);
  const own = withoutBefore(said, here, fitter);
  if (own === undefined || own.trim() === "") return undefined;
  const started = own === said && next === inner ? withStart(own, here) : own;
  const short = withoutAfter(withoutLoops(started, here.linePrefix), here, fitter);
  if (short.trim() === "" || follows(short, here)) return undefined;
  const fitted = withEdges(fitIndents(withEdges(short, here), here, fitter), here);
  if (fitted.trim() === "") return undefined;
  return here.lineEnding === "\n" ? fitted : fitted.replaceAll("\n", "\r\n");
}

/** The code without fences and tags around it. */
function unwrapped(answer: string, place: Place, fitter: Fitter): string {
  let text = answer;
  for (let round = 0; round < mostEnvelopes; round += 1) {
    const inner =
      insideFence(text, place, fitter) ??
      insideTags(text, place) ??
      insideWrapper(text, place) ??
      insideQuotes(text, place, fitter) ??
      withoutLineMarks(text, place);
    if (inner === undefined) break;
    text = inner;
  }
  return text;
}

/** Whether a text of some length stands after the cursor already. */
function follows(text: string, { after }: Place, least = 8): boolean {
  const said = squeeze(text).text;
  return said.length >= least && squeeze(after.slice(0, 2 * text.length + 200)).text.startsWith(said);
}
