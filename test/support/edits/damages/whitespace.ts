import { type Chunk, type Draft, hasText, linesOf, withRows } from "../draft.ts";
import { indentOf } from "../../../../src/text/lines.ts";
import type { Random } from "../../random.ts";
import { type Damage, damage, hunkFormats, markedFormats } from "./damage.ts";

/** Lines come back with other white space than the file has; a person sees at once where they belong. */
export const whitespaceDamages: readonly Damage[] = [
  damage("indented too far", hunkFormats, (draft, random) => {
    const more = draft.edit.lines.some((line) => line.startsWith("\t")) ? "\t" : random.pick(["  ", "    "]);
    return withRows(draft, (row) => [hasText(row) ? { ...row, text: more + row.text } : row]);
  }),
  damage("indented too little", ["replace", ...hunkFormats], (draft) => {
    const common = draft.chunks.map(({ rows }) => commonIndent(rows.filter(hasText).map(({ text }) => text)));
    if (common.some((indent) => indent === "") || !isSameOnBothSides(draft)) return undefined;
    const chunks = draft.chunks.map((chunk, index) => {
      const length = common[index]?.length ?? 0;
      return {
        ...chunk,
        rows: chunk.rows.map((row) => ({ ...row, text: hasText(row) ? row.text.slice(length) : row.text })),
      };
    });
    return { ...draft, chunks };
  }),
  damage("indentation lost", hunkFormats, (draft) => {
    const isTold = draft.chunks.every(isLossTold);
    const bare = withRows(draft, (row) => [{ ...row, text: row.text.trimStart() }]);
    return isTold ? { ...bare, expectation: "mayLand" } : undefined;
  }),
  damage("blank after the marks", markedFormats, (draft) => {
    // Removed lines tell that the blank is none of the code's.
    const isTold = draft.chunks.every(({ rows }) => rows.some((row) => row.mark === "-" && hasText(row)));
    const apart = withRows(draft, (row) => [
      { ...row, text: row.mark === " " || !hasText(row) ? row.text : ` ${row.text}` },
    ]);
    return isTold ? apart : undefined;
  }),
  damage("white space at ends of old lines", hunkFormats, (draft, random) => {
    const chosen = random.pick([" ", "  ", "\t"]);
    return withRows(draft, (row) => [
      row.mark === "+" || random.chance(0.3) ? row : { ...row, text: row.text + chosen },
    ]);
  }),
  damage("white space at ends of the file's lines", hunkFormats, trailingInFile),
];

/** Whether the old lines tell that the new ones lost their indentation. If all lost the same, it was as well shifted. */
function isLossTold(chunk: Chunk): boolean {
  if (hasMoved(chunk)) return false;
  const filled = chunk.rows.filter(hasText);
  const old = filled.filter(({ mark }) => mark !== "+").map(({ text }) => indentOf(text));
  // A single blank aligns the lines of a comment.
  return (
    new Set(old.filter((indent) => indent !== " ")).size > 1 ||
    filled.every(({ mark, text }) => mark !== "+" || indentOf(text) === "")
  );
}

/** Whether the old and the new lines are indented alike, and the first of them least. */
function isSameOnBothSides({ chunks }: Draft): boolean {
  return chunks.every((chunk) => {
    const [old, changed] = [linesOf(chunk, "old"), linesOf(chunk, "new")].map((lines) =>
      lines.filter((line) => line.trim() !== ""),
    );
    if (!old || !changed?.[0]) return false;
    const common = commonIndent(old);
    return common === commonIndent(changed) && common === indentOf(changed[0]);
  });
}

function commonIndent(lines: readonly string[]): string {
  const indents = lines.map(indentOf).sort((one, other) => one.length - other.length);
  return indents.every((indent) => indent.startsWith(indents[0] ?? "")) ? (indents[0] ?? "") : "";
}

function trailingInFile(draft: Draft, random: Random): Draft | undefined {
  const { edit } = draft;
  // Nothing tells whether an added line that is equal to a removed one has the white space of that.
  if (draft.chunks.some(hasMoved)) return undefined;
  const isShown = (index: number): boolean => draft.chunks.some(({ start, end }) => index >= start && index < end);
  const lines = edit.lines.map((line, index) =>
    isShown(index) && line.trim() !== "" && random.chance(0.6) ? `${line}  ` : line,
  );
  return { ...draft, edit: { ...edit, lines } };
}

/** Whether a chunk adds a line that it has already. */
function hasMoved(chunk: Chunk): boolean {
  const old = new Set(linesOf(chunk, "old").map((line) => line.trim()));
  return chunk.rows.some((row) => row.mark === "+" && hasText(row) && old.has(row.text.trim()));
}
