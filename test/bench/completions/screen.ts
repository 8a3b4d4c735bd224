import type { CompletionPlace } from "../../../src/completions/cleaning/place.ts";
import { restOf, type Suggestion } from "../../../src/completions/completionCache.ts";
import { timeToRead } from "../../../src/completions/completionSession.ts";

/** What stands on the screen. A suggestion that is typed goes on standing, as VS Code and minuet-ai.nvim have it. */
export class Screen {
  readonly #now: () => number;
  #standing: (Suggestion & { readonly since: number }) | undefined;
  /** What the code would be with each suggestion that stood long enough to be read: the same one counts once. */
  readonly #read = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many suggestions stood long enough to be read. */
  get read(): number {
    return this.#read.size;
  }

  show(text: string, place: CompletionPlace): void {
    if (this.#standing && restOf(this.#standing, place) === text) return;
    this.#end();
    if (text.trim() !== "") this.#standing = { text, place, since: this.#now() };
  }

  /** A key was typed or the cursor was moved. */
  moved(place: CompletionPlace): void {
    if (this.#standing && restOf(this.#standing, place) === undefined) this.#end();
  }

  #end(): void {
    const standing = this.#standing;
    this.#standing = undefined;
    if (!standing || this.#now() - standing.since < timeToRead) return;
    this.#read.add(`${standing.place.prefix}${standing.text}`);
  }
}
