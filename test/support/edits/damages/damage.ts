import type { Draft, Format } from "../draft.ts";
import type { Random } from "../../random.ts";

/** Something that models do to answers, or that happens to files meanwhile. */
export interface Damage {
  readonly title: string;
  readonly formats: readonly Format[];
  /** The damaged answer, or nothing where this answer cannot be damaged in this way. */
  readonly harm: (draft: Draft, random: Random) => Draft | undefined;
}

/** Formats that show lines before and after the change. */
export const hunkFormats = ["searchReplace", "patch", "fencedPatch", "diff"] as const;

/** Formats whose lines begin with a mark. */
export const markedFormats = ["patch", "fencedPatch", "diff"] as const;

/** Makes a row of the table of damages. */
export function damage(title: string, formats: readonly Format[], harm: Damage["harm"]): Damage {
  return { title, formats, harm };
}
