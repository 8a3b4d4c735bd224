import { type Chunk, type Draft, linesOf } from "./draft.ts";
import { fenceAround } from "./fence.ts";
import type { Random } from "./random.ts";
import { writeRow } from "./writePatch.ts";

/** A unified diff, whose numbers are right only sometimes unless the draft says. */
export function writeDiff(draft: Draft, random: Random): string {
  const { path, edit, manner } = draft;
  const numbers = manner.numbers ?? random.pick(["right", "wrong"] as const);
  const prefix = random.chance(0.7);
  const [old, changed] = prefix ? [`a/${path}`, `b/${path}`] : [path, path];
  const head = [`--- ${old}`, `+++ ${changed}`];
  if (prefix && random.chance(0.3)) head.unshift(`diff --git ${old} ${changed}`, "index 3f2a1b0..9c8d7e6 100644");
  const body = draft.chunks.flatMap((chunk, index) => {
    const rows = chunk.rows.map((row) => writeRow(row, draft));
    const isWholeEnd = chunk.end === edit.lines.length && !edit.form.hasFinalNewline;
    return [hunkLine(chunk, index, numbers, random), ...rows, ...(isWholeEnd ? ["\\ No newline at end of file"] : [])];
  });
  const content = [...head, ...body].join("\n");
  const fence = manner.shortFence ? "```" : fenceAround(content);
  return `${fence}${random.pick(["diff", "diff", "patch", ""])}\n${content}\n${fence}`;
}

function hunkLine(
  chunk: Chunk,
  index: number,
  numbers: NonNullable<Draft["manner"]["numbers"]>,
  random: Random,
): string {
  const anchor = chunk.anchor === undefined ? "" : ` ${chunk.anchor}`;
  if (numbers === "none") return random.pick(["@@ @@", "@@", "@@ ... @@", "@@ -,+ @@"]) + anchor;
  const isRight = numbers === "right";
  const off = isRight ? 0 : random.below(40) + index;
  const [start, oldCount, newCount] = [
    chunk.start + 1 + off,
    linesOf(chunk, "old").length,
    linesOf(chunk, "new").length,
  ];
  const wrong = isRight ? 0 : random.below(4);
  return `@@ -${start},${oldCount + wrong} +${start + (isRight ? 0 : 3)},${newCount + 2 * wrong} @@${anchor}`;
}
