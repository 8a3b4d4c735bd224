import { isFilled } from "../../text/lines.ts";
import type { Place } from "./place.ts";

const number = /^[ \t]*L?(\d{1,6})[ \t]?(\||│|→|:|\t)/;

/** The answer without line numbers, the signs of a diff, or marks of a quotation before each line. */
export function withoutLineMarks(answer: string, place: Place): string | undefined {
  const lines = answer.split("\n");
  const filled = lines.filter(isFilled);
  return (
    withoutNumbers(lines, filled, place) ?? withoutSigns(lines, filled, place) ?? withoutQuotes(lines, filled, place)
  );
}

function withoutNumbers(lines: readonly string[], filled: readonly string[], place: Place): string | undefined {
  const marks = filled.map((line) => number.exec(line.slice(0, 40)));
  const [first] = marks;
  if (!first) return undefined;
  const start = Number(first[1]);
  const sign = first[2] ?? "";
  const here = place.before.split("\n").length;
  const isHere = place.startsDocument ? Math.abs(start - here) <= 1 : sign === "|" && start > here;
  if (!isHere && (place.syntax.isProse || filled.length < 2 || sign === ":" || sign === "\t")) return undefined;
  const isCounted = marks.every((mark, at) => mark?.[2] === sign && Number(mark[1]) >= start + at);
  if (!isCounted) return undefined;
  const rests = lines.map((line) => line.slice(number.exec(line.slice(0, 40))?.[0].length ?? 0));
  const isSpaced = sign !== "\t" && rests.every((line) => line === "" || line.startsWith(" "));
  return rests.map((line) => (isSpaced ? line.slice(1) : line)).join("\n");
}

function withoutSigns(
  lines: readonly string[],
  filled: readonly string[],
  { before, syntax }: Place,
): string | undefined {
  const hasHeader = /^(?:@@ .{0,80}@@|(?:---|\+\+\+) [ab]?\/|diff --git )/.test(filled[0] ?? "");
  const isAdded =
    filled.length > 1 &&
    filled.every((line) => /^[+-](?![+-])/.test(line)) &&
    filled.some((line) => line.startsWith("+"));
  const isOnlyAdded =
    filled.length > 1 &&
    filled.every((line) => line.startsWith("+")) &&
    !syntax.hasFences &&
    !/^\+/m.test(before.slice(-2_000));
  if (!hasHeader && !isOnlyAdded && (!isAdded || syntax.isProse || /^[+-]/m.test(before.slice(-2_000))))
    return undefined;
  return withoutDiff(lines).join("\n");
}

/** The new side of a diff. */
export function withoutDiff(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => !/^(?:-|@@ |\+\+\+ |diff --git |index [\da-f]+\.\.|\\ No newline)/.test(line))
    .map((line) => line.replace(/^[+ ]/, ""));
}

function withoutQuotes(lines: readonly string[], filled: readonly string[], { syntax }: Place): string | undefined {
  if (syntax.isProse || filled.length < 2 || !filled.every((line) => /^> ?/.test(line))) return undefined;
  return lines.map((line) => line.replace(/^> ?/, "")).join("\n");
}
