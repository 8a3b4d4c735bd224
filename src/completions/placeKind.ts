import { indentOf, isFilled } from "../text/lines.ts";
import { languageOf } from "./languages.ts";
import type { CompletionPlace } from "./cleaning/place.ts";

/** How much is asked for at a place: the rest of the line, one line, or the lines of a block; none for no request. */
export type PlaceKind = "none" | "rest" | "line" | "block";

/** Longest line and longest part of it after the cursor that are looked at. */
const longestLine = 1_000;

/** Only closers, which are typed over, may stand to the right of the cursor. */
const onlyClosers = /^[)\]}>"'`;,:\s]*(?:<\/[\w.:-]*>[\s;,)]*)?$/;
const inWord = /[\p{L}\p{N}_$]$/u;
const startsWithWord = /^[\p{L}\p{N}_$]/u;

/** Decides how much to ask for. `isAfterAccepted` says that the user has just accepted a completion here. */
export function placeKind({ prefix, suffix, languageId }: CompletionPlace, isAfterAccepted: boolean): PlaceKind {
  const linePrefix = prefix.slice(-longestLine).split("\n").at(-1) ?? "";
  const lineSuffix = suffix.slice(0, longestLine).split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
  if (prefix.trim() === "" && suffix.trim() === "") return "none";
  if (inWord.test(linePrefix) && startsWithWord.test(lineSuffix)) return "none";
  if (!onlyClosers.test(lineSuffix)) return "none";
  if (isAfterAccepted) return "line";
  return isEmptyBody({ prefix, suffix, languageId }, linePrefix, lineSuffix) ? "block" : "rest";
}

/** Whether the cursor is in a block that has no line yet. */
function isEmptyBody({ prefix, suffix, languageId }: CompletionPlace, linePrefix: string, lineSuffix: string): boolean {
  const isOnOwnLine = linePrefix.trim() === "";
  if (!isOnOwnLine && lineSuffix.trim() !== "" && !/^[)\]};,\s]+$/.test(lineSuffix)) return false;
  const before = (isOnOwnLine ? prefix.slice(-longestLine) : linePrefix).trimEnd();
  const indent = indentOf(before.split("\n").at(-1) ?? "").length;
  const next = suffix.slice(0, longestLine).split("\n").slice(1).find(isFilled) ?? "";
  const isDeeper = indentOf(next).length > indent;
  if (["colons", "keys"].includes(languageOf(languageId).levels)) return before.endsWith(":") && !isDeeper;
  if (!(isOnOwnLine ? /[{([]$/ : /\{$/).test(before)) return false;
  const closes = lineSuffix.trim() === "" ? next.trimStart() : lineSuffix.trimStart();
  return /^[)\]}]/.test(closes) || (closes === "" && suffix.trim() === "") || (lineSuffix.trim() === "" && !isDeeper);
}
