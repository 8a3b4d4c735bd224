import { type Chunk, chunksAgain, type Draft, isFilled, linesOf, withRows } from "../draft.ts";
import { indentOf } from "../../../../src/text/lines.ts";
import type { RealEdit } from "../edit.ts";
import type { Random } from "../../random.ts";
import { type Damage, damage, hunkFormats, markedFormats } from "./damage.ts";

/** Lines come back with other white space than the file has; a person sees at once where they belong. */
export const whitespaceDamages: readonly Damage[] = [
  damage("indented too far", hunkFormats, (draft, random) => {
    const more = draft.edit.lines.some((line) => line.startsWith("\t")) ? "\t" : random.pick(["  ", "    "]);
    return withRows(draft, (row) => [isFilled(row) ? { ...row, text: more + row.text } : row]);
  }),
  damage("indented too little", ["replace", ...hunkFormats], (draft) => {
    const common = draft.chunks.map(({ rows }) => commonIndent(rows.filter(isFilled).map(({ text }) => text)));
    if (common.some((indent) => indent === "") || !isSameOnBothSides(draft)) return undefined;
    const chunks = draft.chunks.map((chunk, index) => {
      const length = common[index]?.length ?? 0;
      return {
        ...chunk,
        rows: chunk.rows.map((row) => ({ ...row, text: isFilled(row) ? row.text.slice(length) : row.text })),
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
    const isTold = draft.chunks.every(({ rows }) => rows.some((row) => row.mark === "-" && isFilled(row)));
    const apart = withRows(draft, (row) => [
      { ...row, text: row.mark === " " || !isFilled(row) ? row.text : ` ${row.text}` },
    ]);
    return isTold ? apart : undefined;
  }),
  damage("tabs for spaces", ["replace", ...hunkFormats], tabsForSpaces),
  damage("spaces for tabs", ["replace", ...hunkFormats], spacesForTabs),
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
  const filled = chunk.rows.filter(isFilled);
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

function tabsForSpaces(draft: Draft): Draft | undefined {
  const rows = draft.chunks.flatMap((chunk) => chunk.rows);
  const unit = unitOf(draft);
  const isEven = rows.every(({ text }) => /^ *$/.test(indentOf(text)) && indentOf(text).length % (unit ?? 1) === 0);
  const hasTabs = draft.edit.lines.some((line) => line.startsWith("\t"));
  if (unit === undefined || !isEven || hasTabs || !hasIndentedContext(draft)) return undefined;
  const tabs = (text: string): string => "\t".repeat(indentOf(text).length / unit) + text.trimStart();
  return withRows(draft, (row) => [{ ...row, text: tabs(row.text) }]);
}

function spacesForTabs(draft: Draft, random: Random): Draft | undefined {
  const edit = withTabs(draft.edit, unitOf(draft));
  if (!edit) return undefined;
  const tabbed = { ...draft, edit, chunks: chunksAgain(edit, draft.chunks) };
  if (!hasIndentedContext(tabbed)) return undefined;
  const unit = random.pick(["  ", "    "]);
  return withRows(tabbed, (row) => [{ ...row, text: row.text.replace(/^\t+/, (run) => unit.repeat(run.length)) }]);
}

/** The edit in a file that is indented with tabs. */
function withTabs(edit: RealEdit, unit: number | undefined): RealEdit | undefined {
  const all = [...edit.lines, ...edit.hunks.flatMap(({ lines }) => lines)].map(indentOf);
  if (all.every((indent) => /^\t*$/.test(indent))) return all.some((indent) => indent !== "") ? edit : undefined;
  const isEven = all.every((indent) => /^ *$/.test(indent) && indent.length % (unit ?? 1) === 0);
  if (unit === undefined || !isEven) return undefined;
  const tabs = (line: string): string => "\t".repeat(indentOf(line).length / unit) + line.trimStart();
  return {
    ...edit,
    lines: edit.lines.map(tabs),
    hunks: edit.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(tabs) })),
  };
}

/** One step of indentation in the old lines, in spaces. */
function unitOf({ chunks }: Draft): number | undefined {
  const indents = chunks.flatMap((chunk) => linesOf(chunk, "old").map((line) => indentOf(line).length));
  return [4, 2].find((width) => indents.includes(width) && indents.every((length) => length % width === 0));
}

/** Whether the old lines show what one step of indentation is in the file. */
function hasIndentedContext({ chunks }: Draft): boolean {
  return chunks.every((chunk) => {
    const lines = linesOf(chunk, "old").filter((line) => line.trim() !== "");
    return lines.some((line) => indentOf(line) !== "");
  });
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
  return chunk.rows.some((row) => row.mark === "+" && isFilled(row) && old.has(row.text.trim()));
}
