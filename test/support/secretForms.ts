import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RandomTexts } from "./randomTexts.ts";

/** A text of a file, and the secrets in it. */
interface Sample {
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Where a secret stands. Each call makes another one. */
type Form = (random: RandomTexts) => Sample;

const base64Of = (text: string): string => Buffer.from(text).toString("base64");
const several = (count: number, make: () => string): readonly string[] => Array.from({ length: count }, make);

/** What may stand between « and », alone or joined by " + " with others and with text. */
const makers: Readonly<Record<string, (random: RandomTexts, length: number) => string>> = {
  password: ({ password }) => password(),
  base62: ({ base62 }, length) => base62(length),
  base64: ({ base64 }, length) => base64(length),
  hex: ({ hex }, length) => hex(length),
  base32: ({ of }, length) => of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", length),
  bech32: ({ of }, length) => of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", length),
  symbols: ({ of }, length) => of("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", length),
  bytes: ({ of }) => several(64, () => `1${of("0123456789", 2)}`).join(","),
  words: ({ of }) => {
    const syllable = (ends: string): string => of("bcdfglmnprst", 1) + of("aeiou", 1) + of(ends, 1);
    return several(12, () => syllable("lmnrst") + of("aeo", 1)).join(" ");
  },
  appPassword: ({ of }) => several(4, () => of("abcdefghijklmnopqrstuvwxyz", 4)).join(" "),
  uuid: ({ hex }) => [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-"),
  jwt: ({ base62 }) =>
    [...[{ alg: "HS256" }, { sub: base62(9) }].map((part) => encodeJson(part)), base62(43)].join("."),
  keyBody: ({ base64 }) => [...several(4, () => base64(64)), base64(30)].join("\n"),
  login: ({ password }) => base64Of(`admin:${password()}`),
  encoded: ({ password }) => base64Of(password()),
  encodedKey: ({ base64 }) => base64Of(`-----BEGIN EC PRIVATE KEY-----\n${base64(120)}`),
  dockerConfig: ({ base64 }) => base64Of(JSON.stringify({ auths: { a: { auth: base64(20) } } })),
};

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Makes what is described between « and ». */
function make(description: string, random: RandomTexts): string {
  const parts = description.split(" + ").map((part) => {
    const [name = "", length] = part.split(" ");
    return makers[name]?.(random, Number(length)) ?? part;
  });
  return parts.join("");
}

/** Reads the forms in a file: headings, and lines with a form each, where ⏎ ends a line of the text. */
function readForms(name: string): readonly Form[] {
  const lines = readFileSync(join(import.meta.dirname, name), "utf8").split("\n");
  return lines.filter((line) => line.includes("«")).map(formOf);
}

function formOf(line: string): Form {
  return (random) => {
    const secrets: string[] = [];
    const text = line.replaceAll("⏎", "\n").replace(/«(.+?)»/g, (_, description: string) => {
      const secret = make(description, random);
      secrets.push(...secret.split("\n"));
      return secret;
    });
    return { text, secrets };
  };
}

/** Where secrets stand: in files of all kinds, in commands, in settings of services, by themselves, and in words. */
export const secretForms = ["secretsInFiles.txt", "secretsElsewhere.txt"].flatMap(readForms);
