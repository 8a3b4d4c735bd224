import { hidesText } from "../text/unseen.ts";
import { findOmission } from "./omissions.ts";
import type { EditProblemKind } from "./types.ts";

/**
 * Why new lines cannot be applied: they have invisible characters, or blanks that push code out of view, that the old
 * ones did not have, or they leave out code. `isPlain` is for lines outside a block, where comments of HTML are hidden.
 */
export function flawOf(added: readonly string[], old: readonly string[], isPlain = false): EditProblemKind | undefined {
  if (isPlain && added.some((line) => line.includes("<!--"))) return "html";
  if (hidesText(added, old)) return "unseen";
  return findOmission(added, old) === undefined ? undefined : "omission";
}
