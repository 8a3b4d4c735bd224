import type { Draft, Format } from "./draft.ts";
import { fenceAround } from "./fence.ts";
import { inProse } from "./prose.ts";
import type { Random } from "./random.ts";
import { writeDiff } from "./writeDiff.ts";
import { writePatch } from "./writePatch.ts";
import { writeReplacement } from "./writeReplacement.ts";
import { writeSearchReplace } from "./writeSearchReplace.ts";
import { writeWholeFile } from "./writeWholeFile.ts";

const writers: Readonly<Record<Format, (draft: Draft, random: Random) => string>> = {
  replace: writeReplacement,
  searchReplace: writeSearchReplace,
  patch: (draft) => writePatch(draft),
  fencedPatch: (draft, random) => {
    const lines = writePatch(draft);
    const fence = draft.manner.shortFence ? "```" : fenceAround(lines);
    return `${fence}${random.pick(["", "diff", "patch", "text", "apply_patch"])}\n${lines}\n${fence}`;
  },
  diff: writeDiff,
  wholeFile: writeWholeFile,
};

/** An answer as it was sent, with the places of the edit in it. */
export interface WrittenAnswer {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Writes an answer as a model does, with sentences before and after. */
export function writeAnswer(draft: Draft, random: Random): WrittenAnswer {
  return inProse(writeEdit(draft, random), random);
}

/** Only the part of the answer that changes files. */
export function writeEdit(draft: Draft, random: Random): string {
  return writers[draft.format](draft, random);
}
