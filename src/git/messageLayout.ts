import { beginningOf } from "../text/lines.ts";

/** Maximum length of a subject, and of a line of the body, in characters. The model is told 72 for the subject. */
const longestSubject = 120;
const longestLine = 72;

/** Lines whose form says something: code, tables, quotations, and trailers such as `Signed-off-by`. */
const fixedLine = /^(?: {4}|\t|\||>|[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: )/;

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;

/**
 * The message as Git expects it: a subject, an empty line, and a body of lines that fit a terminal. Nothing is lost: what a
 * subject has no room for begins the body. With `isBody`, there is no subject, because the user has typed it.
 */
export function layOutMessage(text: string, isBody: boolean): string {
  if (isBody) return wrapped(text.split("\n")).join("\n");
  const [first = "", ...lines] = text.split("\n");
  const end = endOfSubject(first);
  const subject = first.slice(0, end).trimEnd();
  const rest = first.slice(end).trim();
  const body = wrapped(rest === "" ? lines : [rest, ...lines]);
  if (body.length === 0) return subject;
  // Git reads the lines up to the first empty one as the subject.
  return [subject, ...(body[0] === "" ? [] : [""]), ...body].join("\n");
}

/** The message after the beginning that the user typed, which the model may repeat. */
export function joinTyped(typed: string, message: string): string {
  if (typed === "") return message;
  const begun = typed.trim();
  const rest = message.startsWith(begun) ? message.slice(begun.length).replace(/^[ \t]+/, "") : message;
  if (rest === "") return typed;
  return /\s$/.test(typed) || /^[\s,.;:!?)，。；：！？）]/.test(rest) ? `${typed}${rest}` : `${typed} ${rest}`;
}

function endOfSubject(line: string): number {
  if (line.length <= longestSubject) return line.length;
  const space = line.lastIndexOf(" ", longestSubject);
  return space > longestSubject / 2 ? space : beginningOf(line, longestSubject).length;
}

function wrapped(lines: readonly string[]): readonly string[] {
  let isCode = false;
  return lines.flatMap((line) => {
    const isFence = /^\s*(?:`{3,}|~{3,})/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || fixedLine.test(line) ? [line] : wrapLine(line);
  });
}

/** Breaks a line at spaces. What has none, such as a link or Chinese text, stays whole. */
function wrapLine(line: string): readonly string[] {
  if (line.length <= longestLine) return [line];
  const mark = listMark.exec(line)?.[0] ?? "";
  const indent = " ".repeat(mark.length);
  const lines: string[] = [];
  let current = mark;
  for (const word of line.slice(mark.length).split(/ +/)) {
    const isEmpty = current === mark || current === indent;
    if (isEmpty || current.length + 1 + word.length <= longestLine) current += isEmpty ? word : ` ${word}`;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current];
}
