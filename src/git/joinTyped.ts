import { layOutMessage } from "./layOutMessage.ts";

/** The type that a subject begins with, such as `fix(cart)!: `. */
const typePrefix = /^(?:[a-z]+|\p{Script=Han}{1,6})(?:[(（][^()（）\n]{0,60}[)）])?!?[:：]\s*/u;

/** What no word begins with, and what may end one. */
const mark = /^[,.;:!?)，。；：！？）]/;
const marks = /[,.;:!?)，。；：！？）]+$/;

/** Number of the last typed words that a message may repeat without those before. */
const mostRepeated = 20;

/**
 * What the user typed, and then what the message of the model has after it. `undefined` if the message does not go on from
 * there, or if that may be in the middle of a word.
 */
export function joinTyped(typed: string, message: string): string | undefined {
  const begun = typed.trimEnd();
  if (begun === "") return layOutMessage(message, false);
  const rest = restOf(message, typed);
  if (rest?.trim() === "") return typed;
  if (rest === undefined) return undefined;
  const lead = rest.slice(0, rest.length - rest.trimStart().length);
  const isSubject = !begun.trimStart().includes("\n");
  const [wanted, there] = [breaksIn(lead), breaksIn(typed.slice(begun.length))];
  // Git reads the lines up to the first empty one as the subject.
  const missing = wanted === 0 ? 0 : Math.max(0, (isSubject ? 2 : Math.min(wanted, 2)) - there);
  const gap = missing > 0 ? "\n".repeat(missing) : typed === begun && lead !== "" ? " " : "";
  const text = wanted > 0 ? rest.slice(lead.lastIndexOf("\n") + 1) : rest.trimStart();
  return typed + gap + layOutMessage(text, !isSubject || missing + there > 0);
}

/** The message after the typed words, all or the last of which it repeats, or all of it if it only continues them. */
function restOf(message: string, typed: string): string | undefined {
  const isOpen = typed === typed.trimEnd();
  const words = wordsIn(typed);
  const whole = after(words, isOpen, message);
  if (whole !== undefined) return whole;
  // The user's type counts, whatever the model's is.
  const [own = ""] = typePrefix.exec(typed) ?? [];
  const said = own === "" ? message : message.replace(typePrefix, "");
  if (said !== message && own !== typed) return after(wordsIn(typed.slice(own.length)), isOpen, said);
  const starts = Array.from(words.keys()).slice(1).slice(-mostRepeated);
  const rests = starts.map((start) => after(words.slice(start), isOpen, said));
  const rest = rests.find((one) => one !== undefined) ?? continuing(said, typed);
  return rest === undefined || isDoubled(wordsIn(typed + rest), words.length) ? undefined : rest;
}

/** Whether words before a place are the same as those behind it. */
function isDoubled(words: readonly string[], place: number): boolean {
  const counts = Array.from({ length: Math.min(mostRepeated, place) }, (_, index) => index + 1);
  const plain = words.map((word) => word.toLowerCase().replace(marks, ""));
  const flat = (start: number, end: number): string => plain.slice(start, end).join(" ");
  return counts.some((count) => flat(place - count, place) === flat(place, place + count));
}

/** What follows these words at the beginning of a text. If the last of them `isOpen`, it may be the beginning of a word. */
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

/** A message that repeats no typed word, as it goes on, if a word ends before it. */
function continuing(message: string, typed: string): string | undefined {
  const flat = (text: string): string => ` ${wordsIn(text).join(" ").toLowerCase()} `;
  if (flat(message).includes(flat(typed))) return undefined;
  const begun = typed.trimEnd();
  const isNewPart = /[:：]$/.test(begun) || typed.slice(begun.length).includes("\n");
  const isNewWord = begun !== typed || /[,;，；、]$/.test(begun);
  // A capital letter or a type may begin another message.
  const isOther = /^\p{Lu}/u.test(message) || typePrefix.test(message);
  const goesOn = isNewPart || (isNewWord && !isOther) || mark.test(message);
  return goesOn ? (/[:;,]$/.test(typed) ? ` ${message}` : message) : undefined;
}

function wordsIn(text: string): readonly string[] {
  return text.match(/\S+/g) ?? [];
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}
