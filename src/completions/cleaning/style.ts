import type { Place } from "./place.ts";

/** How much around the cursor shows whether a file is indented with tabs. */
const near = 8_192;

/** Whether the file is indented with tabs. */
export function usesTabs({ before, after }: Place): boolean {
  const text = `${before.slice(-near)}\n${after.slice(0, near)}`;
  const tabs = text.match(/\n\t/g)?.length ?? 0;
  return tabs > 0 && tabs >= (text.match(/\n {2,}\S/g)?.length ?? 0);
}

/**
 * The lines with tabs where the file has only tabs, and with spaces where it has only spaces: once for each number of
 * spaces that a tab may stand for.
 */
export function inFileStyle(
  lines: readonly string[],
  isWholeLine: boolean,
  { before, after }: Place,
  unit: number,
): readonly (readonly string[])[] {
  const text = `${before.slice(-near)}\n${after.slice(0, near)}`;
  const [tabs, spaces] = [text.match(/^\t/gm)?.length ?? 0, text.match(/^ {2,}\S/gm)?.length ?? 0];
  const hasTabs = tabs > 20 * spaces;
  const hasSpaces = spaces > 20 * tabs;
  const isOther = (line: string) => /^[ \t]*/.exec(line)?.[0].includes(hasTabs ? "  " : "\t") === true;
  if (hasTabs === hasSpaces || !lines.some((line, at) => (at > 0 || isWholeLine) && isOther(line))) return [lines];
  const widths = hasTabs ? spacesOf(lines) : [...new Set([unit, 4, 2, 8])];
  return widths.map((width) =>
    lines.map((line, at) => (at === 0 && !isWholeLine ? line : withIndent(line, hasTabs, width))),
  );
}

/** How many spaces may be meant by a tab. */
function spacesOf(lines: readonly string[]): readonly number[] {
  const indents = lines.map((line) => /^ *(?=\S)/.exec(line)?.[0].length ?? 0).filter((width) => width > 1);
  const fits = [8, 4, 3, 2].filter((width) => indents.every((indent) => indent % width === 0));
  return [...new Set([...fits.filter((width) => width === 4), ...fits, 4, 2])];
}

function withIndent(line: string, hasTabs: boolean, width: number): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const columns = indent.replaceAll("\t", " ".repeat(width)).length;
  const tabs = Math.floor(columns / width);
  const text = line.slice(indent.length);
  return hasTabs ? "\t".repeat(tabs) + (text.startsWith("*") ? " " : "") + text : " ".repeat(columns) + text;
}
