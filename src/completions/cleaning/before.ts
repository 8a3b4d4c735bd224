import { isFilled } from "../../text/lines.ts";
import { type Fitter, longestEcho } from "./fit.ts";
import { isOpener, isWord, overlaps, type Squeezed, squeeze, weight } from "./overlap.ts";
import type { Place } from "./place.ts";
import { withoutRestart } from "./restart.ts";

/** Starts of a line that no text starts with once more. */
const leader = /^(?:\/\/+|\/\*+|\*|#{1,6}|--|[-*+>•]|\d+[.)]|[@<"'`]|<!--|"{3}|- \[[ x]\])$/;

/** Lines that only close something, as several in a row may do. */
const onlyCloses = /^\s*(?:<\/[\w.:-]*>|[)\]}>;,]+|end|fi|done|esac)*\s*$/;

/** The answer without the code right before the cursor, which it may repeat; `undefined` if it says nothing else. */
export function withoutBefore(answer: string, place: Place, fitter: Fitter): string | undefined {
  const said = squeeze(answer.slice(0, longestEcho));
  const known = fitter.squeezedBefore;
  for (const size of overlaps(said.text, known.text)) {
    const start = known.at[known.at.length - size] ?? 0;
    const end = (said.at[size - 1] ?? 0) + 1;
    if (/\s$/.test(place.before) && isWord(answer[end - 1]) && /\S/.test(answer[end] ?? "")) continue;
    const rest = restAfter(answer, said, size, place.before);
    // What is a whole line before the cursor starts a longer one here.
    const endsLine = place.linePrefix.trim() === "" && place.before.trimEnd().length < place.before.length;
    if (endsLine && size < 20 && /^[ \t]*\S/.test(answer.slice(end)) && place.before.includes("\n")) continue;
    const verdict = judge(
      answer,
      rest,
      place,
      { start: start + Math.max(0, place.before.length - longestEcho), size, said },
      fitter,
    );
    if (verdict === "keep") return answer;
    if (verdict === "nothing") return undefined;
    if (verdict === "strip") return rest;
  }
  const { linePrefix } = place;
  // Nothing that goes on with a line starts with its indentation and its text.
  if (/^[ \t]+\S\S?/.test(linePrefix) && answer.startsWith(linePrefix) && answer.length > linePrefix.length)
    return answer.slice(linePrefix.length);
  return withoutRestart(answer, place);
}

interface Echo {
  readonly start: number;
  readonly size: number;
  readonly said: Squeezed;
}

type Verdict = "strip" | "keep" | "nothing" | "next";

function judge(answer: string, rest: string, place: Place, { start, size, said }: Echo, fitter: Fitter): Verdict {
  const { before, linePrefix } = place;
  const echo = before.slice(start);
  const lineStart = before.lastIndexOf("\n", start - 1) + 1;
  const startsLine = before.slice(lineStart, start).trim() === "";
  const says = weight(said.text.slice(0, size));
  if (!startsLine && isWord(before[start - 1]) && isWord(before[start])) return "next";
  const isOnLine = start >= before.length - linePrefix.length;
  if (rest.trim() === "") return whollySaid(answer, echo, place, says, fitter);
  // Each line of a comment may start with the same character.
  if (echo.trim() === "*" && linePrefix.trim() === "") return "next";
  if (startsLine && linePrefix.trim() === "" && echo.split("\n").every((line) => onlyCloses.test(line)))
    return fitter.prefers(rest, answer) > 0 ? "strip" : "next";
  if (startsLine) {
    const enough = weight(linePrefix) >= 2 ? 4 : 3;
    if (isOnLine ? letters(echo) >= 2 : says >= enough || isOpener(echo.trim()))
      return startsAgain(rest, before) ? "nothing" : "strip";
    const better = fitter.prefers(rest, answer);
    if (better !== 0) return better > 0 ? "strip" : "next";
    return isOnLine && leader.test(linePrefix.trim()) ? "strip" : "next";
  }
  return isOnLine ? judgeEnd(answer, rest, echo, fitter) : says >= 40 ? "strip" : "next";
}

/** Judges the repeated end of a line that the cursor is in: a word that is typed in part, or an expression. */
function judgeEnd(answer: string, rest: string, echo: string, fitter: Fitter): Verdict {
  const text = echo.trim();
  if (text.endsWith(",") || /^(?:long|had|that)\s*$/.test(text)) return "next";
  const better = fitter.prefers(rest, answer);
  if (better !== 0) return better > 0 ? "strip" : "next";
  if (letters(text) < 2 || /[>})\]]$/.test(text)) return "next";
  if (/^[\w$]+$/.test(echo)) return text.length >= 3 || /^[a-z]/i.test(rest) ? "strip" : "next";
  return /[\w$]$|\.$|->$|::$|[([{="'<:]$/.test(text) ? "strip" : "next";
}

/** An answer that only repeats code is right where code repeats itself: closers, items, a run of equal lines. */
function whollySaid(answer: string, echo: string, place: Place, says: number, fitter: Fitter): Verdict {
  const filled = echo.split("\n").filter(isFilled);
  const hasWords = place.syntax.layout === "words" && place.linePrefix.trim() === "";
  if (hasWords && filled.every((line) => onlyCloses.test(line))) return "keep";
  if (place.linePrefix.trim() !== "")
    return letters(echo) >= 2 ? "nothing" : fitter.prefers("", answer) > 0 ? "nothing" : "next";
  if (filled.length > 1) return says >= 8 ? "nothing" : fitter.prefers("", answer) > 0 ? "nothing" : "next";
  const line = filled[0]?.trim() ?? "";
  const lines = place.before.slice(-4_096).trimEnd().split("\n").slice(-3);
  const isRun = lines.filter((one) => one.trim() === line).length > 1;
  const isItem = says < 12 || /[,>|]$/.test(line) || isRun;
  return isItem && fitter.prefers("", answer) <= 0 ? "keep" : "nothing";
}

/** Whether what is left starts with the last line before the cursor once more. */
function startsAgain(rest: string, before: string): boolean {
  const next = rest.trimStart().split("\n", 1)[0]?.trim() ?? "";
  const last = before.slice(-4_096).trimEnd().split("\n").at(-1)?.trim();
  return weight(next) >= 8 && next === last;
}

function letters(text: string): number {
  return text.slice(-512).replace(/[^\p{L}]/gu, "").length;
}

/** What follows the repeated text, without the white space that stands before the cursor already. */
function restAfter(answer: string, said: Squeezed, size: number, before: string): string {
  const rest = answer.slice((said.at[size - 1] ?? -1) + 1);
  const space = before.slice(before.trimEnd().length);
  if (rest.startsWith(space)) return rest.slice(space.length);
  const lead = /^\s*/.exec(rest)?.[0] ?? "";
  const lineEnd = lead.lastIndexOf("\n");
  if (!space.includes("\n")) return space !== "" && lineEnd < 0 ? rest.slice(lead.length) : rest;
  return lineEnd < 0 ? rest.slice(lead.length) : rest.slice(lineEnd + 1);
}
