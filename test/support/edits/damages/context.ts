import { caseOf, withFileChanged } from "../case.ts";
import { type Chunk, type Draft, isFilled, linesOf, type Row, withRows } from "../draft.ts";
import { countPlaces } from "../edit.ts";
import type { Random } from "../random.ts";
import { type Damage, damage, hunkFormats, markedFormats } from "./damage.ts";

const elisions = [
  "...",
  "// ...",
  "# ...",
  "// ... existing code ...",
  "    // ... rest unchanged ...",
  "…",
  "  // …",
] as const;
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
  damage("blank line of the context lost", hunkFormats, (draft, random) => loseBlank(draft, random)),
  damage("blank line added to the context", hunkFormats, addBlank),
  damage("blank context without its space", markedFormats, (draft, random) =>
    caseOf({ ...draft, manner: { bareContext: "blank" } }, random),
  ),
  damage("context without its spaces", markedFormats, bareContext),
  damage("ellipsis in the old lines", hunkFormats, (draft, random) => {
    const chosen = random.pick(elisions);
    const place = innerRow(draft, random, ({ mark }) => mark !== "+");
    return (
      place && caseOf(replaceRow(draft, place, [{ ...place.row, text: chosen }]), random, { expectation: "refused" })
    );
  }),
  damage("existing code left out of the new lines", ["replace", "wholeFile", ...hunkFormats], leaveOut),
  damage("an old line remembered wrongly", hunkFormats, (draft, random) => {
    const place = innerRow(draft, random, (row) => row.mark !== "+" && /\w{3}/.test(row.text));
    if (!place) return undefined;
    const changed = { ...place.row, text: place.row.text.replace(/\w{3}/, "qux7") };
    return caseOf(replaceRow(draft, place, [changed]), random, { expectation: "refused" });
  }),
  damage("target state in the context", hunkFormats, (draft, random) => {
    const isNew = draft.chunks.some((chunk) => countPlaces(draft.edit.lines, linesOf(chunk, "new"), false) === 0);
    const done = withRows(draft, (row) =>
      row.mark === "-" ? [] : row.mark === "+" ? [{ ...row, mark: " " }, row] : [row],
    );
    const isAdding = draft.chunks.every(({ rows }) => rows.some((row) => row.mark === "+" && isFilled(row)));
    return isNew && isAdding ? caseOf(done, random, { expectation: "refused" }) : undefined;
  }),
  damage("new lines without their marks", markedFormats, (draft, random) => {
    const isAdding = draft.chunks.every(({ rows }) => rows.some((row) => row.mark === "+" && says(row)));
    const lost = withRows(draft, (row) => [row.mark === "+" ? { ...row, mark: " " } : row]);
    return isAdding ? caseOf(lost, random, { expectation: "refused" }) : undefined;
  }),
  damage("unchanged lines in other characters", ["replace", "wholeFile"], (draft, random) => {
    const form = random.pick([typographic, escaped, (text: string) => text.normalize("NFD")]);
    const retyped = withRows(draft, (row) => [row.mark === " " ? { ...row, text: form(row.text) } : row]);
    const isOnly = draft.chunks.every(({ rows }) => rows.every(({ mark }) => mark === " "));
    return isOnly ? undefined : caseOf(retyped, random, { expectation: "mayLand" });
  }),
  damage("already applied", hunkFormats, (draft, random) => {
    const changed = withFileChanged(draft);
    const isGone = draft.chunks.every((chunk) => countPlaces(changed.edit.lines, linesOf(chunk, "old"), false) === 0);
    return isGone ? caseOf({ ...changed, asked: undefined }, random, { expectation: "refused" }) : undefined;
  }),
  damage("insertion applied already, context on one side", hunkFormats, (draft, random) => {
    const isBefore = random.chance(0.5);
    const chunks = draft.chunks.map((chunk) => ({ ...chunk, rows: oneSided(chunk, isBefore) }));
    const isInsertion = chunks.every(({ rows }) => rows.filter((row) => row.mark === "+" && isFilled(row)).length > 1);
    const { edit } = withFileChanged(draft);
    const isThere = chunks.every((chunk) => countPlaces(edit.lines, linesOf(chunk, "old"), true) === 1);
    const next = { ...draft, edit, chunks, asked: undefined };
    return isInsertion && isThere && draft.edit.hunks.length === 1
      ? caseOf(next, random, { expectation: "refused" })
      : undefined;
  }),
];

