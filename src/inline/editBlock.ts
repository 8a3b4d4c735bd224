import { fenceAround, longestShown, showMarkdown } from "../text/markdown.ts";
import { type CodeBlock, readParts } from "../text/markdownParts.ts";
import { isStretched, unseenIn } from "../text/unseen.ts";

/** Marker in the info string of the block that replaces the code in question. */
export const editMark = "replace";

/** Why an edit cannot be applied. */
export type EditProblem =
  | "several" // more than one
  | "open" // an unclosed block
  | "fence" // its fence is too short and may end early
  | "html" // inside HTML, where Markdown renders no code
  | "tooLong" // beyond the part of the answer that VS Code shows
  | "unseen"; // it has invisible characters that the code did not have

/** The edit that an answer proposes. `code` is the block to insert elsewhere, if there is exactly one. */
export type AnswerEdit =
  | { readonly type: "replacement"; readonly lines: readonly string[] }
  | { readonly type: "none"; readonly code: readonly string[] | undefined }
  | { readonly type: "problem"; readonly problem: EditProblem };

/**
 * Reads the edit from an answer to a question about `code`. Accepts only what the user can see: exactly one closed
 * block with the marker, whose fence has at least `fence` characters, in an answer without unclosed blocks.
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

/** Whether a block has the replacement marker. */
export function isEdit({ info }: CodeBlock): boolean {
  return info.split(/\s+/).slice(1).includes(editMark);
}

/** The fence length for these lines: longer than any fence in them, and at least four in Markdown. */
export function fenceFor(lines: readonly string[], languageId = ""): number {
  return fenceAround(lines, /markdown|mdx|quarto/.test(languageId) ? 4 : 3).length;
}

function hasNewUnseen(lines: readonly string[], code: readonly string[]): boolean {
  if (lines.some(isStretched) && !code.some(isStretched)) return true;
  const known = unseenIn(code.join("\n"));
  return [...unseenIn(lines.join("\n"))].some((character) => !known.has(character));
}
