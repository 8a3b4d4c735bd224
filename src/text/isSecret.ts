import { loginWord, type Measure, measures, placeholder, plainPlaceholder, plainWords } from "./secretForms.ts";

/** How much of a value says whether it is a secret. */
const longestValue = 1_000;

/** Whether a value is a secret. One with blanks may have a part that is as random as those that programs make. */
export function isSecret(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue).trim();
  if (value.length < measure.length || placeholder.test(value)) return false;
  if (/\s/.test(value)) return value.split(/\s+/).some((piece) => /\d/.test(piece) && isSecret(piece, measures.secret));
  const rest = value.replace(plainWords, " ");
  // Four or more words with hyphens between them are a password where one is expected.
  const isPhrase = measure === measures.password && rest === value && /^[a-z]+(?:-[a-z]+){3,}$/i.test(value);
  return isPhrase || isRandom(rest, measure);
}

/** Whether a text of a form that only secrets have is one, and not a placeholder of that form. */
export function isForm(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue);
  if (measure === measures.login) return !placeholder.test(value) && !loginWord.test(value);
  if (value.length < measure.length || plainPlaceholder.test(value)) return false;
  return isRandom(value, measure) || /[A-Za-z].*(?:\d.*){4}/.test(value);
}

function isRandom(value: string, measure: Measure): boolean {
  const surprise = surpriseOf(value);
  return surprise >= measure.surprise && surprise / value.length >= measure.density;
}

/**
 * The letters that often follow each letter, from a to z, in English and in code: 98 % of the pairs in the documentation of
 * a few hundred packages are among these.
 */
const followers: readonly string[] = [
  "bcdefgiklmnprstuvwxyz abceijlmoprstuy acehikloqrstuy abcdegilorsuy abcdefghijlmnopqrstuvwxy",
  "aefilortuy aeghilmnorsu aeiortuy abcdefgklmnoprstvxz aeosu aeilosuy abdefiklmopstuvy abeilmopsu",
  "acdefgiklmnopstuvy abcdfgiklmnoprstuvwx adehilmoprstu u abcdefgiklmnoprstuvwy",
  "acdefhiklmnopqstuwy acefhiloprstuwxy abcdefgilmnprst aeio aehinors aceimpt aeimnopst aeo",
].flatMap((line) => line.split(" "));

type Kind = "lower" | "upper" | "digit" | "symbol" | "gap";

/**
 * How little a text looks like words or numbers: the number of neighboring characters that rarely stand side by side, such
 * as a letter and a digit, or `qx`. About half of the pairs of a random text, and hardly any of a name or a sentence.
 */
function surpriseOf(text: string): number {
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
    return followers[before.toLowerCase().charCodeAt(0) - 97]?.includes(character.toLowerCase()) === true ? 0 : 1;
  }
  return 1;
}

function kindOf(character: string): Kind {
  if (character >= "a" && character <= "z") return "lower";
  if (character >= "A" && character <= "Z") return "upper";
  if (character >= "0" && character <= "9") return "digit";
  return /[!#$%&*+=?@^|~]/.test(character) ? "symbol" : "gap";
}
