/** What shows nothing, or changes how the text around it is shown: "Trojan Source" and its kin. A tab is seen. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\x00-\x08\v\f\x0e-\x1f\x7f-\x9f]/gu;

/** Emoji, and letters of scripts that need a joiner to be written right, are what they look like. */
const wanted =
  /\p{RGI_Emoji}|[\p{Script=Arab}\p{Script=Deva}\p{Script=Beng}\p{Script=Guru}\p{Script=Gujr}\p{Script=Orya}\p{Script=Taml}\p{Script=Telu}\p{Script=Knda}\p{Script=Mlym}\p{Script=Sinh}\p{Script=Mymr}\p{Script=Khmr}\p{Script=Syrc}\p{Script=Mong}][\u200c\u200d](?=\p{L})/gv;

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
    marked += text.slice(end, index).replace(unseen, mark) + kept;
    end = index + kept.length;
  }
  return marked + text.slice(end).replace(unseen, mark);
}

function mark(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
