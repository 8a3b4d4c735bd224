import type { Place } from "./place.ts";

const names =
  "CODE|ANSWER|COMPLETION|COMPLETED_CODE|OUTPUT|RESULT|RESPONSE|INSERT|INSERTION|MIDDLE|FILL|SNIPPET|SOLUTION|PYTHON|JAVASCRIPT|TYPESCRIPT|JAVA|SQL|HTML|BASH|SHELL";
const opening = new RegExp(`^\\s*\\[(${names})\\][ \\t]*\\n?`);
const closing = new RegExp(`\\s*\\[/(?:${names})\\]\\s*$`);

/** The code in what models wrap it in beside fences and tags; `undefined` if there is none. */
export function insideWrapper(answer: string, place: Place): string | undefined {
  return insideData(answer, place) ?? insideBrackets(answer, place) ?? insideReplacement(answer, place);
}

function insideData(answer: string, { syntax, before, after }: Place): string | undefined {
  const text = answer.trim();
  if (!text.startsWith("<![CDATA[") || !text.endsWith("]]>") || (syntax.hasTags && syntax.isProse)) return undefined;
  return before.includes("<![CDATA[") || after.includes("]]>") ? undefined : text.slice(9, -3);
}

function insideBrackets(answer: string, { before }: Place): string | undefined {
  const [mark = "", name = ""] = opening.exec(answer) ?? [];
  if (name !== "" && !before.includes(`[${name}]`)) {
    const end = answer.indexOf(`[/${name}]`, mark.length);
    if (end < 0 && mark.endsWith("\n")) return answer.slice(mark.length);
    if (end >= 0) return answer.slice(mark.length, end).replace(/\n[ \t]*$/, "");
  }
  const [close = ""] = closing.exec(answer.slice(-200)) ?? [];
  return close === "" || before.includes(close.trim()) ? undefined : answer.slice(0, answer.length - close.length);
}

/** The second side of a block that says what to look for and what to put there instead. */
function insideReplacement(answer: string, { before, after }: Place): string | undefined {
  const start = answer.trimStart();
  if (!/^<{5,9}(?: |\n)/.test(start) || /^<{7}/m.test(before + after)) return undefined;
  const lines = start.split("\n");
  const middle = lines.findIndex((line) => /^={5,9}$/.test(line.trimEnd()));
  if (middle < 0) return undefined;
  const end = lines.findIndex((line, at) => at > middle && /^>{5,9}(?: |$)/.test(line.trimEnd()));
  return lines.slice(middle + 1, end < 0 ? undefined : end).join("\n");
}
