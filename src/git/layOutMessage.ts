import { longestSubject } from "./readMessage.ts";

/** Maximum length of a line of the body, in characters. */
const longestLine = 72;

/** Lines that are not wrapped: code, tables, quotations, and trailers such as `Signed-off-by`. */
const fixedLine = /^(?: {4}|\t|\||>|[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: )/;

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;

/**
 * The message in Git's form: a subject, an empty line, and a body of lines that fit a terminal. With `isBody`, it has no
 * subject, because the user has typed that.
 */
export function layOutMessage(message: string, isBody: boolean): string {
  const lines = message.split("\n").map((line) => line.trimEnd());
  const text = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();
  if (isBody) return wrapped(text.split("\n")).join("\n");
  const [first = "", ...others] = text.split("\n");
  // A subject ends at a space. Text without spaces, such as Chinese, stays whole.
  const end = first.length > longestSubject ? first.lastIndexOf(" ", longestSubject) : -1;
  const [subject, rest] =
    end < longestSubject / 2 ? [first, []] : [first.slice(0, end).trimEnd(), [first.slice(end).trim()]];
  const body = wrapped([...rest, ...others]);
  // For Git, all lines up to the first empty one are the subject.
  return [subject, ...(body.length === 0 || body[0] === "" ? [] : [""]), ...body].join("\n");
}

function wrapped(lines: readonly string[]): readonly string[] {
  let isCode = false;
  return lines.flatMap((line) => {
    const isFence = /^\s*(?:`{3,}|~{3,})/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence || fixedLine.test(line) ? [line] : wrapLine(line);
  });
}

/** Wraps a line at spaces. Text without spaces, such as a link or Chinese, stays whole. */
function wrapLine(line: string): readonly string[] {
  if (line.length <= longestLine) return [line];
  const mark = listMark.exec(line)?.[0] ?? "";
  const room = Math.max(2, longestLine - mark.length);
  const part = new RegExp(`[^ ](?:.{0,${room - 2}}[^ ])?(?= |$)|[^ ]+`, "gs");
  const parts = line.slice(mark.length).replace(/ +/g, " ").match(part) ?? [];
  return parts.map((words, index) => `${index === 0 ? mark : " ".repeat(mark.length)}${words}`);
}
