import { isFilled } from "../../text/lines.ts";
import type { Hunk } from "../read/operations.ts";

/** A number that a model has copied from a listing, or added, and what follows it. */
const numbered = /^\s*(\d{1,6})(:|\s?\||\t|→|\.(?= |$))(.*)$/;

/** The lines without the numbers before them. `undefined` if not all lines have them, in order. */
export function withoutNumbers(lines: readonly string[]): readonly string[] | undefined {
  const rows = lines.filter(isFilled).map((line) => numbered.exec(line));
  const numbers = rows.map((row) => Number(row?.[1]));
  if (rows.length === 0 || !numbers.every((number, at) => number > (numbers[at - 1] ?? -1))) return undefined;
  const isApart = rows.every((row) => row?.[2] !== "\t" && /^(?: |$)/.test(row?.[3] ?? ""));
  return lines.map((line) => numbered.exec(line)?.[3]?.slice(isApart ? 1 : 0) ?? line);
}

/** Whether several lines have numbers before them, in order, as hardly any code has. */
export function areNumbered(lines: readonly string[]): boolean {
  const numbers = lines.flatMap((line) => {
    const [, number, mark] = numbered.exec(line) ?? [];
    // Numbers with a dot are those of a list.
    return number === undefined || mark === "." ? [] : [Number(number)];
  });
  return numbers.length > 1 && numbers.every((number, at) => number > (numbers[at - 1] ?? -1));
}

/** A hunk without numbers before its old lines, and before its new ones if they have any. */
export function hunkWithoutNumbers(hunk: Hunk): Hunk | undefined {
  const texts = hunk.old.map(({ text }) => text);
  const old = withoutNumbers(texts);
  if (!old) return undefined;
  const known = new Set(texts);
  const added = hunk.lines.filter((line) => !known.has(line) && isFilled(line));
  const lines = added.some((line) => numbered.test(line)) ? withoutNumbers(hunk.lines) : undefined;
  if (!lines && added.some((line) => numbered.test(line))) return undefined;
  const bare = new Map(texts.map((text, at) => [text, old[at] ?? ""]));
  return {
    ...hunk,
    old: hunk.old.map((line, at) => ({ text: old[at] ?? "", ...(line.isRemoved && { isRemoved: true }) })),
    lines: lines ?? hunk.lines.map((line) => bare.get(line) ?? line),
  };
}
