import { type Measure, measures, placeholder, plainPlaceholder, plainWords } from "./secretForms.ts";
import { surpriseOf } from "./surprise.ts";

/** How much of a value says whether it is a secret. */
const longestValue = 1_000;

/** Whether a value stands for another: a variable, a template, or an address. */
export function isReference(value: string): boolean {
  return placeholder.test(value.slice(0, longestValue));
}

/** Whether a value is a secret. One with blanks may have a part that is as random as those that programs make. */
export function isSecret(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue).trim();
  if (value.length < measure.length || isReference(value)) return false;
  if (/\s/.test(value)) return value.split(/\s+/).some((piece) => /\d/.test(piece) && isSecret(piece, measures.secret));
  const rest = value.replace(plainWords, " ");
  // Four or more words with hyphens between them are a password where one is expected.
  const isPhrase = measure === measures.password && rest === value && /^[a-z]+(?:-[a-z]+){3,}$/i.test(value);
  return isPhrase || isRandom(rest, measure);
}

/** Whether a text of a form that only secrets have is one, and not a placeholder of that form. */
export function isForm(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue);
  if (value.length < measure.length || plainPlaceholder.test(value)) return false;
  return isRandom(value, measure) || /[A-Za-z].*(?:\d.*){4}/.test(value);
}

function isRandom(value: string, measure: Measure): boolean {
  const surprise = surpriseOf(value);
  return surprise >= measure.surprise && surprise / value.length >= measure.density;
}
