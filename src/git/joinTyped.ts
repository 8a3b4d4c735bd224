import { hasText } from "../text/lines.ts";
import { layOutMessage } from "./layOutMessage.ts";

/** The type at the start of a subject, such as `fix(cart)!: `. */
const typePrefix = /^(?:[a-z]+|\p{Script=Han}{1,6})(?:[(（][^()（）\n]{0,60}[)）])?!?[:：]/u;

/** Maximum number of the last typed words that a message repeats without the words before them. */
const mostRepeated = 20;

/**
 * The typed text, followed by the rest of the message. The model is told to begin with the typed text, but may repeat only
 * its last words, or none of it. `undefined` if the message does not continue the typed text, or may continue it inside a
 * word.
 */
export function joinTyped(typed: string, message: string): string | undefined {
  const begun = typed.trimEnd();
  if (begun === "") return layOutMessage(message, false);
  const [type = ""] = typePrefix.exec(typed) ?? [];
  const isOther = type !== "" && !plain(message).includes(plain(type));
  // The commit type that the user typed wins over the model's.
  const rest = restOf(isOther ? message.replace(typePrefix, () => type) : message, typed);
  if (rest === undefined) return undefined;
  if (!hasText(rest)) return typed;
  const space = rest.slice(0, rest.length - rest.trimStart().length);
  const isSubject = !begun.trimStart().includes("\n");
  const [wanted, existing] = [breaksIn(space), breaksIn(typed.slice(begun.length))];
  // For Git, all lines up to the first empty one are the subject.
  const missing = wanted === 0 ? 0 : Math.max(0, (isSubject ? 2 : Math.min(wanted, 2)) - existing);
  const gap = missing > 0 ? "\n".repeat(missing) : typed === begun && space !== "" ? " " : "";
  const text = wanted > 0 ? rest.slice(space.lastIndexOf("\n") + 1) : rest.trimStart();
  return typed + gap + layOutMessage(text, !isSubject || missing + existing > 0);
}

/** The message after the typed words at its start, or all of it if it repeats none of them. */
function restOf(message: string, typed: string): string | undefined {
  const words: readonly string[] = typed.match(/\S+/g) ?? [];
  const tails: readonly (readonly string[])[] = [
    words,
    ...Array.from({ length: mostRepeated }, (_, index) => words.slice(index - mostRepeated)),
  ];
  const isOpen = /\S$/.test(typed);
  const repeats = (text: string): boolean => tails.some((tail) => plain(text).startsWith(plain(tail.join(" "))));
  for (const tail of tails) {
    const rest = after(tail, isOpen, message);
    if (rest !== undefined) return tail === words || !repeats(rest) ? rest : undefined;
  }
  if (plain(message).includes(plain(typed)) || repeats(message) || !continues(message, typed)) return undefined;
  return /[:;,]$/.test(typed) ? ` ${message}` : message;
}

/** The text after these words at its start. If the last word `isOpen`, it may be half typed. */
function after(words: readonly string[], isOpen: boolean, text: string): string | undefined {
  const spaces = /\s*/y;
  let end = 0;
  for (const [index, word] of words.entries()) {
    spaces.lastIndex = end;
    spaces.test(text);
    const start = spaces.lastIndex;
    end = start + word.length;
    const isPart = /\S/.test(text.charAt(end)) && !(isOpen && index === words.length - 1);
    if (isPart || text.slice(start, end).toLowerCase() !== word.toLowerCase()) return undefined;
  }
  return text.slice(end);
}

/** A text in lowercase, without marks between its words. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[\s,.;:!?)，。；：！？）]+/g, " ")
    .trim()} `;
}

/** Whether a message that repeats no typed words continues them, and the last of them is complete. */
function continues(message: string, typed: string): boolean {
  if (typePrefix.test(message)) return false;
  if (/[:：]\s*$|\n\s*$/.test(typed) || /^[,.;:!?)，。；：！？）]/.test(message)) return true;
  // A capital letter may begin another message.
  return /[\s,;，；、]$/.test(typed) && !/^\p{Lu}/u.test(message);
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}
