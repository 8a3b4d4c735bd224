import { type GatewayError, withDetails } from "../errors.ts";
import type { RequestTopic } from "../types.ts";
import { keyGroupOf, type KeyedOperation } from "./rules.ts";

/** A rate limit applies to an entry, the key of an operation, and a model. */
type Limited = Pick<RequestTopic, "entry" | "model"> & { readonly operation: KeyedOperation };

/** The limit of one entry. `until` is the time at which it ends. */
interface Limit {
  readonly failure: GatewayError;
  readonly key: string;
  readonly until: number;
}

/** The rate limits in force. Times are milliseconds of a monotonic clock. */
export class ActiveRateLimits {
  readonly #limits = new Map<string, Limit>();

  /** Records the wait that a failure requests, counted from `now`, if it requests one. */
  record(limited: Limited, key: string, now: number, failure: GatewayError): void {
    if (failure.kind !== "rateLimited" || failure.retryAfter === undefined) return;
    this.#limits.set(nameOf(limited), { failure, key, until: now + failure.retryAfter });
  }

  /** Clears an entry's limit after it has answered. */
  clear(limited: Limited): void {
    this.#limits.delete(nameOf(limited));
  }

  /** The failure that set a limit, with the remaining wait. `key`: ignores limits of other keys. */
  failure(limited: Limited, now: number, key?: string): GatewayError | undefined {
    const limit = this.#limits.get(nameOf(limited));
    if (limit === undefined || limit.until <= now || (key !== undefined && key !== limit.key)) return undefined;
    return withDetails(limit.failure, { retryAfter: limit.until - now, sent: "no" });
  }
}

function nameOf({ operation, entry, model }: Limited): string {
  return `${entry} ${keyGroupOf(operation)} ${model}`;
}
