import { type GatewayError, withDetails } from "../errors.ts";
import type { EntryName } from "../types.ts";
import { keyGroupOf, type KeyedOperation } from "./rules.ts";

/** A rate limit applies to an entry, the key of an operation, and a model. */
export interface Limited {
  readonly operation: KeyedOperation;
  readonly entry: EntryName;
  readonly model: string;
}

/** What an entry said, and until when. */
interface Limit {
  readonly failure: GatewayError;
  readonly key: string;
  readonly until: number;
}

/** The entries that asked to wait. Times are milliseconds of a monotonic clock. */
export class RateLimits {
  readonly #limits = new Map<string, Limit>();

  /** Records that an entry asked to wait from `now`, if its failure says how long. */
  note(limited: Limited, key: string, now: number, failure: GatewayError): void {
    if (failure.kind !== "rateLimited" || failure.retryAfter === undefined) return;
    this.#limits.set(nameOf(limited), { failure, key, until: now + failure.retryAfter });
  }

  /** Clears an entry's limit after it has answered. */
  clear(limited: Limited): void {
    this.#limits.delete(nameOf(limited));
  }

  /** The failure with which the entry asked to wait, with the wait that is left. `key`: another key is not limited. */
  failure(limited: Limited, now: number, key?: string): GatewayError | undefined {
    const limit = this.#limits.get(nameOf(limited));
    if (limit === undefined || limit.until <= now || (key !== undefined && key !== limit.key)) return undefined;
    return withDetails(limit.failure, { retryAfter: limit.until - now, sent: "no" });
  }
}

function nameOf({ operation, entry, model }: Limited): string {
  return `${entry} ${keyGroupOf(operation)} ${model}`;
}
