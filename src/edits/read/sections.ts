import type { LineRange } from "../../text/lineRange.ts";
import { readParts } from "../../text/markdownParts.ts";
import { maskEdits } from "./markers.ts";

/** A fenced block of an answer, or the lines between two. Line numbers start from zero. */
export interface Section {
  /** The lines of the answer, with the fences. */
  readonly range: LineRange;
  /** The line of the answer where `lines` start. */
  readonly line: number;
  readonly lines: readonly string[];
  /** The length of its fence; 0 for lines outside blocks. */
  readonly fence: number;
  readonly info: string;
  /** Whether the answer ends in it: a block without its closing fence, or the last lines. */
  readonly isOpen: boolean;
  /** Whether Markdown hides a line, because it is inside HTML. */
  readonly isHidden: (index: number) => boolean;
}

/** Splits an answer into fenced blocks and the rest. */
export function readSections(lines: readonly string[]): readonly Section[] {
  const masked = maskEdits(lines);
  const sections: Section[] = [];
  let [line, start, hidden]: [number, number, boolean[]] = [0, 0, []];
  const endPlain = (): void => {
    const those = hidden;
    const section = { range: { start, end: line }, line: start, lines: lines.slice(start, line), fence: 0, info: "" };
    if (line > start) {
      sections.push({ ...section, isOpen: line === lines.length, isHidden: (index) => those[index] ?? false });
    }
    hidden = [];
  };
  for (const part of readParts(masked.join("\n"))) {
    if (part.type === "line") {
      hidden.push(part.isInHtml);
      line += 1;
      continue;
    }
    endPlain();
    const { info, fence, isClosed, isInHtml } = part;
    const first = line + 1;
    const texts = part.lines.map((text, index) => {
      const stripped = (masked[first + index] ?? "").length - text.length;
      return (lines[first + index] ?? "").slice(stripped);
    });
    const range = { start: line, end: first + texts.length + (isClosed ? 1 : 0) };
    sections.push({ range, line: first, lines: texts, fence, info, isOpen: !isClosed, isHidden: () => isInHtml });
    line = range.end;
    start = line;
  }
  endPlain();
  return sections;
}
