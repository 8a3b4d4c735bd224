import { cleanCompletion } from "./cleanCompletion.ts";
import type { CursorContext } from "./cleaning/place.ts";

export interface Suggestion {
  readonly text: string;
  readonly place: CursorContext;
}

/** How many suggestions are kept. */
const mostEntries = 100;
/** How much of the code on each side has to be the same, in characters. */
const longestTail = 2_000;
const longestHead = 500;
/** The pairs that editors close when the first of the two is typed. */
const pairs = ["()", "[]", "{}", '""', "''", "``"];

/** Suggestions by the code around them, the oldest forgotten first. */
export class CompletionCache {
  readonly #entries = new Map<string, Suggestion>();
  #last: Suggestion | undefined;

  add(suggestion: Suggestion): void {
    const key = keyOf(suggestion.place);
    this.#entries.delete(key);
    this.#entries.set(key, suggestion);
    this.#last = suggestion;
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostEntries && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** What is known for a place: the rest of the last suggestion that the user types, or what was suggested here. */
  find(place: CursorContext): string | undefined {
    return (this.#last && restOf(this.#last, place)) ?? this.#entries.get(keyOf(place))?.text;
  }

  /** Forgets everything, for example when the model changes. */
  clear(): void {
    this.#entries.clear();
    this.#last = undefined;
  }
}

/** What is left of a suggestion after the user typed its beginning; `undefined` if something else was typed. */
export function restOf({ text, place }: Suggestion, now: CursorContext): string | undefined {
  const typed = typedSince(place, now);
  if (typed === undefined || typed.length >= text.length || !text.startsWith(typed)) return undefined;
  const rest = text.slice(typed.length);
  // The closers that the editor added are not inserted once more.
  return now.suffix.length === place.suffix.length ? rest : cleanCompletion(rest, now);
}

/** Whether a request can still answer: only its beginning was typed since, as far as the text that arrived so far tells. */
export function stillFits(arrived: string, place: CursorContext, now: CursorContext): boolean {
  const typed = typedSince(place, now);
  if (typed === undefined) return false;
  const length = Math.min(typed.length, arrived.length);
  return typed.slice(0, length) === arrived.slice(0, length) && !typed.includes("\n");
}

/** What was typed between two places; `undefined` if something else changed. */
function typedSince(place: CursorContext, now: CursorContext): string | undefined {
  const length = now.prefix.length - place.prefix.length;
  if (place.languageId !== now.languageId || length < 0 || length > longestTail) return undefined;
  if (!now.prefix.startsWith(place.prefix)) return undefined;
  const typed = now.prefix.slice(place.prefix.length);
  const added = now.suffix.length - place.suffix.length;
  if (added < 0 || place.suffix.slice(0, longestHead) !== now.suffix.slice(added, added + longestHead))
    return undefined;
  return areClosersOf(typed, now.suffix.slice(0, added)) ? typed : undefined;
}

/** Whether the editor may have added these closers, the innermost first, for what was typed. */
function areClosersOf(typed: string, added: string): boolean {
  let from = typed.length;
  for (const closer of added) {
    const opener = pairs.find((pair) => pair.endsWith(closer))?.slice(0, 1);
    from = opener === undefined || from === 0 ? -1 : typed.lastIndexOf(opener, from - 1);
    if (from < 0) return false;
  }
  return true;
}

function keyOf({ prefix, suffix, languageId }: CursorContext): string {
  return JSON.stringify([languageId, prefix.slice(-longestTail), suffix.slice(0, longestHead)]);
}
