import { isFilled } from "../../text/lines.ts";
import type { Fitter } from "./fit.ts";
import type { Place } from "./place.ts";

/** The answer without a last line that only starts a comment as the next line does. */
export function withoutLeader(answer: string, { after, lineSuffix }: Place): string | undefined {
  const text = answer.trimEnd();
  const at = text.lastIndexOf("\n");
  const last = text.slice(at + 1);
  if (at < 0 || lineSuffix.trim() !== "" || !/^\s*(?:\*|\/\/[/!]?|#|--|;+)$/.test(last)) return undefined;
  const next = after.slice(0, 4_096).split("\n").find(isFilled);
  return next?.trimEnd() === last ? text.slice(0, at) : undefined;
}

/** The answer without the end of the line, where the line would have too many quotation marks or brackets with it. */
export function withoutEnd(
  answer: string,
  { linePrefix, lineSuffix, syntax }: Place,
  fitter: Fitter,
): string | undefined {
  const closed = withoutCloser(answer, linePrefix, lineSuffix, fitter);
  if (closed !== undefined) return closed;
  const line = lineSuffix.trim();
  if (!/^[^\p{L}\p{N}]{1,20}$/u.test(line) || !answer.trimEnd().endsWith(line)) return undefined;
  const rest = answer.trimEnd().slice(0, -line.length);
  const { until } = fitter.scanner();
  if (/^["'`]$/.test(until)) return line.startsWith(until) && !rest.includes(until) ? rest : undefined;
  const start = linePrefix.slice(-2_000) + rest;
  if (syntax.hasTags && line.startsWith(">") && start.lastIndexOf("<") > start.lastIndexOf(">")) return rest;
  // In text, brackets are counted on the line only.
  if ((syntax.layout !== "none" && until === "") || answer.includes("\n") || answer.length > 2_000) return undefined;
  const quote = /^["'`]/.exec(line)?.[0];
  if (quote !== undefined) return `${linePrefix.slice(-2_000)}${rest}`.split(quote).length % 2 === 0 ? rest : undefined;
  const left = depthOf(linePrefix.slice(-2_000) + rest + line);
  return left === 0 && depthOf(linePrefix.slice(-2_000) + answer + line) < 0 ? rest : undefined;
}

/** The answer up to what closes the bracket or quotation mark right before the cursor, if that follows the cursor. */
function withoutCloser(answer: string, linePrefix: string, lineSuffix: string, fitter: Fitter): string | undefined {
  const open = linePrefix.at(-1) ?? "";
  const close = /["'`]/.test(open) ? open : { "(": ")", "[": "]", "{": "}", "<": ">" }[open];
  if (close === undefined || !lineSuffix.startsWith(close) || answer.length > 2_000) return undefined;
  let depth = 0;
  for (let index = 0; index < answer.length; index += 1) {
    const char = answer[index];
    if (char === "\\") index += 1;
    else if (char === open && open !== close) depth += 1;
    else if (char === close && depth > 0) depth -= 1;
    else if (char === close) {
      const rest = answer.slice(0, index);
      const isSaid = lineSuffix.startsWith(answer.slice(index).trimEnd());
      return isSaid && (open === close || fitter.prefers(answer, rest) <= 0) ? rest : undefined;
    }
  }
  return undefined;
}

/** How many brackets are open after a text. */
function depthOf(text: string): number {
  return (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
}
