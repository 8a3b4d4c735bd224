import { type Chunk, type Draft, hasText, linesOf, type Row, withRows } from "../draft.ts";
import { countPlaces } from "../edit.ts";
import type { Random } from "../../random.ts";
import { type Damage, damage, hunkFormats, markedFormats } from "./damage.ts";

const stubs = [
  "// ... existing code ...",
  "# ... existing code ...",
  "// ... rest of the function unchanged ...",
  "/* ... existing code ... */",
  "// ... existing imports ...",
  "// …",
  "// rest of the code remains the same",
  "<!-- ... existing content ... -->",
  "...",
] as const;

/** The lines around a change are not as they are in the file. */
export const contextDamages: readonly Damage[] = [
  damage("blank context without its space", markedFormats, (draft) => {
    return { ...draft, manner: { bareContext: "blank" } };
  }),
  damage("context without its spaces", markedFormats, bareContext),
  damage("existing code left out of the new lines", ["replace", "wholeFile", ...hunkFormats], leaveOut),
  damage("target state in the context", hunkFormats, (draft) => {
    const isNew = draft.chunks.some((chunk) => countPlaces(draft.edit.lines, linesOf(chunk, "new"), false) === 0);
    const done = withRows(draft, (row) =>
      row.mark === "-" ? [] : row.mark === "+" ? [{ ...row, mark: " " }, row] : [row],
    );
    const isAdding = draft.chunks.every(({ rows }) => rows.some((row) => row.mark === "+" && hasText(row)));
    return isNew && isAdding ? { ...done, expectation: "refused" } : undefined;
  }),
];

interface Place {
  readonly chunk: Chunk;
  readonly index: number;
  readonly row: Row;
}

/** A row within a chunk that is neither its first nor its last. */
function innerRow(
  { chunks }: Draft,
  random: Random,
  fits: (row: Row, chunk: Chunk, index: number) => boolean,
): Place | undefined {
  const places = chunks.flatMap((chunk) =>
    chunk.rows.flatMap((row, index) =>
      index > 0 && index < chunk.rows.length - 1 && hasText(row) && fits(row, chunk, index)
        ? [{ chunk, index, row }]
        : [],
    ),
  );
  return random.pick(places);
}

function replaceRow(draft: Draft, { chunk, index }: Place, row: Row): Draft {
  const changed = { ...chunk, rows: chunk.rows.with(index, row) };
  return { ...draft, chunks: draft.chunks.map((one) => (one === chunk ? changed : one)) };
}

/** Without spaces, only a line that has no indentation tells that they are missing. */
function bareContext(draft: Draft): Draft {
  const isTold = draft.chunks.every(({ rows }) => rows.some(({ mark, text }) => mark === " " && /^[^\s]/.test(text)));
  const context = draft.chunks.flatMap(({ rows }) => rows.filter(({ mark }) => mark === " "));
  const isUnclear = context.some(({ text }) => /^(?:[-+@\\]|\*\*\*)/.test(text)) || draft.format === "patch";
  const bare: Draft = { ...draft, manner: { bareContext: "all" } };
  return isTold && !isUnclear ? bare : { ...bare, expectation: "mayLand" };
}

/** A comment stands for code that the answer does not repeat. */
function leaveOut(draft: Draft, random: Random): Draft | undefined {
  const text = random.pick(stubs);
  // In Python, three dots are code.
  if (text === "..." && draft.edit.path.endsWith(".py")) return undefined;
  const isWhole = draft.format === "replace" || draft.format === "wholeFile";
  const place = innerRow(draft, random, ({ mark }) => mark === (isWhole ? " " : "+"));
  const stub: Row = { mark: "+", text: text.padStart(text.length + 2 * random.below(3)) };
  return place && { ...replaceRow(draft, place, stub), expectation: "refused" };
}
