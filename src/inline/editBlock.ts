import { splitLines } from "./lines.ts";

/** The word after the language that marks the block to put in place of the asked-about lines. */
export const editMark = "replace";

/** Why the edit of an answer cannot be taken: there are several, one has no end, or its fence may end too early. */
export type EditProblem = "several" | "open" | "fence";

/** What an answer says to do with the code. `code` is the block to insert elsewhere, where there is exactly one. */
export type AnswerEdit =
  | { readonly type: "replacement"; readonly lines: readonly string[] }
  | { readonly type: "none"; readonly code: readonly string[] | undefined }
  | { readonly type: "problem"; readonly problem: EditProblem };

/** A fenced block of Markdown. */
interface Block {
  readonly fence: number;
  readonly info: string;
  readonly lines: readonly string[];
  readonly isClosed: boolean;
}

/**
 * Reads the edit out of an answer. Nothing is guessed: a replacement is exactly one closed block with the mark, whose
 * fence has at least `fence` characters, in an answer without any open block.
 */
export function readEdit(answer: string, fence: number): AnswerEdit {
  const blocks = readBlocks(answer);
  const edits = blocks.filter(({ info }) => info.split(/\s+/).slice(1).includes(editMark));
  const [edit] = edits;
  if (edit === undefined) {
    const [only, ...others] = blocks.filter(({ isClosed }) => isClosed);
    return { type: "none", code: others.length === 0 ? only?.lines : undefined };
  }
  if (blocks.some(({ isClosed }) => !isClosed)) return { type: "problem", problem: "open" };
  if (edits.length > 1) return { type: "problem", problem: "several" };
  if (edit.fence < fence) return { type: "problem", problem: "fence" };
  return { type: "replacement", lines: edit.lines };
}

/** How long a fence has to be for these lines: longer than any fence in them, and in Markdown always four. */
export function fenceFor(lines: readonly string[], languageId = ""): number {
  const longest = lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0);
  return Math.max(/markdown|mdx|quarto/.test(languageId) ? 4 : 3, ...longest.map((length) => length + 1));
}

/** The fenced blocks of a text, by the rules of CommonMark. */
function readBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open:
    { readonly fence: string; readonly indent: number; readonly info: string; readonly lines: string[] } | undefined;
  const close = (isClosed: boolean): void => {
    if (open) blocks.push({ fence: open.fence.length, info: open.info, lines: open.lines, isClosed });
    open = undefined;
  };
  for (const line of splitLines(text)) {
    const [, indent = "", fence = "", info = ""] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      const isFence = fence !== "" && !(fence.startsWith("`") && info.includes("`"));
      if (isFence) open = { fence, indent: indent.length, info: info.trim(), lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === "") {
      close(true);
    } else {
      open.lines.push(withoutIndent(line, open.indent));
    }
  }
  close(false);
  return blocks;
}

/** An indented fence takes its indentation off its lines. */
function withoutIndent(line: string, indent: number): string {
  return line.slice(Math.min(indent, line.length - line.trimStart().length));
}
