import { type Hunk, indentOf, mergeHunks } from "./edit.ts";
import type { Random } from "./random.ts";

type Inventor = (lines: readonly string[], extension: string, random: Random) => readonly Hunk[];

const inventors: readonly Inventor[] = [rename, insertStatements, deleteLines, changeValue, wrap, importAndUse, move];

/** One to three changes that people make to code, at random places of a file; none where the file has no such place. */
export function inventHunks(lines: readonly string[], extension: string, random: Random): readonly Hunk[] {
  let hunks: readonly Hunk[] = [];
  for (let wanted = random.pick([1, 1, 1, 2, 2, 3]); wanted > 0; wanted -= 1) {
    const more = random.pick(inventors)?.(lines, extension, random) ?? [];
    const isApart = more.every((one) => hunks.every((other) => one.end < other.start || other.end < one.start));
    if (isApart) hunks = [...hunks, ...more];
  }
  const changes = mergeHunks(hunks).filter(({ start, end, lines: added }) => {
    const old = lines.slice(start, end);
    return old.length !== added.length || old.some((line, index) => line !== added[index]);
  });
  return changes.length <= 6 ? changes : [];
}

function rename(lines: readonly string[], _: string, random: Random): readonly Hunk[] {
  const names = /\b[A-Za-z_]\w{3,}\b/g;
  const name = random.pick(lines[random.below(lines.length)]?.match(names) ?? []);
  if (name === undefined) return [];
  const word = new RegExp(`\\b${name}\\b`, "g");
  const users = lines.flatMap((line, index) => (line.search(word) >= 0 ? [index] : [])).slice(0, 6);
  return users.map((index) => ({
    start: index,
    end: index + 1,
    lines: [(lines[index] ?? "").replace(word, `${name}Renamed`)],
  }));
}

function insertStatements(lines: readonly string[], extension: string, random: Random): readonly Hunk[] {
  const after = anyFilled(lines, random);
  const indent = indentOf(lines[after] ?? "");
  const count = 1 + random.below(4);
  const added = Array.from({ length: count }, (_, index) => indent + statement(extension, random.below(900) + index));
  if (random.chance(0.3)) added.splice(random.below(added.length), 0, "");
  return [{ start: after + 1, end: after + 1, lines: added }];
}

function deleteLines(lines: readonly string[], _: string, random: Random): readonly Hunk[] {
  const start = anyFilled(lines, random);
  return [{ start, end: Math.min(lines.length, start + 1 + random.below(5)), lines: [] }];
}

function changeValue(lines: readonly string[], _: string, random: Random): readonly Hunk[] {
  const start = anyFilled(lines, random);
  const line = lines[start] ?? "";
  const changes: readonly ((text: string) => string)[] = [
    (text) => text.replace("===", "!=="),
    (text) => text.replace(/\bif \((.*)\)/, "if (isEnabled && ($1))"),
    (text) => text.replace(/\d+/, (digits) => String(Number(digits) + 7)),
    (text) => text.replace(/(["'])([^"']+)\1/, "$1$2 changed$1"),
    (text) => text.replace(/\btrue\b/, "false"),
    (text) => text.replace(/(\w)(\W*)$/, "$1Changed$2"),
  ];
  const changed = changes.map((change) => change(line)).find((text) => text !== line);
  return changed === undefined ? [] : [{ start, end: start + 1, lines: [changed] }];
}

function wrap(lines: readonly string[], extension: string, random: Random): readonly Hunk[] {
  const start = anyFilled(lines, random);
  const end = Math.min(lines.length, start + 2 + random.below(6));
  const block = lines.slice(start, end);
  const indent =
    block
      .filter((line) => line.trim() !== "")
      .map(indentOf)
      .sort((one, other) => one.length - other.length)[0] ?? "";
  const unit = unitOf(lines);
  const inner = block.map((line) => (line.trim() === "" ? line : unit + line));
  if (/\.(md|json|yml)$/.test(extension)) return [{ start, end, lines: inner }];
  if (extension === ".py") return [{ start, end, lines: [`${indent}if is_enabled:`, ...inner] }];
  if (extension === ".sh")
    return [{ start, end, lines: [`${indent}if [ -n "$ENABLED" ]; then`, ...inner, `${indent}fi`] }];
  return [{ start, end, lines: [`${indent}if (isEnabled) {`, ...inner, `${indent}}`] }];
}

/** One step of indentation in a file. */
function unitOf(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith("\t"))) return "\t";
  const widths = lines.map((line) => indentOf(line).length).filter((width) => width > 1);
  return widths.length > 0 && widths.every((width) => width % 4 !== 2) ? "    " : "  ";
}

function importAndUse(lines: readonly string[], extension: string, random: Random): readonly Hunk[] {
  const top = lines.findIndex((line) => /^(import|from|#include|const \w+ = require|@import)/.test(line));
  const at = top < 0 ? random.below(2) : top;
  const use = insertStatements(lines, extension, random);
  return [{ start: at, end: at, lines: [importLine(extension)] }, ...use.filter(({ start }) => start > at)];
}

/** Moves a paragraph, which in code is often a function, behind another one. */
function move(lines: readonly string[], _: string, random: Random): readonly Hunk[] {
  const breaks = lines.flatMap((line, index) => (line.trim() === "" ? [index] : []));
  const from = random.below(breaks.length);
  const [start = -1, end = -1] = [breaks[from], breaks[from + 1]];
  const target = random.pick(breaks.filter((index) => index < start || index > end));
  if (start < 0 || end - start < 2 || end - start > 30 || target === undefined) return [];
  return mergeHunks([
    { start, end, lines: [] },
    { start: target, end: target, lines: lines.slice(start, end) },
  ]);
}

function anyFilled(lines: readonly string[], random: Random): number {
  const filled = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
  return random.pick(filled) ?? 0;
}

function statement(extension: string, seed: number): string {
  if (extension === ".md") return `See also the chapter about step ${seed} of the procedure.`;
  if (extension === ".json") return `"addedKey${seed}": { "isEnabled": true, "limit": ${seed} },`;
  if (extension === ".yml") return `added-key-${seed}: true`;
  if (extension === ".css") return `margin-inline: ${seed}px;`;
  if (extension === ".py") return `logger.debug("reached step %d", ${seed})`;
  if (extension === ".sh") return `echo "reached step ${seed}" >&2`;
  if (extension === ".html") return `<p class="step">Step ${seed}</p>`;
  return `reportProgress("reached step", ${seed});`;
}

function importLine(extension: string): string {
  if (extension === ".md") return "> This chapter needs the newest version.";
  if (extension === ".json") return '"importedKey": [],';
  if (extension === ".yml") return "imported-key: true";
  if (extension === ".css") return '@import "./progress.css";';
  if (extension === ".py") return "import logging";
  if (extension === ".sh") return ". ./progress.sh";
  if (/\.(h|c|cc)$/.test(extension)) return '#include "progress.h"';
  return extension === ".html" ? "<!doctype html>" : 'import { reportProgress } from "./progress.ts";';
}
