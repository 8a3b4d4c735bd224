import { fenceAround, longestShown, showMarkdown } from "../text/markdown.ts";
import { type CodeBlock, readParts } from "../text/markdownParts.ts";
import { isStretched, unseenIn } from "../text/unseen.ts";

/** The word after the language that marks the block to put in place of the asked-about lines. */
export const editMark = "replace";

/** Why the edit of an answer cannot be taken. */
export type EditProblem =
  | "several" // there are several
  | "open" // one has no end
  | "fence" // its fence may end too early
  | "html" // it stands in HTML, where Markdown shows nothing
  | "tooLong" // VS Code does not show the answer that far
  | "unseen"; // it has characters that nobody sees, or blanks that push it out of view, and the code did not

/** What an answer says to do with the code. `code` is the block to insert elsewhere, where there is exactly one. */
export type AnswerEdit =
  | { readonly type: "replacement"; readonly lines: readonly string[] }
  | { readonly type: "none"; readonly code: readonly string[] | undefined }
  | { readonly type: "problem"; readonly problem: EditProblem };

/**
 * Reads the edit out of an answer to a question about `code`. Nothing is guessed, and nothing is taken that the user
 * does not see: a replacement is exactly one closed block with the mark, whose fence has at least `fence` characters, in
 * an answer without any open block.
 */
export function readEdit(answer: string, fence: number, code: readonly string[] = []): AnswerEdit {
  const parts = readParts(answer);
  const blocks = parts.filter((part) => part.type === "code");
  const edits = blocks.filter(isEdit);
  const [edit] = edits;
  const problemOf = (block: CodeBlock): EditProblem | undefined => {
    if (block.isInHtml) return "html";
    if (showMarkdown(parts.slice(0, parts.indexOf(block) + 1), isEdit).length > longestShown) return "tooLong";
    return hasNewUnseen(block.lines, code) ? "unseen" : undefined;
  };
  if (edit === undefined) {
    const [only, ...others] = blocks.filter(({ isClosed }) => isClosed);
    const isUsable = only !== undefined && others.length === 0 && problemOf(only) === undefined;
    return { type: "none", code: isUsable ? only.lines : undefined };
  }
  if (blocks.some(({ isClosed }) => !isClosed)) return { type: "problem", problem: "open" };
  if (edits.length > 1) return { type: "problem", problem: "several" };
  if (edit.fence < fence) return { type: "problem", problem: "fence" };
  const problem = problemOf(edit);
  return problem ? { type: "problem", problem } : { type: "replacement", lines: edit.lines };
}

/** Whether a block is marked as the replacement of the code. */
export function isEdit({ info }: CodeBlock): boolean {
  return info.split(/\s+/).slice(1).includes(editMark);
}

/** How long a fence has to be for these lines: longer than any fence in them, and in Markdown always four. */
export function fenceFor(lines: readonly string[], languageId = ""): number {
  return fenceAround(lines, /markdown|mdx|quarto/.test(languageId) ? 4 : 3).length;
}

function hasNewUnseen(lines: readonly string[], code: readonly string[]): boolean {
  if (lines.some(isStretched) && !code.some(isStretched)) return true;
  const known = unseenIn(code.join("\n"));
  return [...unseenIn(lines.join("\n"))].some((character) => !known.has(character));
}
