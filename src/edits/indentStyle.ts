import { indentOf } from "../text/lines.ts";

/** How a file is indented: with tabs or spaces alone, and by how many spaces. */
export interface IndentStyle {
  readonly kind: "tabs" | "spaces" | undefined;
  /** The most common step in spaces; 0 if there is none. */
  readonly unit: number;
  /** Whether hardly any line is indented by an odd number of blanks, apart from those of comments. */
  readonly isEven: boolean;
}

/** How many lines have to be indented before they count as a style. */
const fewLines = 3;

/** One in so many indented lines may be odd, because it is aligned. */
const rare = 20;

/** Finds how lines are indented. */
export function indentStyle(lines: readonly string[]): IndentStyle {
  let [tabs, spaces, odd, before] = [0, 0, 0, 0];
  const steps = new Map<number, number>();
  for (const line of lines) {
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    if (indent.includes("\t")) tabs += 1;
    else if (indent.length > 1) spaces += 1;
    if (!indent.includes("\t") && indent.length % 2 === 1 && line[indent.length] !== "*") odd += 1;
    const step = indent.length - before;
    before = indent.length;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [most] = [...steps].sort(([, one], [, other]) => other - one);
  const kind = tabs === 0 && spaces >= fewLines ? "spaces" : spaces === 0 && tabs >= fewLines ? "tabs" : undefined;
  return { kind, unit: kind === "tabs" ? 0 : (most?.[0] ?? 0), isEven: odd * rare <= spaces };
}

/** The indentation with spaces for tabs, in a file that has no tabs. */
export function inStyle(indent: string, { kind, unit }: IndentStyle): string {
  return kind === "spaces" ? indent.replaceAll("\t", " ".repeat(unit === 0 ? 4 : unit)) : indent;
}
