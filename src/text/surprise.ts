/**
 * The letters that often follow each letter in English and in code: 98 % of the pairs in the documentation of a few hundred
 * packages are among these.
 */
const followers: Readonly<Record<string, string>> = {
  a: "bcdefgiklmnprstuvwxyz",
  b: "abceijlmoprstuy",
  c: "acehikloqrstuy",
  d: "abcdegilorsuy",
  e: "abcdefghijlmnopqrstuvwxy",
  f: "aefilortuy",
  g: "aeghilmnorsu",
  h: "aeiortuy",
  i: "abcdefgklmnoprstvxz",
  j: "aeosu",
  k: "aeilosuy",
  l: "abdefiklmopstuvy",
  m: "abeilmopsu",
  n: "acdefgiklmnopstuvy",
  o: "abcdfgiklmnoprstuvwx",
  p: "adehilmoprstu",
  q: "u",
  r: "abcdefgiklmnoprstuvwy",
  s: "acdefhiklmnopqstuwy",
  t: "acefhiloprstuwxy",
  u: "abcdefgilmnprst",
  v: "aeio",
  w: "aehinors",
  x: "aceimpt",
  y: "aeimnopst",
  z: "aeo",
};

type Kind = "lower" | "upper" | "digit" | "symbol" | "gap";

/**
 * How little a text looks like words or numbers: the number of neighboring characters that rarely stand side by side, such
 * as a letter and a digit, or `qx`. About half of the pairs of a random text, and hardly any of a name or a sentence.
 */
export function surpriseOf(text: string): number {
  let sum = 0;
  let before = "";
  let last: Kind = "gap";
  for (const character of text) {
    const kind = kindOf(character);
    if (last !== "gap" && kind !== "gap") sum += surpriseAt(before, last, character, kind);
    before = character;
    last = kind;
  }
  return sum;
}

function surpriseAt(before: string, last: Kind, character: string, kind: Kind): number {
  if ((last === "digit" && kind === "digit") || before === character) return 0;
  if (last === "symbol" && kind === "symbol") return 0;
  // A word begins with a capital letter in the middle of many names.
  if (last === "lower" && kind === "upper") return 0.5;
  if ((last === "lower" || last === "upper") && (kind === "lower" || kind === "upper")) {
    return followers[before.toLowerCase()]?.includes(character.toLowerCase()) === true ? 0 : 1;
  }
  return 1;
}

function kindOf(character: string): Kind {
  if (character >= "a" && character <= "z") return "lower";
  if (character >= "A" && character <= "Z") return "upper";
  if (character >= "0" && character <= "9") return "digit";
  return /[!#$%&*+=?@^|~]/.test(character) ? "symbol" : "gap";
}
