import { type Draft, linesOf } from "./draft.ts";
import { fenceAround, languageOf } from "./fence.ts";
import type { Random } from "./random.ts";

/** The whole file in a block that names its path in its info, or on the line before. */
export function writeWholeFile({ chunks, path, edit, manner }: Draft, random: Random): string {
  const content = chunks.flatMap((chunk) => linesOf(chunk, "new"));
  const fence = manner.shortFence ? "```" : fenceAround(content.join("\n"));
  const language = languageOf(edit.path);
  const isPlain = /^[\w./@-]+$/.test(path);
  const infos = [`${language} ${path}`, `${language}:${path}`, path, `${language} title="${path}"`];
  const info = isPlain ? random.pick(infos) : undefined;
  const heads = [`\`${path}\``, `**${path}**`, `### ${path}`, `**\`${path}\`**:`, `File: ${path}`, `\`${path}\`:`];
  const head = random.pick([path, `${path}:`, ...heads]) + (random.chance(0.5) ? "\n" : "");
  const named = head;
  const opening = info !== undefined && random.chance(0.5) ? [`${fence}${info}`] : [named, fence + language];
  return [...opening, ...content, fence].join("\n");
}