function says({ text }: Row): boolean {
  return /\w/.test(text);
}

function typographic(text: string): string {
  return text.replace(/"([^"]*)"/g, "“$1”").replace(/'([^']*)'/g, "‘$1’");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

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
      index > 0 && index < chunk.rows.length - 1 && isFilled(row) && fits(row, chunk, index)
        ? [{ chunk, index, row }]
        : [],
    ),
  );
  return random.pick(places);
}

function replaceRow(draft: Draft, { chunk, index }: Place, rows: readonly Row[]): Draft {
  const changed = { ...chunk, rows: chunk.rows.toSpliced(index, 1, ...rows) };
  return { ...draft, chunks: draft.chunks.map((one) => (one === chunk ? changed : one)) };
}

/** Leaves out blank lines between lines that stay. */
function loseBlank(draft: Draft, random: Random): ReturnType<Damage["harm"]> {
  const isInner = (row: Row, index: number, rows: readonly Row[]): boolean =>
    !isFilled(row) &&
    [-1, 0, 1].every((step) => rows[index + step]?.mark === " ") &&
    [-1, 1].every((step) => isFilled(rows[index + step] ?? row));
  const less = withRows(draft, (row, index, rows) => (isInner(row, index, rows) ? [] : [row]));
  return countRows(less) < countRows(draft) ? caseOf(less, random) : undefined;
}

/** Adds blank lines between lines that stay. */
function addBlank(draft: Draft, random: Random): ReturnType<Damage["harm"]> {
  const more = withRows(draft, (row, index, rows) => {
    const next = rows[index + 1];
    const isBetween = row.mark === " " && isFilled(row) && next?.mark === " " && isFilled(next) && random.chance(0.5);
    return isBetween ? [row, { mark: " ", text: "" }] : [row];
  });
  return countRows(more) > countRows(draft) ? caseOf(more, random) : undefined;
}

function countRows({ chunks }: Draft): number {
  return chunks.reduce((count, { rows }) => count + rows.length, 0);
}

/** Without spaces, only a line that has no indentation tells that they are missing. */
function bareContext(draft: Draft, random: Random): ReturnType<Damage["harm"]> {
  const isTold = draft.chunks.every(({ rows }) => rows.some(({ mark, text }) => mark === " " && /^[^\s]/.test(text)));
  const context = draft.chunks.flatMap(({ rows }) => rows.filter(({ mark }) => mark === " "));
  const isUnclear = context.some(({ text }) => /^(?:[-+@\\]|\*\*\*)/.test(text)) || draft.format === "patch";
  const bare = caseOf({ ...draft, manner: { bareContext: "all" } }, random);
  return isTold && !isUnclear ? bare : { ...bare, expectation: "mayLand" };
}

/** A comment stands for code that the answer does not repeat. */
function leaveOut(draft: Draft, random: Random): ReturnType<Damage["harm"]> {
  const text = random.pick(stubs);
  // In Python, three dots are code.
  if (text === "..." && draft.edit.path.endsWith(".py")) return undefined;
  const isWhole = draft.format === "replace" || draft.format === "wholeFile";
  const place = innerRow(draft, random, ({ mark }) => mark === (isWhole ? " " : "+"));
  const stub: Row = { mark: "+", text: text.padStart(text.length + 2 * random.below(3)) };
  return place && caseOf(replaceRow(draft, place, [stub]), random, { expectation: "refused" });
}

/** The added lines of a chunk with its other lines on one side only. */
function oneSided({ rows }: Chunk, isBefore: boolean): readonly Row[] {
  const first = rows.findIndex(({ mark }) => mark === "+");
  const last = rows.findLastIndex(({ mark }) => mark === "+");
  if (rows.some(({ mark }) => mark === "-") || first < 0) return [];
  return isBefore ? rows.slice(0, last + 1) : rows.slice(first);
}
