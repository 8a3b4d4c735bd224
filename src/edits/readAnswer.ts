import { splitLines } from "../text/lines.ts";
import { longestShown, showMarkdown } from "../text/markdown.ts";
import { type CodeBlock, readParts, type TextLine } from "../text/markdownParts.ts";
import { maskRegions } from "./regions.ts";

/** A fenced block of an answer, or the lines between two. Line numbers start from zero. */
export type Section = FencedSection | PlainSection;

export interface FencedSection {
  readonly type: "fenced";
  readonly info: string;
  readonly fence: number;
  readonly isClosed: boolean;
  readonly isInHtml: boolean;
  /** The line of the opening fence. */
  readonly line: number;
  readonly lines: readonly string[];
}

export interface PlainSection {
  readonly type: "plain";
  readonly line: number;
  readonly lines: readonly string[];
  /** For each line, whether Markdown hides it. */
  readonly isInHtml: readonly boolean[];
}

/** An answer as sections. */
export interface ReadAnswer {
  readonly sections: readonly Section[];
  /** Whether VS Code shows the answer up to and including this line. */
  readonly showsLine: (line: number) => boolean;
}

/** Splits an answer into fenced blocks and the rest, as a person sees it. */
export function readAnswer(answer: string): ReadAnswer {
  const lines = splitLines(answer);
  const masked = maskRegions(lines);
  const sections: Section[] = [];
  const shown: { readonly line: number; readonly part: CodeBlock | TextLine }[] = [];
  let line = 0;
  let plain: { line: number; lines: string[]; isInHtml: boolean[] } | undefined;
  for (const part of readParts(masked.join("\n"))) {
    if (part.type === "line") {
      const text = lines[line] ?? "";
      if (plain === undefined) {
        plain = { line, lines: [], isInHtml: [] };
        sections.push({ type: "plain", ...plain });
      }
      plain.lines.push(text);
      plain.isInHtml.push(part.isInHtml);
      shown.push({ line, part: { ...part, text } });
      line += 1;
      continue;
    }
    plain = undefined;
    const first = line + 1;
    const texts = part.lines.map((text, index) => {
      const stripped = (masked[first + index] ?? "").length - text.length;
      return (lines[first + index] ?? "").slice(stripped);
    });
    const { info, fence, isClosed, isInHtml } = part;
    sections.push({ type: "fenced", info, fence, isClosed, isInHtml, line, lines: texts });
    shown.push({ line, part: { ...part, lines: texts } });
    line = first + texts.length + (isClosed ? 1 : 0);
  }
  const showsLine = (last: number): boolean => {
    const parts = shown.filter((one) => one.line <= last).map(({ part }) => part);
    return showMarkdown(parts).length <= longestShown;
  };
  return { sections, showsLine };
}
