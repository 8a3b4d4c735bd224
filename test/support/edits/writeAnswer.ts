import { type Chunk, type Draft, type Format, linesOf, type Row } from "./draft.ts";
import type { Random } from "../random.ts";

const writers: Readonly<Record<Format, (draft: Draft, random: Random) => string>> = {
  replace: writeReplacement,
  searchReplace: writeSearchReplace,
  patch: writePatch,
  fencedPatch: (draft, random) => {
    const lines = writePatch(draft);
    const fence = fenceAround(lines);
    return `${fence}${random.pick(["", "diff", "patch", "text", "apply_patch"])}\n${lines}\n${fence}`;
  },
  diff: writeDiff,
  wholeFile: writeWholeFile,
};

const before = [
  "",
  "Sure, here is the change:",
  "I've updated the code as you asked. The `limit` is now checked first:",
  "There are two things to do:\n\n- read the value once, and\n- keep the result.\n\nHere is the edit.",
  "> make it faster\n\nThis is what I would change.",
  "## Plan\n\n1. Look at what calls this.\n2. Change only what has to change.\n\n## Edit",
] as const;

const after = [
  "",
  "This keeps the behavior for all other callers.",
  "Let me know if you also want tests for this!",
  "**Why:** the old code did more work than it had to.\n\n* No public name changes.\n* `isEnabled` is read once.",
  "To check it:\n\n```sh\nnpm test\n```",
  "| Before | After |\n| --- | --- |\n| slow | fast |",
] as const;

const languages: Readonly<Record<string, string>> = {
  ts: "typescript", mts: "ts", cts: "ts", js: "javascript", mjs: "js", cjs: "js", py: "python", md: "markdown",
  yml: "yaml", h: "cpp", cc: "cpp", sh: "bash",
}; // prettier-ignore

/** Writes an answer as a model does, with sentences before and after. */
export function writeAnswer(draft: Draft, random: Random): string {
  return inProse(writeEdit(draft, random), random);
}

/** Only the part of the answer that changes files. */
export function writeEdit(draft: Draft, random: Random): string {
  return writers[draft.format](draft, random);
}

/** An edit with sentences before and after, as most answers have them. */
function inProse(edit: string, random: Random): string {
  const [first, last] = [random.pick(before), random.pick(after)];
  const text = [first, edit, last].filter((part) => part !== "").join("\n\n");
  return text + (random.chance(0.5) ? "\n" : "");
}

/** A block that replaces the lines that were asked about. */
function writeReplacement(draft: Draft, random: Random): string {
  const content = draft.chunks.flatMap((chunk) => linesOf(chunk, "new"));
  const language = languageOf(draft.edit.path);
  const info = random.pick([`${language} replace`, `${language} replace`, "text replace", `${language} replace `]);
  // Longer than any fence in the code before or after, as prompts ask for.
  const around = [...draft.chunks.flatMap((chunk) => linesOf(chunk, "old")), ...content].join("\n");
  const character = random.chance(0.1) && !around.includes("```") ? "~" : "`";
  const fence = fenceAround(around, character);
  return [fence + info, ...content, fence].join("\n");
}

/** SEARCH/REPLACE blocks, in one fence or in one each, with the path where models put it. */
function writeSearchReplace(draft: Draft, random: Random): string {
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

function fenced({ path, edit }: Draft, content: string, place: Place, random: Random): string {
  const fence = fenceAround(content);
  const language = languageOf(edit.path);
  const info = place === "inInfo" ? random.pick([`${language} ${path}`, path, `${language}:${path}`]) : language;
  const block = `${fence}${info}\n${content}\n${fence}`;
  if (place !== "beforeFence") return block;
  const head = random.pick([path, `\`${path}\``, `**${path}**`, `${path}:`, `### ${path}`]);
  return `${head}\n${block}`;
}

/** OpenAI's patch for one file. */
function writePatch(draft: Draft): string {
  return ["*** Begin Patch", ...patchSection(draft), "*** End Patch"].join("\n");
}

/** The part of a patch that is about one file. */
function patchSection(draft: Draft): readonly string[] {
  const { edit, path, chunks } = draft;
  const isOnly = chunks.length === 1 && chunks[0]?.anchor === undefined;
  const lines = chunks.flatMap((chunk) => {
    const head = isOnly && chunk.start % 2 === 0 ? [] : [anchorLine(chunk)];
    const tail = chunk.end === edit.lines.length && chunk.end % 2 === 0 ? ["*** End of File"] : [];
    return [...head, ...chunk.rows.map((row) => writeRow(row, draft)), ...tail];
  });
  return [`*** Update File: ${path}`, ...lines];
}

function anchorLine({ anchor }: Chunk): string {
  return anchor === undefined ? "@@" : `@@ ${anchor}`;
}

/** A line of a patch or a diff. */
function writeRow({ mark, text }: Row, { manner }: Draft): string {
  if (mark !== " ") return mark + text;
  if (manner.bareContext === "all") return text;
  return text === "" && manner.bareContext === "blank" ? "" : ` ${text}`;
}

/** A unified diff, whose numbers are right only sometimes unless the draft says. */
function writeDiff(draft: Draft, random: Random): string {
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
  const fence = fenceAround(content);
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

/** The whole file in a block that names its path in its info, or on the line before. */
function writeWholeFile({ chunks, path, edit }: Draft, random: Random): string {
  const content = chunks.flatMap((chunk) => linesOf(chunk, "new"));
  const fence = fenceAround(content.join("\n"));
  const language = languageOf(edit.path);
  const isPlain = /^[\w./@-]+$/.test(path);
  const infos = [`${language} ${path}`, `${language}:${path}`, path, `${language} title="${path}"`];
  const info = isPlain ? random.pick(infos) : undefined;
  const heads = [`\`${path}\``, `**${path}**`, `### ${path}`, `**\`${path}\`**:`, `File: ${path}`, `\`${path}\`:`];
  const head = random.pick([path, `${path}:`, ...heads]) + (random.chance(0.5) ? "\n" : "");
  const opening = info !== undefined && random.chance(0.5) ? [`${fence}${info}`] : [head, fence + language];
  return [...opening, ...content, fence].join("\n");
}

/** A fence that no line of the content can close. */
export function fenceAround(content: string, character: "`" | "~" = "`"): string {
  const runs = content.match(character === "`" ? /`{3,}/g : /~{3,}/g) ?? [];
  return character.repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3));
}

/** The name of a file's language, as models write it behind a fence. */
export function languageOf(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return languages[extension] ?? extension;
}
