import { type Draft, linesOf } from "./draft.ts";
import { fenceAround, languageOf } from "./fence.ts";
import type { Random } from "./random.ts";

/** SEARCH/REPLACE blocks, in one fence or in one each, with the path where models put it. */
export function writeSearchReplace(draft: Draft, random: Random): string {
  const blocks = draft.chunks.map((chunk) => {
    const [old, changed] = [linesOf(chunk, "old"), linesOf(chunk, "new")];
    return ["<<<<<<< SEARCH", ...old, "=======", ...changed, ">>>>>>> REPLACE"].join("\n");
  });
  const places = ["inFence", "beforeFence", "inInfo"] as const;
  const place = random.pick(places);
  const isTogether = random.chance(0.4);
  const groups = isTogether
    ? [blocks.map((block) => headed(draft, block, place)).join("\n\n")]
    : blocks.map((block) => headed(draft, block, place));
  return groups.map((content) => fenced(draft, content, place, random)).join("\n\n");
}

type Place = "inFence" | "beforeFence" | "inInfo";

function headed({ path }: Draft, block: string, place: Place): string {
  return place === "inFence" ? `${path}\n${block}` : block;
}

function fenced({ path, edit, manner }: Draft, content: string, place: Place, random: Random): string {
  const fence = manner.shortFence ? "```" : fenceAround(content);
  const language = languageOf(edit.path);
  const info = place === "inInfo" ? random.pick([`${language} ${path}`, path, `${language}:${path}`]) : language;
  const block = `${fence}${info}\n${content}\n${fence}`;
  if (place !== "beforeFence") return block;
  const head = random.pick([path, `\`${path}\``, `**${path}**`, `${path}:`, `### ${path}`]);
  return `${head}\n${block}`;
}
