import type { EntryName } from "../types.ts";
import { keyGroupOf, type KeyedOperation } from "./rules.ts";

/** A rate limit applies to an entry and the key of an operation. */
interface Limited {
  readonly operation: KeyedOperation;
  readonly entry: EntryName;
}

/** Until when entries asked to wait. Times are milliseconds of a monotonic clock. */
export class RateLimits {
  readonly #until = new Map<string, number>();

  /** Records that an entry asked to wait `delay` milliseconds from `now`. */
  note(limited: Limited, now: number, delay: number): void {
    this.#until.set(keyOf(limited), now + delay);
  }

  /** Clears an entry's limit after it has answered. */
  clear(limited: Limited): void {
    this.#until.delete(keyOf(limited));
  }

  isLimited(limited: Limited, now: number): boolean {
    return (this.#until.get(keyOf(limited)) ?? -Infinity) > now;
  }
}

function keyOf({ operation, entry }: Limited): string {
  return `${entry} ${keyGroupOf(operation)}`;
}
