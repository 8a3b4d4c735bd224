import { type Measure, measures, placeholder, plainPlaceholder, plainWords } from "./secretForms.ts";
import { surpriseOf } from "./surprise.ts";

/** How much of a value says whether it is a secret. */
const longestValue = 1_000;

/** Whether a value stands for another: a variable, a template, or an address. */
export function isReference(value: string): boolean {
  return placeholder.test(value.slice(0, longestValue));
}

/** Whether the text of a string is a secret. */
export function isSecret(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue).trim();
  // What stands between two strings is code.
  if (value.length < measure.length || /^[+,;:)\]}.?&|=]{1,3}(?:\s|$)|^\+.*\+$/.test(value) || isReference(value))
    return false;
  if (/\s/.test(value))
    return value.split(/\s+/).some((piece) => /[^\p{L}.,:;!?'’()-]/u.test(piece) && isSecret(piece, measures.secret));
  const rest = value.replace(plainWords, " ");
  // Four or more words with hyphens between them are a password where one is expected.
  if (measure === measures.password && rest === value && /^[a-z]+(?:-[a-z]+){3,}$/i.test(value)) return true;
  const surprise = surpriseOf(rest);
  return surprise >= measure.surprise && surprise / rest.length >= measure.density;
}

/** Whether a text of a form that only secrets have is one, and not a placeholder of that form. */
export function isForm(text: string, measure: Measure): boolean {
  const value = text.slice(0, longestValue);
  if (value.length < measure.length || plainPlaceholder.test(value)) return false;
  const surprise = surpriseOf(value);
  return (
    (surprise >= measure.surprise && surprise / value.length >= measure.density) || /[A-Za-z].*(?:\d.*){4}/.test(value)
  );
}
