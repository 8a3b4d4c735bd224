import type { GatewayError } from "../errors.ts";
import { type Operation, type Rule, rules } from "./rules.ts";

/** What to do after a failed attempt. `delay` is in milliseconds. */
export type Decision =
  | { readonly action: "again"; readonly delay: number }
  | { readonly action: "other"; readonly delay: number }
  | { readonly action: "stop" };

/**
 * The entry that has not failed. `none`: only one is configured. `tried`: it has failed before in this operation.
 * `failing`: its breaker is open. `limited`: it has asked to be left alone for a while.
 */
export type OtherEntry = "none" | "tried" | "failing" | "limited" | "healthy";

/** Where an operation stands when an attempt has failed. */
export interface Standing {
  /** Attempts made so far, the failed one included. */
  readonly attempts: number;
  /** Those of them at the entry that has just failed, but for refusals of a field. */
  readonly attemptsHere: number;
  /** Failures of this kind so far, this one included. */
  readonly ofThisKind: number;
  readonly other: OtherEntry;
  /** Whether the entry that has just failed has answered before and is not given up. */
  readonly isProven: boolean;
  /** Milliseconds since the first attempt began. */
  readonly elapsed: number;
}

/** Attempts of one operation at the most, and how long after the first one may start, in milliseconds. */
const maxAttempts = 4;
const window = 60_000;

/** The longest a user is kept waiting for a Retry-After, and the same while the other entry is healthy. In milliseconds. */
const longestRetryAfter = 20_000;
const longestBesideHealthy = 2_000;

/** Whether an operation may start another request. `elapsed`: milliseconds since the first one. */
export function mayStart({ attempts, elapsed }: Pick<Standing, "attempts" | "elapsed">): boolean {
  return attempts < maxAttempts && elapsed <= window;
}

/** Whether the next request is the last that an operation may start. */
export function isLastNext(attempts: number): boolean {
  return attempts === maxAttempts - 1;
}

/** The policy: what to do about `error`, given where the operation stands. `random` returns a number in [0, 1). */
export function decide(operation: Operation, error: GatewayError, standing: Standing, random: () => number): Decision {
  const { attemptsHere, elapsed } = standing;
  const rule = rules[operation][error.kind];
  if (!mayStart(standing) || standing.ofThisKind >= rule.most) return { action: "stop" };
  if (error.kind === "rateLimited") return afterLimit(operation, error, standing, random);
  const moves = rule.then === "other" && canTake(standing.other);
  const wait = error.retryAfter ?? pauseOf(rule, attemptsHere, random);
  const longest = moves && standing.other === "healthy" ? longestBesideHealthy : longestRetryAfter;
  if (attemptsHere <= triesOf(rule, standing) && wait <= longest && elapsed + wait <= window) {
    return { action: "again", delay: wait };
  }
  if (!moves) return { action: "stop" };
  // The way to a healthy entry takes no time; one that has just failed gets some.
  return { action: "other", delay: standing.other === "healthy" ? 0 : pause(random) };
}

/** A limit is waited for. One too long for that is left for an entry that has none, once and where nothing is paid for. */
function afterLimit(
  operation: Operation,
  { kind, retryAfter }: GatewayError,
  { attemptsHere, ofThisKind, other, elapsed }: Standing,
  random: () => number,
): Decision {
  const rule = rules[operation][kind];
  const wait = retryAfter ?? pauseOf(rule, attemptsHere, random);
  const isElsewhereToo = ofThisKind > attemptsHere;
  if (isElsewhereToo) return { action: "stop" };
  if (wait <= longestRetryAfter) {
    const isInTime = attemptsHere <= rule.again && elapsed + wait <= window;
    return isInTime ? { action: "again", delay: wait } : { action: "stop" };
  }
  const isText = operation === "chat" || operation === "responses";
  return isText && other === "healthy" ? { action: "other", delay: 0 } : { action: "stop" };
}

function canTake(entry: OtherEntry): boolean {
  return entry === "failing" || entry === "limited" || entry === "healthy";
}

function triesOf(rule: Rule, { other, isProven }: Standing): number {
  if (other !== "none") return rule.again;
  return isProven ? rule.aloneAndProven : rule.alone;
}

function pauseOf({ wait }: Rule, repetition: number, random: () => number): number {
  return wait === "backoff" ? backoff(repetition, random) : pause(random);
}

/** Long enough for what has just failed to recover, too short to be felt. In milliseconds. */
const shortestPause = 100;
function pause(random: () => number): number {
  return shortestPause + random() * 300;
}

/** Full jitter: anything up to 1 s before the first repetition, doubling, 8 s at the most. In milliseconds. */
function backoff(repetition: number, random: () => number): number {
  return Math.max(shortestPause, random() * Math.min(8_000, 1_000 * 2 ** (repetition - 1)));
}
