import type { LineRange } from "../../text/lineRange.ts";
import { splitLines } from "../../text/lines.ts";
import { longestShown, showMarkdown } from "../../text/markdown.ts";
import { type CodeBlock, readParts, type TextLine } from "../../text/markdownParts.ts";
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

/** An answer as a person sees it. */
export interface SeenAnswer {
  readonly sections: readonly Section[];
  /** Whether VS Code shows the answer up to and including this line. */
  readonly showsLine: (line: number) => boolean;
}

/** Splits an answer into fenced blocks and the rest. */
export function readSections(answer: string): SeenAnswer {
  const lines = splitLines(answer);
  const masked = maskEdits(lines);
  const sections: Section[] = [];
  const shown: { readonly line: number; readonly part: CodeBlock | TextLine }[] = [];
  let [line, start, hidden]: [number, number, boolean[]] = [0, 0, []];
  const endPlain = (isOpen: boolean): void => {
    const those = hidden;
    const section = { range: { start, end: line }, line: start, lines: lines.slice(start, line) };
    if (line > start) {
      sections.push({ ...section, fence: 0, info: "", isOpen, isHidden: (index) => those[index] ?? false });
    }
    hidden = [];
  };
  for (const part of readParts(masked.join("\n"))) {
    if (part.type === "line") {
      shown.push({ line, part: { ...part, text: lines[line] ?? "" } });
      hidden.push(part.isInHtml);
      line += 1;
      continue;
    }
    endPlain(false);
    const { info, fence, isClosed, isInHtml } = part;
    const first = line + 1;
    const texts = part.lines.map((text, index) => {
      const stripped = (masked[first + index] ?? "").length - text.length;
      return (lines[first + index] ?? "").slice(stripped);
    });
    shown.push({ line, part: { ...part, lines: texts } });
    const range = { start: line, end: first + texts.length + (isClosed ? 1 : 0) };
    sections.push({ range, line: first, lines: texts, fence, info, isOpen: !isClosed, isHidden: () => isInHtml });
    line = range.end;
    start = line;
  }
  endPlain(true);
  const showsLine = (last: number): boolean => {
    const parts = shown.filter((one) => one.line <= last).map(({ part }) => part);
    return showMarkdown(parts).length <= longestShown;
  };
  return { sections, showsLine };
}
