/** Character classes of what is invisible, or changes how other text looks ("Trojan Source", CVE-2021-42574). */
export const invisibleClasses = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}`;

const gap = new RegExp(String.raw`[${invisibleClasses}\s]+`, "gu");

/** The text as one line, with a space in place of each run of whitespace and invisible characters. */
export function collapseSpace(text: string): string {
  return text.replace(gap, " ").trim();
}
