import type { RealEdit } from "./edit.ts";
import { historyEdits } from "./historyEdits.ts";
import { installedEdits } from "./installedEdits.ts";

/** How many edits are tried, and how many of them the history gives where there is one. */
const [count, fromHistory] = [260, 120];

/** Edits from the history of this repository, and made up for installed packages. */
export function realEdits(): { readonly edits: readonly RealEdit[]; readonly missing?: string } {
  const history = historyEdits(fromHistory);
  return { ...history, edits: [...history.edits, ...installedEdits(count - history.edits.length)] };
}
