import { isFilled } from "../../text/lines.ts";
import { type Fitter, longestEcho, longestText } from "./fit.ts";
import { withoutEnd, withoutLeader } from "./lineEnd.ts";
import { isOpener, isWord, overlaps, squeeze, weight } from "./overlap.ts";
import type { Place } from "./place.ts";

/** How much of the text after the cursor stands for all of it, in characters other than white space. */
const distinctive = 40;
/** How many shorter overlaps of brackets are tried. */
const fewTries = 4;

/** The answer without the code that follows the cursor anyway. */
export function withoutAfter(answer: string, place: Place, fitter: Fitter): string {
  const known = squeeze(place.after.slice(0, longestEcho)).text;
  if (known === "") return withoutExcess(answer, place, fitter);
  const offset = Math.max(0, answer.length - longestEcho);
  const said = squeeze(answer.slice(offset));
  const ended = withoutEnd(answer, place, fitter);
  if (ended !== undefined) return ended;
  const reached = whereReached(answer, known, place, fitter);
  const cut = reached === undefined ? answer : answer.slice(0, reached);
  if (cut !== answer) return withoutExcess(cut, place, fitter);
  const unled = withoutLeader(answer, place);
  if (unled !== undefined) return unled;
  let tries = 0;
  for (const size of overlaps(known, said.text)) {
    const at = offset + (said.at[said.at.length - size] ?? 0);
    if (isWord(answer[at - 1]) && isWord(answer[at])) continue;
    const rest = answer.slice(0, at);
    const isLine = answer.slice(answer.lastIndexOf("\n", at - 1) + 1, at).trim() === "";
    if (isLine && isOpener(known.slice(0, size))) return rest;
    // Where the cursor is at the end of its line, what follows starts a line in the answer, too.
    if (!isLine && place.lineSuffix.trim() === "" && weight(known.slice(0, size)) < 30) continue;
    if (weight(known.slice(0, size)) >= (isLine ? 4 : 3)) {
      if (fitter.prefers(answer, rest) > 0 && weight(known.slice(0, size)) < 16 && rest.trim() === "") continue;
      return rest;
    }
    if (tries === fewTries) break;
    tries += 1;
    const better = fitter.prefers(rest, answer);
    const isSeparator = /^[;,]$/.test(known.slice(0, size)) && place.lineSuffix.trim() !== "";
    if (better > 0 || (better === 0 && (isSeparator || closesTwice(rest, answer.slice(at), place)))) return rest;
  }
  return withoutExcess(answer, place, fitter);
}

/** Where the answer reaches the code after the cursor, whatever it says from there on. */
function whereReached(answer: string, known: string, place: Place, fitter: Fitter): number | undefined {
  const needle = known.slice(0, distinctive);
  if (weight(needle) < 10) return undefined;
  const said = squeeze(answer);
  for (let index = said.text.indexOf(needle); index >= 0; index = said.text.indexOf(needle, index + 1)) {
    const at = said.at[index] ?? 0;
    if (isWord(answer[at - 1]) && isWord(answer[at])) continue;
    const indent = answer.slice(answer.lastIndexOf("\n", at - 1) + 1, at);
    const isLine = indent.trim() === "" && at !== indent.length;
    const isSame = !isLine || indentBefore(place.after) === indent;
    if (!goesOnAlike(said.text.slice(index), known, index === 0)) continue;
    if (isSame || fitter.prefers(answer, answer.slice(0, at)) <= 0) return at;
  }
  return undefined;
}

/** Whether a text is like the one after the cursor for more than its start, and for most of it if it is all there is. */
function goesOnAlike(said: string, known: string, isAll: boolean): boolean {
  const most = Math.min(said.length, known.length);
  let same = distinctive;
  while (same < most && said[same] === known[same]) same += 1;
  if (same === most) return true;
  return isAll ? same > 0.8 * said.length : same >= 1.5 * distinctive;
}

/** The indentation of the first line that has text. */
function indentBefore(text: string): string {
  const lead = /^\s*/.exec(text)?.[0] ?? "";
  return lead.slice(lead.lastIndexOf("\n") + 1);
}

/** Whether a closer that stands alone on its line is followed by the same, with the same indentation. */
function closesTwice(rest: string, closer: string, { after, linePrefix }: Place): boolean {
  const indent = rest.slice(rest.lastIndexOf("\n") + 1);
  if (indent.trim() !== "" || !/^[)\]}]/.test(closer)) return false;
  const next = after.split("\n").find(isFilled) ?? "";
  const own = rest.includes("\n") ? indent : linePrefix + indent;
  return next.startsWith(own) && /^[)\]}]/.test(next.slice(own.length));
}

/** The answer up to the bracket that closes more than is open for it. */
function withoutExcess(answer: string, place: Place, fitter: Fitter): string {
  if (place.syntax.layout === "none" || answer.length > longestText) return answer;
  const base = fitter.judge(answer);
  if (base.faults === 0) return answer;
  const at = firstExcess(answer, place.syntax.lineComments.includes("#"));
  if (at === undefined) return answer;
  const rest = answer.slice(0, at);
  return fitter.judge(rest).faults < base.faults ? rest : answer;
}

/** The first closing bracket, tag or quotation mark that nothing in the answer opens. */
function firstExcess(answer: string, hasCases: boolean): number | undefined {
  const open: string[] = [];
  const tags = new Set<string>();
  const pairs = new Map([
    [")", "("],
    ["]", "["],
    ["}", "{"],
  ]);
  let quote = "";
  for (let index = 0; index < answer.length; index += 1) {
    const char = answer[index] ?? "";
    if (char === "\n") quote = quote === "`" ? quote : "";
    else if (char === "\\") index += 1;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (answer.startsWith('"""', index)) index += 2;
    else if (char === '"' || char === "`") {
      if (
        !answer
          .slice(index + 1, index + 200)
          .split("\n", 1)[0]
          ?.includes(char)
      )
        return index;
      quote = char;
    } else if ("([{".includes(char)) open.push(char);
    else if (hasCases && char === ")" && open.length === 0 && isCase(answer, index)) continue;
    // A variable of Perl may be named by a bracket.
    else if (hasCases && answer[index - 1] === "$" && pairs.has(char)) continue;
    else if (pairs.has(char) && open.pop() !== pairs.get(char)) return index;
    else if (char === "<") {
      const [, slash, name = ""] = /^<(\/?)([A-Za-z][\w.:-]{0,60})/.exec(answer.slice(index, index + 64)) ?? [];
      if (slash === "/" && !tags.has(name)) return index;
      tags.add(name);
    }
  }
  return undefined;
}

/** Whether a bracket ends the pattern of a case, as in scripts of a shell. */
function isCase(answer: string, index: number): boolean {
  const start = answer.lastIndexOf("\n", index) + 1;
  return (
    index - start < 80 &&
    /^\s*[^\s(]+$/.test(answer.slice(start, index)) &&
    /^[ \t]*(?:\n|$)/.test(answer.slice(index + 1, index + 40))
  );
}
