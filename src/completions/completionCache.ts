import { cleanCompletion } from "./cleanCompletion.ts";
import { bracketPairs } from "./cleaning/brackets.ts";
import type { CursorContext } from "./cleaning/context.ts";

export interface Suggestion {
  readonly text: string;
  readonly context: CursorContext;
}

/** Maximum number of suggestions. */
const maxEntries = 100;
/** How much of the code before and after the cursor is compared, in characters. */
const maxTail = 2_000;
const maxHead = 500;
/** The pairs whose second character editors add when the first is typed. */
export const pairs: readonly string[] = [...bracketPairs, '""', "''", "``"];

/** Suggestions by the code around them. The oldest are dropped first. */
export class CompletionCache {
  readonly #entries = new Map<string, Suggestion>();
  #last: Suggestion | undefined;

  add(suggestion: Suggestion): void {
    const key = keyOf(suggestion.context);
    this.#entries.delete(key);
    this.#entries.set(key, suggestion);
    this.#last = suggestion;
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** The rest of the last suggestion if its beginning was typed, or an earlier suggestion for the same code. */
  find(context: CursorContext): string | undefined {
    return (this.#last && restOf(this.#last, context)) ?? this.#entries.get(keyOf(context))?.text;
  }

  clear(): void {
    this.#entries.clear();
    this.#last = undefined;
  }
}

/** The rest of a suggestion after its beginning was typed; `undefined` if something else was typed. */
export function restOf({ text, context }: Suggestion, now: CursorContext): string | undefined {
  const typed = typedSince(context, now);
  if (typed === undefined || typed.length >= text.length || !text.startsWith(typed)) return undefined;
  const rest = text.slice(typed.length);
  // The closing characters that the editor has added are not inserted again.
  return now.suffix.length === context.suffix.length ? rest : cleanCompletion(rest, now);
}

/** Whether a pending request still fits: only the beginning of its answer was typed since, as far as that has arrived. */
export function stillFits(arrived: string, context: CursorContext, now: CursorContext): boolean {
  const typed = typedSince(context, now);
  if (typed === undefined) return false;
  const length = Math.min(typed.length, arrived.length);
  return typed.slice(0, length) === arrived.slice(0, length) && !typed.includes("\n");
}

/** The text typed between two contexts; `undefined` if anything else changed. */
function typedSince(context: CursorContext, now: CursorContext): string | undefined {
  const length = now.prefix.length - context.prefix.length;
  if (context.languageId !== now.languageId || length < 0 || length > maxTail) return undefined;
  // Comparing all of a long file takes longer than everything else for a key.
  const from = Math.max(0, context.prefix.length - maxTail);
  if (now.prefix.slice(from, context.prefix.length) !== context.prefix.slice(from)) return undefined;
  const typed = now.prefix.slice(context.prefix.length);
  const added = now.suffix.length - context.suffix.length;
  if (added < 0 || context.suffix.slice(0, maxHead) !== now.suffix.slice(added, added + maxHead)) return undefined;
  return areClosersOf(typed, now.suffix.slice(0, added)) ? typed : undefined;
}

/** Whether the editor may have added these closing characters, the innermost first, for the typed text. */
function areClosersOf(typed: string, added: string): boolean {
  let from = typed.length;
  // A line break between two brackets moves the second one to a line of its own.
  for (const closer of typed.includes("\n") ? added.replace(/\s+/g, "") : added) {
    const opener = pairs.find((pair) => pair.endsWith(closer))?.slice(0, 1);
    from = opener === undefined || from === 0 ? -1 : typed.lastIndexOf(opener, from - 1);
    if (from < 0) return false;
  }
  return true;
}

function keyOf({ prefix, suffix, languageId }: CursorContext): string {
  return JSON.stringify([languageId, prefix.slice(-maxTail), suffix.slice(0, maxHead)]);
}
