import { invisibleClasses } from "../base/collapseSpace.ts";

/** Invisible characters of a text with several lines. */
const unseen = new RegExp(String.raw`(?![\t\n\r])[${invisibleClasses}]`, "gu");

/**
 * Joiners that emoji and some scripts require, in a group, or else an invisible character. Compiled at first use, because
 * few texts have any. Not a literal, because V8 checks literals when it loads the file, and expands the emoji for some 20 ms
 * (Node 24).
 */
const joinerOrUnseen = once(
  () =>
    new RegExp(
      String.raw`(\p{RGI_Emoji}|[\p{Script=Arab}\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Mymr}\p{Script=Khmr}\p{Script=Syrc}\p{Script=Mong}][\u200c\u200d](?=\p{L}))|${unseen.source}`,
      "gv",
    ),
);

/** Runs of spaces of any width, tabs, and empty Braille patterns. */
const spaces = /[\p{Zs}\t\u2800]{2,}/gu;
/** Minimum width, in columns, of a run of spaces that counts as a gap. */
const gap = 8;
/** Total width of gaps, in columns, after which the end of a line may be out of view. */
const stretched = 120;
const tabWidth = 4;

/** The invisible characters in a text. */
export function invisibleIn(text: string): ReadonlySet<string> {
  if (text.search(unseen) < 0) return new Set();
  const found = text.matchAll(joinerOrUnseen()).filter(([, joiner]) => joiner === undefined);
  return new Set(found.map(([character]) => character));
}

/** The text without its invisible characters. */
export function withoutInvisible(text: string): string {
  return text.search(unseen) < 0 ? text : text.replace(unseen, "");
}

/** Replaces each invisible character with a visible mark. */
export function withInvisibleMarked(text: string): string {
  return replaceInvisible(text, mark);
}

/** Replaces each invisible character, except for joiners that belong to a text. */
export function replaceInvisible(text: string, by: (character: string) => string): string {
  if (text.search(unseen) < 0) return text;
  return text.replace(joinerOrUnseen(), (found, joiner?: string) => joiner ?? by(found));
}

/** Whether lines hide text, as `known` lines do not: by invisible characters, or by spaces that push code out of view. */
export function hidesText(lines: readonly string[], known: readonly string[] = []): boolean {
  if (lines.some(isStretched) && !known.some(isStretched)) return true;
  const found = invisibleIn(lines.join("\n"));
  return found.size > 0 && !found.isSubsetOf(invisibleIn(known.join("\n")));
}

/** A text without invisible characters, and with single spaces in lines whose spaces push text out of view. */
export function visibleText(text: string): string {
  const lines = replaceInvisible(text, () => "").split("\n");
  return lines.map((line) => (isStretched(line) ? line.replace(spaces, " ") : line)).join("\n");
}

/** Whether a line of code has so many spaces that its end may be out of view, because code is not wrapped. */
export function isStretched(line: string): boolean {
  if (line.length < stretched / tabWidth) return false;
  const widths = (line.match(spaces) ?? []).map(widthOf).filter((width) => width >= gap);
  return widths.reduce((sum, width) => sum + width, 0) >= stretched;
}

/** Marks runs of spaces in a line whose end they may push out of view. The first `unmarked` spaces of each run stay. */
export function withSpacesMarked(line: string, unmarked = 0): string {
  if (!isStretched(line)) return line;
  return line.replace(spaces, (run) =>
    widthOf(run) < gap ? run : run.slice(0, unmarked) + mark(run, ` × ${run.length}`),
  );
}

function widthOf(run: string): number {
  let width = 0;
  for (const space of run) width += space === "\t" ? tabWidth : 1;
  return width;
}

function mark(character: string, count = ""): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}${count}⟩`;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
