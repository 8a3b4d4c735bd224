import { cutText, withLineFeeds } from "../text/lines.ts";
import type { CursorContext } from "./cleaning/context.ts";
import type { CompletionKind } from "./completionKind.ts";

/** Marks the cursor in the prompt. */
export const cursorMarker = "<|cursor|>";

/** What a request has besides the code around the cursor. */
export interface RelatedCode {
  readonly path: string;
  /** Declarations around the cursor, from the outside in. */
  readonly symbols: readonly string[];
  /** Pieces of other open files, the best first. */
  readonly neighbors: readonly Piece[];
  /** Pieces edited a moment ago, the oldest first. */
  readonly edits: readonly Piece[];
}

/** A piece of a file. */
export interface Piece {
  readonly path: string;
  readonly text: string;
}

/** Share of the code before the cursor. */
const shareBefore = 0.75;
/** The start of the code moves in steps of this size, in characters, so that the prompt has the same head while the user types. */
const step = 1_024;
const longestImports = 1_500;
const longestEdit = 600;
const mostEdits = 3;
/** Maximum share of each piece of an open file in the budget. */
const neighborShare = 1 / 15;
const mostSymbols = 8;

/** Maximum number of lines that are read of an open file, and of a piece. */
const mostLines = 2_000;
const linesOfPiece = 12;
/** Minimum number of names that a piece shares with the code. */
const leastShared = 2;

const system = `You complete code in an editor. The user sends a file with ${cursorMarker} where the cursor is.
Answer with <completion>, exactly the text to insert at ${cursorMarker}, and </completion>:
- nothing outside of these tags, and no Markdown fences, explanations or apologies inside;
- never repeat code that stands before or after the cursor, and keep to its style and indentation;
- nothing between the tags if nothing fits.

Example: "const sum = a ${cursorMarker}\\nreturn sum;" is answered with "<completion>+ b;</completion>"
Example: "if (ready${cursorMarker}) {" is answered with "<completion> && !done</completion>"
Example: "def area(r):\\n    ${cursorMarker}" is answered with "<completion>return 3.14159 * r ** 2</completion>"`;

const amounts: Readonly<Record<Exclude<CompletionKind, "none">, string>> = {
  rest: "Complete only the rest of the line.",
  line: "Write only the next line.",
  block: "Write the whole body of the block, and end before its end.",
};

/**
 * The prompt of a completion. What changes least comes first, for prompt caches: rules, path, imports, symbols, open files,
 * edits, code. `budget` is the length of the code and the pieces of open files, in characters. `dismissed` is a suggestion
 * that the user did not want.
 */
export function completionPromptText(
  { prefix, suffix, languageId }: CursorContext,
  related: RelatedCode,
  kind: Exclude<CompletionKind, "none">,
  budget: number,
  dismissed = "",
): { readonly system: string; readonly user: string } {
  const longest = Math.floor(budget * neighborShare);
  const neighbors = related.neighbors.map(({ path, text }) => cutText(`In ${path}:\n${text}`, longest));
  const room = budget - neighbors.length * longest;
  const most = Math.floor(room * shareBefore);
  const roomBefore = Math.max(most, room - suffix.length);
  const start = startOf(prefix, roomBefore);
  const before = withLineFeeds(prefix.slice(start));
  const after = withLineFeeds(headOf(suffix, Math.max(room - most, room - before.length)));
  const imports = start === 0 ? "" : importsOf(prefix.slice(0, Math.min(start, 20_000)));
  const parts = [
    `File: ${related.path} (${languageId})`,
    imports === "" ? "" : `Imports:\n${imports}`,
    related.symbols.length === 0 ? "" : `Inside: ${related.symbols.slice(-mostSymbols).join(" > ")}`,
    ...neighbors,
    ...related.edits
      .slice(-mostEdits)
      .map(({ path, text }) => `Edited a moment ago in ${path}:\n${cutText(text, longestEdit)}`),
    amounts[kind],
    dismissed === "" ? "" : `Suggest something other than:\n${cutText(dismissed, longestEdit)}`,
    `Code:\n${before}${cursorMarker}${after}`,
  ];
  return { system, user: parts.filter((part) => part !== "").join("\n\n") };
}

/** Where the code before the cursor starts: at a line, the same one for many keys, or else at a word. */
function startOf(prefix: string, room: number): number {
  if (prefix.length <= room) return 0;
  const least = prefix.length - room;
  const at = Math.ceil(least / step) * step;
  const line = prefix.indexOf("\n", Math.min(at, prefix.length)) + 1;
  if (line > 0 && line < prefix.length) return line;
  return prefix.length - prefix.slice(least).replace(/^\S*/, "").length;
}

/** The first lines of the code after the cursor. */
function headOf(suffix: string, room: number): string {
  if (suffix.length <= room) return suffix;
  const head = suffix.slice(0, Math.max(0, room));
  return head.slice(0, head.lastIndexOf("\n") + 1);
}

/** The import statements at the beginning of a file. */
function importsOf(head: string): string {
  const lines = head
    .split(/\r?\n/)
    .filter((line) =>
      /^\s*(?:import|from|export .* from|#\s*include|using|use|require|const .* = require|package)\b/.test(
        line.slice(0, 200),
      ),
    );
  return cutText(lines.join("\n"), longestImports);
}

/** The lines of a text that share most names with some code, and the number of these names; `undefined` for too few. */
export function bestPiece(text: string, code: string): { readonly text: string; readonly shared: number } | undefined {
  const wanted = new Set(namesIn(code));
  const lines = text.split(/\r?\n/, mostLines);
  const names = lines.map((line) => namesIn(line).filter((name) => wanted.has(name)));
  let best = { start: 0, shared: 0 };
  for (const [start, own] of names.entries()) {
    if (own.length === 0) continue;
    const shared = new Set(names.slice(start, start + linesOfPiece).flat()).size;
    if (shared > best.shared) best = { start, shared };
  }
  if (best.shared < leastShared) return undefined;
  return { text: lines.slice(best.start, best.start + linesOfPiece).join("\n"), shared: best.shared };
}

/** The names in code that have an uppercase letter, a digit or an underscore, unlike keywords and words of sentences. */
function namesIn(code: string): readonly string[] {
  return code.slice(0, 20_000).match(/(?<![\p{L}\p{N}_$])(?=\p{Ll}*[\p{Lu}_\d])[\p{L}_$][\p{L}\p{N}_$]{3,60}/gu) ?? [];
}
