import { isFilled } from "../../text/lines.ts";
import type { Hunk } from "../read/operations.ts";

/** A number that a model has copied from a listing, or added, and what follows it. */
const numbered = /^\s*(\d{1,6})(:|\s?\||\t|→|\.(?= |$))(.*)$/;

/** The lines without the numbers before them. `undefined` if not all lines have them, in order. */
export function withoutNumbers(lines: readonly string[]): readonly string[] | undefined {
  const rows = lines.filter(isFilled).map((line) => numbered.exec(line));
  if (rows.length === 0 || !areInOrder(rows.map((row) => Number(row?.[1])))) return undefined;
  const isApart = rows.every((row) => row?.[2] !== "\t" && /^(?: |$)/.test(row?.[3] ?? ""));
  return lines.map((line) => numbered.exec(line)?.[3]?.slice(isApart ? 1 : 0) ?? line);
}

/** Whether several lines have numbers before them, in order, as hardly any code has. */
export function areNumbered(lines: readonly string[]): boolean {
  // Numbers with a dot are those of a list.
  const numbers = lines.flatMap((line) => {
    const [, number, mark] = numbered.exec(line) ?? [];
    return number === undefined || mark === "." ? [] : [Number(number)];
  });
  return numbers.length > 1 && areInOrder(numbers);
}

function areInOrder(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => number > (numbers[at - 1] ?? -1));
}

/** A hunk without numbers before its old lines, and before its new ones if they have any. */
export function hunkWithoutNumbers(hunk: Hunk): Hunk | undefined {
  const texts = hunk.old.map(({ text }) => text);
  const old = withoutNumbers(texts);
  const bare = new Map(texts.map((text, at) => [text, old?.[at] ?? ""]));
  const isNew = hunk.lines.some((line) => !bare.has(line) && numbered.test(line));
  const lines = isNew ? withoutNumbers(hunk.lines) : hunk.lines.map((line) => bare.get(line) ?? line);
  if (!old || !lines) return undefined;
  return {
    ...hunk,
    lines,
    old: hunk.old.map(({ isRemoved }, at) => ({ text: old[at] ?? "", ...(isRemoved === true && { isRemoved }) })),
  };
}
