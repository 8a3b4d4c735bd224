import { chance } from "./random.ts";

/** Random texts, the same in each run, so that tests need no secrets of their own. */
export interface RandomTexts {
  /** A text of characters of an alphabet. */
  readonly of: (alphabet: string, length: number) => string;
  /** As programs make them. */
  readonly base62: (length: number) => string;
  readonly base64: (length: number) => string;
  readonly hex: (length: number) => string;
  /** As people choose them: a word, changed and extended. */
  readonly password: () => string;
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const words = ["harbor", "Tiger", "winter", "Marlin", "sunrise", "Copper", "velvet", "Granite", "monkey", "Falcon"];

export function randomTexts(seed: number): RandomTexts {
  const random = chance(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (texts: readonly string[] | string): string => texts[below(texts.length)] ?? "";
  const of = (alphabet: string, length: number): string => Array.from({ length }, () => pick(alphabet)).join("");
  const letters = lower + lower.toUpperCase();
  return {
    of,
    base62: (length) => of(letters + digits, length),
    base64: (length) => of(`${letters}${digits}+/`, length),
    hex: (length) => of("0123456789abcdef", length),
    password: () =>
      pick(
        [
          () => `${pick(words)}${10 + below(90)}${pick("!#*%")}`,
          () => `${pick(words).replace(/[ae]/, (letter) => (letter === "a" ? "4" : "3"))}${1_000 + below(9_000)}`,
          () => `${pick(words)}-${pick(words)}-${10 + below(90)}x${pick(digits)}`,
          () => of(letters + digits, 12),
          () => `${of(lower, 4)}${pick("!@#*")}${of(letters + digits, 6)}`,
        ].map((make) => make()),
      ),
  };
}
