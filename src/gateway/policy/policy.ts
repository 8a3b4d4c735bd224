import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { AttemptReport } from "../types.ts";

/** The kinds of operation the policy tells apart. */
export type Operation = AttemptReport["operation"];

/** What to do after a failed attempt. `delay` is in milliseconds. */
export type Decision =
  { readonly action: "again"; readonly delay: number } | { readonly action: "other" } | { readonly action: "stop" };

/** Where an operation stands when an attempt has failed. */
export interface Standing {
  /** Attempts made so far, the failed one included. */
  readonly attempts: number;
  /** Those of them at the entry that has just failed. */
  readonly attemptsHere: number;
  /** Whether the other entry is configured and not tried yet. */
  readonly hasOther: boolean;
  /** Milliseconds since the first attempt began. */
  readonly elapsed: number;
}

interface Rule {
  /** How many more tries at the same entry. */
  readonly again: number;
  /** What comes before such a try. */
  readonly wait: "none" | "backoff";
  readonly then: "other" | "stop";
}

/** Attempts of one operation at the most, and how long after the first one may start, in milliseconds. */
const maxAttempts = 4;
const window = 60_000;

/** The longest a user is kept waiting for a Retry-After, in milliseconds. */
const longestRetryAfter = 20_000;

const stop: Rule = { again: 0, wait: "none", then: "stop" };
const other: Rule = { again: 0, wait: "none", then: "other" };

const chatRules: Record<GatewayErrorKind, Rule> = {
  noEntry: stop,
  badUrl: stop,
  noKey: stop,
  keyNotAllowed: other,
  certificateFile: stop,
  offline: other,
  unreachable: other,
  untrusted: stop,
  notHttps: stop,
  proxyRefused: other,
  timeout: { again: 1, wait: "none", then: "other" },
  connectionLost: { again: 1, wait: "none", then: "other" },
  interrupted: stop,
  unauthorized: stop,
  forbidden: stop,
  notFound: stop,
  modelNotFound: stop,
  rateLimited: { again: 2, wait: "backoff", then: "stop" },
  serverError: { again: 1, wait: "none", then: "other" },
  overloaded: { again: 1, wait: "backoff", then: "other" },
  badGateway: other,
  redirected: stop,
  rejected: stop,
  empty: other,
  unreadable: other,
  noImage: stop,
  mayBeCharged: stop,
  linkExpired: stop,
  linkForbidden: stop,
  downloadFailed: stop,
  notAnImage: stop,
  tooLarge: stop,
};

/** Failures after which the gateway may have made, and charged, an image all the same. */
const afterProcessing = ["timeout", "connectionLost", "badGateway", "empty", "unreadable"] as const;

/** An image POST is paid: whatever may have been processed is not asked for again. */
const imageRules: typeof chatRules = {
  ...chatRules,
  ...Object.fromEntries(afterProcessing.map((kind) => [kind, stop] as const)),
};

/** An image file lies on one host and costs nothing to ask for. */
const fileAgain: Rule = { again: 2, wait: "backoff", then: "stop" };
const fileRules: typeof chatRules = {
  ...chatRules,
  offline: fileAgain,
  unreachable: fileAgain,
  timeout: fileAgain,
  connectionLost: fileAgain,
  proxyRefused: fileAgain,
  rateLimited: fileAgain,
  serverError: fileAgain,
  overloaded: fileAgain,
  badGateway: fileAgain,
  empty: fileAgain,
  notAnImage: fileAgain,
};

const rules: Record<Operation, typeof chatRules> = {
  chat: chatRules,
  responses: chatRules,
  image: imageRules,
  imageFile: fileRules,
};

/** The policy: what to do about `error`, given where the operation stands. `random` returns a number in [0, 1). */
export function decide(
  operation: Operation,
  error: GatewayError,
  { attempts, attemptsHere, hasOther, elapsed }: Standing,
  random: () => number,
): Decision {
  const rule = rules[operation][error.kind];
  if (attempts >= maxAttempts) return { action: "stop" };
  const wait = error.retryAfter ?? (rule.wait === "backoff" ? backoff(attemptsHere, random) : 0);
  const isBearable = wait <= longestRetryAfter;
  if (attemptsHere <= rule.again && isBearable && elapsed + wait <= window) return { action: "again", delay: wait };
  return rule.then === "other" && hasOther && elapsed <= window ? { action: "other" } : { action: "stop" };
}

/** Full jitter: anything up to 1 s before the first repetition, doubling, 8 s at the most. In milliseconds. */
function backoff(repetition: number, random: () => number): number {
  return random() * Math.min(8_000, 1_000 * 2 ** (repetition - 1));
}

/** Whether an image POST that failed so may have been charged. */
export function mayBeCharged(error: GatewayError): boolean {
  // `rejected` by this side, for headers beyond all bounds, says nothing about what the gateway did.
  const isOurRejection = error.kind === "rejected" && error.cause !== undefined;
  return error.sent === "maybe" && (afterProcessing.some((kind) => kind === error.kind) || isOurRejection);
}

/** Causes that a user can do something about, and that the other entry's trouble must not hide. */
const actionable: ReadonlySet<GatewayErrorKind> = new Set([
  "noKey",
  "keyNotAllowed",
  "badUrl",
  "certificateFile",
  "untrusted",
  "notHttps",
  "proxyRefused",
  "unauthorized",
  "forbidden",
  "notFound",
  "modelNotFound",
  "rateLimited",
  "redirected",
  "rejected",
]);

/** The failure a user reads when several attempts failed: the first actionable one, else the first. */
export function telling(failures: readonly [GatewayError, ...GatewayError[]]): GatewayError {
  return failures.find(({ kind }) => actionable.has(kind)) ?? failures[0];
}
