import type { AttemptReport, EntryName } from "../types.ts";

/** Whose limits apply: those of an entry for the key that an operation uses. */
type Limited = Pick<AttemptReport, "operation"> & { readonly entry: EntryName };

/** Until when entries have asked to be left alone. Times are milliseconds of a monotonic clock. */
export class RateLimits {
  readonly #until = new Map<string, number>();

  /** An entry asks for a pause of `delay` ms from `now` on. */
  note(limited: Limited, now: number, delay: number): void {
    this.#until.set(keyOf(limited), now + delay);
  }

  /** An entry has answered: whatever it asked for is over. */
  clear(limited: Limited): void {
    this.#until.delete(keyOf(limited));
  }

  isLimited(limited: Limited, now: number): boolean {
    return (this.#until.get(keyOf(limited)) ?? -Infinity) > now;
  }

  /** Forgets everything, as when the entries have changed. */
  reset(): void {
    this.#until.clear();
  }
}

function keyOf({ operation, entry }: Limited): string {
  return `${entry} ${operation === "image" ? "image" : "codex"}`;
}
