import { isFilled } from "../../text/lines.ts";
import type { Place } from "./place.ts";

const comment = /^\s*(?:\/\/+|#+|--+|\/\*+|<!--|;+|%+|\{\/\*)\s*/;
const elision =
  /^(?:\.{3}|…)\s*(?:\(?(?:the )?(?:existing|rest|previous|other|remaining|same|unchanged|more|your|original)\b.{0,60})?(?:\.{3}|…)?$|^\(?(?:the )?(?:rest of|existing|remaining|previous) (?:the |your )?(?:\w+ ){0,3}(?:code|file|function|class|method|implementation|unchanged|same)\b.{0,40}$/i;
const ends =
  /^(?:(?:end|start|begin(?:ning)?) of (?:the )?(?:completion|inserted code|completed code|generated code)|(?:the )?completed code (?:ends|starts) here|your code (?:goes )?here|(?:completed|inserted) code|insert (?:this|the)(?: following)? code (?:here|at the cursor))\W*$/i;
const path = /^(?:file(?:path|name)?: ?)?(?:[\w.@~-]*\/)+[\w.-]+\.\w{1,8}$/i;

/** The answer without comments that stand for code, or that say where the completion is. */
export function withoutElisions(answer: string, place: Place): string {
  const lines = answer.split("\n");
  const isMark = (line: string, at: number) => {
    const text = textOf(line);
    if (text === undefined || place.before.includes(line.trim()) || place.after.includes(line.trim())) return false;
    const isPath = at === 0 && place.linePrefix.trim() === "" && place.before.trim() !== "" && path.test(text);
    return elision.test(text) || ends.test(text) || isPath;
  };
  const first = lines.findIndex(isFilled);
  const start = first >= 0 && isMark(lines[first] ?? "", first) ? first + 1 : 0;
  const end = lines.findIndex((line, at) => at > Math.max(first, start) - 1 && at >= start && isMark(line, at));
  if (start === 0 && end < 0) return answer;
  const text = lines.slice(start, end < 0 ? undefined : end).join("\n");
  return end < 0 ? text : text.trimEnd();
}

/** What a line says that is only a comment. */
function textOf(line: string): string | undefined {
  if (line.length > 200) return undefined;
  const start = comment.exec(line)?.[0];
  return start === undefined
    ? undefined
    : line
        .slice(start.length)
        .replace(/\s*(?:\*\/\}?|-->)\s*$/, "")
        .trim();
}
