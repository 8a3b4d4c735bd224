import { isFilled } from "../../text/lines.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";
import { usesTabs } from "./style.ts";
import { endsLevel, startsOuter, widthOf } from "./sureLines.ts";
import { closesBlock, opensBlock } from "./words.ts";

/** Whether an answer of several levels has lost all indentation. */
export function isFlat(lines: readonly string[]): boolean {
  const filled = lines.slice(1).filter(isFilled);
  return filled.length > 0 && filled.every((line) => /^\S/.test(line));
}

/** The lines with the indentation that the code asks for, as far as that is certain. */
export function rebuilt(lines: readonly string[], first: string, fitter: Fitter, place: Place): string | undefined {
  const scanner = fitter.scanner().feed(`${first}\n`);
  const text = [first];
  let afterComment = false;
  let last = lastLine(place.before, first);
  for (const line of lines.slice(1)) {
    const code = line.trimStart();
    if (code === "") {
      text.push("");
      continue;
    }
    const isCloser = /^(?:[)\]}]|<\/)/.test(code);
    const isDirective = code.startsWith("#") && !place.syntax.lineComments.includes("#");
    const isComment = scanner.until === "*/" || afterComment;
    const isString = scanner.until !== "" && scanner.until !== "*/";
    const known = isDirective ? 0 : scanner.expectedIndent(code);
    const isSure = scanner.isComplete || isCloser || isComment;
    const width = known === undefined ? byLevel(code, last, fitter.unit, place) : isSure ? known : undefined;
    if (width === undefined || width < 0 || isString) break;
    afterComment = scanner.until === "*/";
    last = (usesTabs(place) ? "\t".repeat(Math.round(width / fitter.unit)) : " ".repeat(width)) + code;
    text.push(last);
    scanner.feed(`${last}\n`);
  }
  const isCut = text.length < lines.length;
  const whole = isCut ? text.join("\n").trimEnd() + (lines.at(-1) === "" ? "\n" : "") : text.join("\n");
  return whole.trim() === "" || text.every((line, at) => at === 0 || /^\S|^$/.test(line)) ? undefined : whole;
}

/** The line that the first line of the answer ends, or the one before if that is empty. */
function lastLine(before: string, first: string): string {
  return `${before.slice(-4_096)}${first}`.trimEnd().split("\n").at(-1) ?? "";
}

/** The indentation after a line where no brackets show it, in columns; `undefined` where several would do. */
function byLevel(code: string, last: string, unit: number, { syntax, before }: Place): number | undefined {
  const indent = widthOf(last, unit);
  if (syntax.layout === "yaml") {
    const isItem = code.startsWith("- ");
    if (!last.endsWith(":")) return isItem && /^\s*- [^:]*$/.test(last) ? indent : undefined;
    const isInItem = /^\s*- /.test(last);
    const isUnder = /^( *)[\w-]+:\n\1- /m.test(before.slice(-4_096));
    return indent + (isInItem ? 2 : 0) + (isItem && isUnder ? 0 : unit);
  }
  if (syntax.layout === "colons") {
    if (last.endsWith(":")) return indent + unit;
    return endsLevel(last) || startsOuter(code) ? undefined : indent;
  }
  if (syntax.layout !== "words" || closesBlock(code)) return undefined;
  const opens = opensBlock(last);
  return opens === undefined ? indent : opens === "must" ? indent + unit : undefined;
}
