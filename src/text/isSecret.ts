import { type Measure, measures, placeholder, plainPlaceholder, plainWords } from "./secretForms.ts";
import { surpriseOf } from "./surprise.ts";

/** How much of a value says whether it is a secret. */
const longestValue = 1_000;

/** Whether a value stands for another: a variable, a template, or an address. */
export function isReference(value: string): boolean {
  return placeholder.test(value.slice(0, longestValue));
}

/** Whether a value is a secret. What stands between two strings is code. */
export function isSecret(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue).trim();
  if (/\s/.test(value) || value.length < measure.length || isReference(value)) return false;
  return isRandom(value.replace(plainWords, " "), measure);
}

/** Whether a text of a form that only secrets have is one, and not a placeholder of that form. */
export function isForm(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue);
  return value.length >= measure.length && !plainPlaceholder.test(value) && isRandom(value, measure);
}

function isRandom(value: string, measure: Measure): boolean {
  const surprise = surpriseOf(value);
  return surprise >= measure.surprise && surprise / value.length >= measure.density;
}
