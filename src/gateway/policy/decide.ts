import type { GatewayError } from "../errors.ts";
import { type Operation, type Rule, rules } from "./rules.ts";

/** What to do after a failed attempt. `delay` is in milliseconds. */
export type Decision =
  | { readonly action: "again"; readonly delay: number }
  | { readonly action: "other"; readonly delay: number }
  | { readonly action: "stop" };

/**
 * The other entry. `none`: not configured. `tried`: failed earlier in this operation. `failing`: its breaker is open.
 * `limited`: a rate limit applies to it.
 */
export type OtherEntry = "none" | "tried" | "failing" | "limited" | "healthy";

/** The state of an operation after a failed attempt. */
export interface OperationState {
  /** Requests so far, including the failed one. */
  readonly attempts: number;
  /** Turns at the entry that has just failed. */
  readonly attemptsHere: number;
  /** Failures of this kind so far, including this one. */
  readonly ofThisKind: number;
  readonly other: OtherEntry;
  /** Whether the entry that has just failed has answered before and its breaker is closed. */
  readonly isProven: boolean;
  /** Milliseconds since the first attempt began. */
  readonly elapsed: number;
}

/** Maximum number of attempts, and the time after the first within which a retry may start, in milliseconds. */
const maxAttempts = 4;
const repeatWindow = 60_000;

/** Longest Retry-After to wait for, and the same while the other entry is healthy, in milliseconds. */
const longestRetryAfter = 20_000;
const longestBesideHealthy = 2_000;

/** Whether an operation may move to the other entry. To a healthy one at any time, because proxies time out late. */
export function mayMove({ attempts, elapsed, other }: Pick<OperationState, "attempts" | "elapsed" | "other">): boolean {
  if (attempts >= maxAttempts) return false;
  return other === "healthy" || ((other === "failing" || other === "limited") && elapsed <= repeatWindow);
}

/** Number of requests an operation may still send to an entry. `elapsed`: milliseconds since its first request there. */
export function requestsLeft({ attempts, elapsed }: Pick<OperationState, "attempts" | "elapsed">): number {
  return elapsed <= repeatWindow ? Math.max(0, maxAttempts - attempts) : 0;
}

/** Whether an entry requests a longer wait than any operation accepts. */
export function isLongLimit({ retryAfter = 0 }: GatewayError): boolean {
  return retryAfter > longestRetryAfter;
}

/** The policy: decides what to do about `error`. `random` returns a number in [0, 1). */
export function decide(
  operation: Operation,
  error: GatewayError,
  state: OperationState,
  random: () => number,
): Decision {
  const { attemptsHere, elapsed, ofThisKind, other } = state;
  const rule = rules[operation][error.kind];
  const isLimit = error.kind === "rateLimited";
  // Both entries are limited.
  if (ofThisKind >= rule.maxFailures || (isLimit && ofThisKind > attemptsHere)) return { action: "stop" };
  const wait = error.retryAfter ?? (rule.wait === "backoff" ? backoff(attemptsHere, random) : pause(random));
  const isShort = wait <= longestRetryAfter && requestsLeft({ ...state, elapsed: elapsed + wait }) > 0;
  // Images are charged, so only text moves away from a long limit, or from a proxy that rejects a request this large.
  const isText = operation === "chat" || operation === "responses";
  const movesAwayFromLimit = isText && isLimit && !isShort && other === "healthy";
  const isTooLargeForProxy = isText && error.kind === "contextTooLong" && error.page !== undefined;
  const moves = (movesAwayFromLimit || isTooLargeForProxy || rule.then === "other") && mayMove(state);
  const isInTime = isShort && (wait <= longestBesideHealthy || !moves || other !== "healthy");
  if (attemptsHere <= maxRetries(rule, state) && isInTime) return { action: "again", delay: wait };
  if (!moves) return { action: "stop" };
  // No delay for a healthy entry, a short one for an entry that has just failed.
  return { action: "other", delay: other === "healthy" ? 0 : pause(random) };
}

function maxRetries(rule: Rule, { other, isProven }: OperationState): number {
  if (other !== "none") return rule.again;
  return isProven ? rule.aloneAndProven : rule.alone;
}

/** Shortest delay before a retry, in milliseconds. */
const shortestPause = 100;
function pause(random: () => number): number {
  return shortestPause + random() * 300;
}

/** Exponential backoff with full jitter: up to 1 s before the first retry, doubling, at most 8 s. In milliseconds. */
function backoff(repetition: number, random: () => number): number {
  return Math.max(shortestPause, random() * Math.min(8_000, 1_000 * 2 ** (repetition - 1)));
}
