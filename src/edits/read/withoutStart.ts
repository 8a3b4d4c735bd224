import { isFilled } from "../../text/lines.ts";

/** The lines without what the first one starts with, if all lines that are not blank start with it. */
export function withoutStart(lines: readonly string[], start: string): readonly string[] {
  if (start === "" || lines.some((line) => isFilled(line) && !line.startsWith(start))) return lines;
  return lines.map((line) => line.slice(start.length));
}
