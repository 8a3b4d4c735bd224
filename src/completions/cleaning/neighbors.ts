import { indentOf, isFilled } from "../../text/lines.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";

const closer = /^(?:[)\]}]|<\/|end\b|fi\b|done\b|esac\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|#)/;
const opener = /(?:[{([]|[^:]:|=>|\b(?:do|then|else|begin))\s*$/;

/** Whether a line at the cursor is more than one step deeper than the one before. */
export function isTooDeep(line: string, { before, linePrefix }: Place, unit: number): boolean {
  return linePrefix === "" && indentOf(line).length > indentOf(lineBefore(before)).length + unit;
}

/** The indentation of the first line of an answer where it has twice as much as the next line, and more than the last. */
export function halfIndent(lines: readonly string[], { before, linePrefix }: Place): string | undefined {
  const own = indentOf(lines[0] ?? "");
  const next = lines.slice(1).find(isFilled);
  if (linePrefix !== "" || own === "" || next === undefined) return undefined;
  const half = indentOf(next);
  const last = indentOf(lineBefore(before));
  return own === half + half && last.length <= half.length && half.length > 1 ? half : undefined;
}

/**
 * The indentation that the first line of an answer has lost, where the cursor is at the start of a line: that of the
 * lines on both sides, as far as they agree that there is some.
 */
export function lostIndent(lines: readonly string[], place: Place, fitter: Fitter): string | undefined {
  const [first = "", ...others] = lines;
  const { before, after, lineSuffix, syntax } = place;
  if (/^\s|^$/.test(first) || closer.test(first) || lineSuffix.trim() !== "" || syntax.layout === "none")
    return undefined;
  const scanner = fitter.scanner();
  if (scanner.until !== "") return undefined;
  const last = lineBefore(before);
  const isInside = indentOf(last) !== "" || opener.test(last);
  const next = [...others, ...after.slice(0, 4_096).split("\n").slice(1)].find(isFilled) ?? "";
  const indent = indentOf(next);
  if (!isInside || scanner.feed(first).until !== "" || next.startsWith("#")) return undefined;
  const step = next.includes("\t") ? "\t" : " ".repeat(fitter.unit);
  if (closer.test(next.trimStart()))
    return indentOf(last) === indent + step || opener.test(last) ? indent + step : undefined;
  if (indent === "" || (!opener.test(last) && indentOf(last) === "")) return undefined;
  return opener.test(first) && indent.startsWith(step) ? indent.slice(step.length) : indent;
}

/** The last line before the cursor that has text. */
function lineBefore(before: string): string {
  return before.slice(-4_096).trimEnd().split("\n").at(-1) ?? "";
}
