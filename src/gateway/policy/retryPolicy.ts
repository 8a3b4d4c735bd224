import type { GatewayError } from "../errors.ts";
import { type Operation, type Rule, rules } from "./rules.ts";

/** What to do after a failed attempt, and after how many milliseconds. */
export interface Decision {
  readonly action: "retry" | "failOver" | "stop";
  readonly delay: number;
}

/**
 * The other entry. `none`: not configured. `tried`: failed earlier in this operation. `failing`: its breaker is open.
 * `limited`: a rate limit applies to it.
 */
export type OtherEntry = "none" | "tried" | "failing" | "limited" | "healthy";

/** The state of an operation after a failed attempt. */
export interface OperationState {
  /** Requests so far, including the failed one. */
  readonly attempts: number;
  /** Requests so far to the entry that has just failed. Those repeated with another key or other fields don't count. */
  readonly attemptsHere: number;
  /** How many of `attemptsHere` met a rate limit. */
  readonly limitsHere?: number;
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

/** Maximum Retry-After to wait for, and the same while the other entry is healthy, in milliseconds. */
const maxRetryAfter = 20_000;
const maxRetryAfterBesideHealthy = 2_000;

const stop: Decision = { action: "stop", delay: 0 };

/** Whether an operation may move to the other entry. To a healthy one at any time, because proxies time out late. */
export function mayMove({ attempts, elapsed, other }: Pick<OperationState, "attempts" | "elapsed" | "other">): boolean {
  if (attempts >= maxAttempts) return false;
  return other === "healthy" || ((other === "failing" || other === "limited") && elapsed <= repeatWindow);
}

/** Number of requests an operation may still send to an entry. `elapsed`: milliseconds since its first request there. */
export function requestsLeft({ attempts, elapsed }: Pick<OperationState, "attempts" | "elapsed">): number {
  return elapsed <= repeatWindow ? Math.max(0, maxAttempts - attempts) : 0;
}

/** Whether an operation may wait this long, in milliseconds, for the limit of an entry. */
export function mayWait(delay: number, { attempts, elapsed }: Pick<OperationState, "attempts" | "elapsed">): boolean {
  return delay <= maxRetryAfter && requestsLeft({ attempts, elapsed: elapsed + delay }) > 0;
}

/** The policy: decides what to do about `error`. `random` returns a number in [0, 1). */
export function decide(
  operation: Operation,
  error: GatewayError,
  state: OperationState,
  random: () => number,
): Decision {
  const { attemptsHere, limitsHere = 0, ofThisKind, other } = state;
  const rule = rules[operation][error.kind];
  const isLimit = error.kind === "rateLimited";
  // Both entries are limited.
  if (ofThisKind >= rule.maxFailures || (isLimit && ofThisKind > attemptsHere)) return stop;
  const delay = error.retryAfter ?? (rule.wait === "backoff" ? backoff(attemptsHere, random) : pause(random));
  const isInTime = mayWait(delay, state);
  // Images are charged, so only text moves away from a long limit, or from a proxy that rejects a request this large.
  const isText = operation === "chat" || operation === "responses";
  const leavesLimit = isText && isLimit && !isInTime && other === "healthy";
  const isTooLargeForProxy = isText && error.kind === "contextTooLong" && error.page !== undefined;
  const mayFailOver = (leavesLimit || isTooLargeForProxy || rule.failsOver) && mayMove(state);
  const mayLeave = mayFailOver && other === "healthy";
  const isWorthIt = delay <= maxRetryAfterBesideHealthy || !mayLeave;
  // The gateway has not tried to answer a request over its limit.
  const failuresHere = isLimit || mayLeave ? attemptsHere : attemptsHere - limitsHere;
  if (failuresHere <= maxRetries(rule, state) && isInTime && isWorthIt) return { action: "retry", delay };
  if (!mayFailOver) return stop;
  // No delay for a healthy entry, a short one for an entry that has just failed.
  return { action: "failOver", delay: other === "healthy" ? 0 : pause(random) };
}

function maxRetries(rule: Rule, { other, isProven }: OperationState): number {
  if (other !== "none") return rule.retries;
  return isProven ? rule.retriesAloneIfProven : rule.retriesAlone;
}

/** Minimum delay before a retry, in milliseconds. */
const minPause = 100;
function pause(random: () => number): number {
  return minPause + random() * 300;
}

/** Exponential backoff with full jitter: up to 1 s before the first retry, doubling, at most 8 s. In milliseconds. */
function backoff(repetition: number, random: () => number): number {
  return Math.max(minPause, random() * Math.min(8_000, 1_000 * 2 ** (repetition - 1)));
}
