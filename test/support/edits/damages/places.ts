import { type Chunk, chunksAgain, type Draft, type Format, withRows } from "../draft.ts";
import { indentOf } from "../../../../src/text/lines.ts";
import type { RealEdit } from "../edit.ts";
import type { Random } from "../../random.ts";
import { type Damage, damage, hunkFormats, markedFormats } from "./damage.ts";

/** The edit's old lines stand in the file twice, or not as they are quoted. */
export const placeDamages: readonly Damage[] = [
  twice("two equal places", hunkFormats, (draft) => ({ ...draft, expectation: "refused" })),
  twice("two equal places, one of them asked about", hunkFormats, (draft) => {
    const [chunk] = draft.chunks;
    return chunk && { ...draft, asked: { start: chunk.start, end: chunk.end }, expectation: "lands" };
  }),
  twice("two equal places, one of them named after @@", markedFormats, (draft) => {
    const chunks = draft.chunks.map((chunk) => ({ ...chunk, anchor: headings.original }));
    return { ...draft, chunks, expectation: draft.format === "patch" ? "mayLand" : "lands" };
  }),
  twice("two equal places, the number of the other one", ["diff"], (draft) => {
    const other = draft.edit.lines.indexOf(headings.copy) + 1;
    const chunks = draft.chunks.map((chunk) => ({ ...chunk, start: other }));
    return { ...draft, chunks, manner: { numbers: "right" }, expectation: "refused" };
  }),
  damage("two places that differ in indentation, quoted with neither", hunkFormats, (draft, random) => {
    const doubled = inTwoPlaces(draft, random, (line) => indented(indented(line)));
    const shifted =
      doubled && withRows(doubled, (row) => [row.text.trim() === "" ? row : { ...row, text: `   ${row.text}` }]);
    return shifted && { ...shifted, expectation: "refused" };
  }),
  damage("two places that differ in indentation, quoted exactly", hunkFormats, (draft, random) =>
    inTwoPlaces(draft, random, (line) => indented(indented(line))),
  ),
  damage("unknown line after @@", markedFormats, (draft) => {
    const chunks = draft.chunks.map((chunk) => ({ ...chunk, anchor: "function neverSeenAnywhere() {" }));
    return { ...draft, chunks, expectation: "mayLand" };
  }),
  damage("a line above after @@", markedFormats, (draft) => {
    const chunks = draft.chunks.map((chunk) => ({ ...chunk, anchor: headingOf(draft.edit, chunk) }));
    return chunks.some(({ anchor }) => anchor !== undefined) ? { ...draft, chunks } : undefined;
  }),
];

const headings = { original: "class OriginalOfTheTwo {", copy: "class CopyOfTheTwo {" } as const;

function twice(title: string, formats: readonly Format[], harm: (doubled: Draft) => Draft | undefined): Damage {
  return damage(title, formats, (draft, random) => {
    const doubled = inTwoPlaces(draft, random);
    return doubled && harm(doubled);
  });
}

/** The draft about a file that has its only chunk in one class and the same old lines in another, above or below. */
function inTwoPlaces(draft: Draft, random: Random, change = indented): Draft | undefined {
  const { edit, chunks } = draft;
  const [chunk] = chunks;
  if (!chunk || chunks.length > 1 || chunk.end - chunk.start < 2) return undefined;
  const block = edit.lines.slice(chunk.start, chunk.end).map(indented);
  const copy = ["", headings.copy, ...edit.lines.slice(chunk.start, chunk.end).map(change), "}", ""];
  const isAbove = random.chance(0.5);
  const [above, below] = [edit.lines.slice(0, chunk.start), edit.lines.slice(chunk.end)];
  const first = [...(isAbove ? copy : []), ...above, headings.original];
  const lines = [...first, ...block, "}", ...below, ...(isAbove ? [] : copy)];
  const moved = (line: number): number => line - chunk.start + first.length;
  const hunks = edit.hunks.map(({ start, end, lines: added }) => {
    return { start: moved(start), end: moved(end), lines: added.map(indented) };
  });
  const doubled = { ...edit, lines, hunks };
  const range = { start: first.length, end: first.length + block.length };
  return { ...draft, edit: doubled, asked: undefined, chunks: chunksAgain(doubled, [range]) };
}

function indented(line: string): string {
  return line.trim() === "" ? line : `    ${line}`;
}

/** The nearest line above that is indented less, as a class or function is above what is in it. */
function headingOf({ lines }: RealEdit, { start, rows }: Chunk): string | undefined {
  const first = rows.find(({ mark, text }) => mark !== "+" && text.trim() !== "");
  const depth = indentOf(first?.text ?? "").length;
  const above = lines.slice(0, start).findLast((line) => /^\s*\w.*\w/.test(line) && indentOf(line).length < depth);
  return above?.trim();
}
