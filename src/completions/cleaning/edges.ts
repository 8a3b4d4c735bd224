import type { Place } from "./place.ts";

/** The answer with the line breaks and spaces that fit between the code before and after the cursor. */
export function withEdges(answer: string, place: Place): string {
  return withEnd(withStart(answer, place), place);
}

/** The answer with the line breaks and spaces that fit after the code before the cursor. */
export function withStart(answer: string, { linePrefix, lineSuffix, before, syntax }: Place): string {
  const lead = /^\s*/.exec(answer)?.[0] ?? "";
  const breaks = lead.split("\n").length - 1;
  const text = answer.slice(lead.length);
  const indent = lead.slice(lead.lastIndexOf("\n") + 1);
  if (linePrefix.trim() === "") {
    if (breaks === 0) return answer;
    const last =
      before
        .slice(0, before.length - linePrefix.length)
        .split("\n")
        .at(-2) ?? "";
    // Between lines that belong together there is no blank one.
    const goesOn = /[[({,=+&|?\\]\s*$/.test(last) || /^[)\]}]|^<\//.test(text);
    const isApart = linePrefix === "" && breaks === 1 && last.trim() !== "" && !goesOn;
    return isApart ? `\n${indent}${text}` : indent + text;
  }
  const end = linePrefix.trimEnd();
  if (breaks === 0) {
    if (opensLine(answer, linePrefix, lineSuffix)) return `\n${answer}`;
    if (/\s$/.test(linePrefix) && /^[ \t](?![ \t])(?!\/\/|#|\/\*|\\)/.test(answer)) return text;
    if (/^ {2}[\w=:{(<"'&|?+]/.test(answer) && /\S$/.test(linePrefix) && !/\S {2}/.test(linePrefix))
      return answer.slice(1);
    return needsSpace(linePrefix, answer) ? ` ${answer}` : answer;
  }
  // A space before the cursor says that the line goes on; two of them break a line in a document.
  if (/\S[ \t]$/.test(linePrefix) && lineSuffix.trim() === "") return text;
  if (indent === " ") return indent + text;
  const isEnd = /[;},]$/.test(end) || /^\s*(?:\/\/|#|\*)/.test(linePrefix);
  const isCloser = /^[)\]}]|^<\//.test(text);
  const opensBlock =
    /[{>]$/.test(end) ||
    (/[([,]$/.test(end) && text.trimEnd().includes("\n")) ||
    (syntax.layout === "colons" ? end.endsWith(":") : syntax.layout === "words");
  if (indent === "" && !isCloser && (breaks > 2 || !(opensBlock || isEnd || syntax.isProse))) return text;
  return (breaks > 2 ? "\n" : "\n".repeat(breaks)) + indent + text;
}

/** Whether an indented answer has lost the line break before it. */
function opensLine(answer: string, linePrefix: string, lineSuffix: string): boolean {
  const indent = /^[ \t]*/.exec(answer)?.[0] ?? "";
  const base = /^[ \t]*/.exec(linePrefix)?.[0] ?? "";
  if (lineSuffix.trim() !== "" || (indent.length < 2 && !indent.startsWith("\t"))) return false;
  return /[{([:,;>}]$/.test(linePrefix) && indent.startsWith(base) && !/^\s*(?:\/\/|#|\/\*)/.test(answer);
}

/** Whether a word and the one before would become one. */
function needsSpace(linePrefix: string, answer: string): boolean {
  if (/^[\w"'`[{(]/.test(answer) && /\s(?:=|=>|&&|\|\||\+|\?)$/.test(linePrefix) && !answer.startsWith("="))
    return true;
  return (
    /^[\w"'`]/.test(answer) &&
    /(?:^|[^\w.$])(?:return|const|let|var|new|await|typeof|import|export|from|extends|throw)$/.test(linePrefix)
  );
}

function withEnd(answer: string, { linePrefix, lineSuffix, after }: Place): string {
  const text = answer.trimEnd();
  const space = answer.slice(text.length);
  if (after === "" || lineSuffix.trim() === "") return text;
  const breaks = space.split("\n").length - 1;
  if (linePrefix === "" && !/^[.=,?:&|+]/.test(lineSuffix))
    return `${text}${"\n".repeat(Math.min(Math.max(breaks, 1), 2))}`;
  if (linePrefix.trim() === "" && /^[\w@<"'#/*$}]/.test(lineSuffix))
    return `${text}${"\n".repeat(Math.min(Math.max(breaks, 1), 2))}${linePrefix}`;
  if (breaks > 0 && !/^[)\]}]|^<\//.test(lineSuffix)) return text;
  if (breaks > 0) return text + space.replace(/^[^]*(?=\n)/, "");
  return /^\s/.test(lineSuffix) ? text : answer;
}
