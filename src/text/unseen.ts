/** What shows nothing, or changes how the text around it is shown: "Trojan Source" and its kin. A tab is seen. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\x00-\x08\v\f\x0e-\x1f\x7f-\x9f]/gu;

/** Emoji, and letters of scripts that need a joiner to be written right, are what they look like. */
const wanted =
  /\p{RGI_Emoji}|[\p{Script=Arab}\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Mymr}\p{Script=Khmr}\p{Script=Syrc}\p{Script=Mong}][\u200c\u200d](?=\p{L})/gv;

/** Blanks that show as such: spaces of all widths, tabs, and the empty pattern of Braille. */
const blanks = /[\p{Zs}\t\u2800]{2,}/gu;
/** From this width on, in columns, a run of blanks is more than a space between words. */
const gap = 8;
/** Lines with gaps of so many columns together may have their end out of view. */
const stretched = 120;
const tabWidth = 4;

/** The characters of a text that nobody sees. */
export function unseenIn(text: string): ReadonlySet<string> {
  return new Set(text.replace(wanted, "").match(unseen) ?? []);
}

/** The text with a mark in place of each character that nobody sees. */
export function withUnseenMarked(text: string): string {
  if (text.search(unseen) < 0) return text;
  let marked = "";
  let end = 0;
  for (const { 0: kept, index } of text.matchAll(wanted)) {
    marked += text.slice(end, index).replace(unseen, (character) => mark(character)) + kept;
    end = index + kept.length;
  }
  return marked + text.slice(end).replace(unseen, (character) => mark(character));
}

/** Whether a line of code has so many blanks that what follows them may be out of view: code is not wrapped. */
export function isStretched(line: string): boolean {
  if (line.length < stretched / tabWidth) return false;
  const widths = (line.match(blanks) ?? []).map(widthOf).filter((width) => width >= gap);
  return widths.reduce((sum, width) => sum + width, 0) >= stretched;
}

/** A line of code with a mark in place of blanks that stretch it. `kept` of each run stay, where they mean something. */
export function withBlanksMarked(line: string, kept = 0): string {
  if (!isStretched(line)) return line;
  return line.replace(blanks, (run) => (widthOf(run) < gap ? run : run.slice(0, kept) + mark(run, ` × ${run.length}`)));
}

function widthOf(run: string): number {
  let width = 0;
  for (const blank of run) width += blank === "\t" ? tabWidth : 1;
  return width;
}

function mark(character: string, count = ""): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}${count}⟩`;
}
