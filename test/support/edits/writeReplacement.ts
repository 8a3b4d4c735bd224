import { type Draft, linesOf } from "./draft.ts";
import { fenceAround, languageOf } from "./fence.ts";
import type { Random } from "./random.ts";

/** A block that replaces the lines that were asked about. */
export function writeReplacement(draft: Draft, random: Random): string {
  const content = draft.chunks.flatMap((chunk) => linesOf(chunk, "new"));
  const language = languageOf(draft.edit.path);
  const info = random.pick([`${language} replace`, `${language} replace`, "text replace", `${language} replace `]);
  // Longer than any fence in the code before or after, as prompts ask for.
  const around = [...draft.chunks.flatMap((chunk) => linesOf(chunk, "old")), ...content].join("\n");
  const character = random.chance(0.1) && !around.includes("```") ? "~" : "`";
  const fence = draft.manner.shortFence ? "```" : fenceAround(around, character);
  return [fence + info, ...content, fence].join("\n");
}
