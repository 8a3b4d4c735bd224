/** A placeholder, as written here or as models change it. The group is its number. */
const anyMask = /\[\s?secret(?:\s(\w{1,12}))?\sremoved\s?\]/gi;

/** The placeholder in the rules for models, which is never used for a secret. */
export const exampleMask = "[secret 123456 removed]";

/** The rule about placeholders for models that change code. */
export const maskRule = `A text such as “${exampleMask}” stands for a secret value that is withheld. In lines that stay, copy it exactly; never write it in a new or changed line.`;

/** The rule for models that only read. */
export const doNotMentionRule = `“${exampleMask}”, with any number, stands for a value that is withheld: do not mention it.`;

/** The placeholder with a number of six digits. */
export function maskOf(number: number): string {
  return `[secret ${String(number).padStart(6, "0")} removed]`;
}

/** Whether a text has a placeholder, perhaps changed by a model. */
export function hasMask(text: string): boolean {
  return text.search(anyMask) >= 0;
}

/** Replaces placeholders by their values. Those without a value stay. */
export function replaceMasks(text: string, valueOf: (mask: string) => string | undefined): string {
  return text.replace(anyMask, (mask, number?: string) => valueOf(maskOf(Number(number))) ?? mask);
}

/** The text with an ellipsis in place of each placeholder, for readers who do not know placeholders. */
export function withoutMasks(text: string): string {
  return text.replace(anyMask, "…");
}
