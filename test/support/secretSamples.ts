import type { RandomTexts } from "./randomTexts.ts";

/** A text of a file, and the secrets in it. */
interface Sample {
  readonly text: string;
  readonly secrets: readonly string[];
}

export type Form = (random: RandomTexts) => Sample;

/** A text with the secret that `make` returns, in place of `@`. */
export function form(template: string, make: (random: RandomTexts) => string): Form {
  return (random) => {
    const secret = make(random);
    return { text: template.replaceAll("@@", () => secret), secrets: secret.split("\n") };
  };
}

/** Texts with secrets of one kind. */
export function forms(make: (random: RandomTexts) => string, ...templates: readonly string[]): readonly Form[] {
  return templates.map((template) => form(template, make));
}

export const password = (random: RandomTexts): string => random.password();
export const long = (random: RandomTexts): string => random.base62(40);
export const short = (random: RandomTexts): string => random.base62(20);
export const hex = (random: RandomTexts): string => random.hex(32);
export const base64 = (random: RandomTexts): string => `${random.base64(43)}=`;
export const login = (random: RandomTexts): string => Buffer.from(`admin:${random.password()}`).toString("base64");
export const uuid = ({ hex: digits }: RandomTexts): string =>
  [digits(8), digits(4), digits(4), digits(4), digits(12)].join("-");
export const token = ({ base62 }: RandomTexts): string =>
  [{ alg: "HS256" }, { sub: base62(9) }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".") + `.${base62(43)}`;
export const body = ({ base64: characters }: RandomTexts): string =>
  [...Array.from({ length: 4 }, () => characters(64)), characters(30)].join("\n");
export const key = ({ hex: digits }: RandomTexts): string => `0x${digits(64)}`;
export const words = ({ of }: RandomTexts): string =>
  Array.from({ length: 12 }, () => `${of("bcdfglmnprst", 1)}${of("aeiou", 1)}${of("lmnrst", 1)}${of("aeo", 1)}`).join(
    " ",
  );
export const encoded = (random: RandomTexts): string => Buffer.from(random.password()).toString("base64");
export const prefixed =
  (prefix: string, length: number) =>
  (random: RandomTexts): string =>
    prefix + random.base62(length);
