/** A placeholder, also as models change it. The group has its number. */
const anyMask = /\[\s?secret(?:\s(\w{1,12}))?\sremoved\s?\]/gi;

/** The placeholder that rules for models name as an example, which stands for nothing. */
export const exampleMask = "[secret 123456 removed]";

/** What a model is told about placeholders in code that it may change. */
export const maskRule = `A text such as “${exampleMask}” stands for a secret value that is withheld. In lines that stay, copy it exactly; never write it in a new or changed line.`;

/** The same for a model that only reads. */
export const unmentionedRule = `“${exampleMask}”, with any number, stands for a value that is withheld: do not mention it.`;

/** The placeholder with a number of six digits. */
export function maskOf(number: number): string {
  return `[secret ${String(number).padStart(6, "0")} removed]`;
}

/** Whether a text has a placeholder, or what a model made of one. */
export function hasMask(text: string): boolean {
  return text.search(anyMask) >= 0;
}

/** Replaces each placeholder by what `valueOf` gives for its number; `undefined` leaves it. */
export function replaceMasks(text: string, valueOf: (mask: string) => string | undefined): string {
  return text.replace(anyMask, (mask, number?: string) => valueOf(maskOf(Number(number))) ?? mask);
}

/** The text with an ellipsis in place of each placeholder, where these would tell nobody anything. */
export function withoutMasks(text: string): string {
  return text.replace(anyMask, "…");
}
