import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { AttemptReport, KeyGroup } from "../types.ts";
import type { Outcome } from "./breaker.ts";

/** The kinds of operation. */
export type Operation = AttemptReport["operation"];

/** An operation at the entries, which sends a key; a download sends none. */
export type KeyedOperation = Exclude<Operation, "imageFile">;

/** The group whose key an operation sends. */
export function keyGroupOf(operation: KeyedOperation): KeyGroup {
  return operation === "image" ? "image" : "codex";
}

/** The rule for one kind of failure. */
export interface Rule {
  /** Maximum number of retries at the same entry. */
  readonly retries: number;
  /** Maximum number of retries where no other entry is configured. */
  readonly retriesAlone: number;
  /** The same for an entry that has answered before. */
  readonly retriesAloneIfProven: number;
  /** Number of failures of this kind that ends the operation. */
  readonly maxFailures: number;
  /** The delay before a retry. */
  readonly wait: "pause" | "backoff";
  /** Whether the other entry is tried after the retries. */
  readonly failsOver: boolean;
  /** What it means for the health of the entry. */
  readonly outcome: Outcome;
  /** Whether the user can fix it: the other entry's failure must not hide it, and it stays until something changes. */
  readonly isActionable: boolean;
}

type RuleDetails = Omit<Rule, "retries" | "wait">;

/** A rule without failover, unless `details` specify it. */
function rule(retries: number, wait: Rule["wait"], details: Partial<RuleDetails> = {}): Rule {
  const defaults = { failsOver: false, maxFailures: Infinity, outcome: "answered", isActionable: false } as const;
  return { retries, retriesAlone: retries, retriesAloneIfProven: retries, wait, ...defaults, ...details };
}

const stop = rule(0, "pause");
const userFixable = { ...stop, isActionable: true };
/** Nothing has reached the entry. */
const notReached: Rule = { ...userFixable, outcome: "nothing" };
const serverFault = { failsOver: true, outcome: "serverFault" } as const;
const noConnection = rule(0, "pause", { failsOver: true, outcome: "connectionFault" });
const onceMore = rule(1, "pause", serverFault);
/**
 * Mostly transient failures. A single entry gets one more attempt, or two if it has answered before, so that an error
 * rate of one in ten becomes less than one in a hundred questions.
 */
const transient = rule(0, "pause", { ...serverFault, retriesAlone: 1, retriesAloneIfProven: 2 });

const chatRules: Record<GatewayErrorKind, Rule> = {
  noEntry: stop,
  badUrl: userFixable,
  noKey: notReached,
  keyNotAllowed: { ...notReached, failsOver: true },
  certificateFile: notReached,
  offline: rule(0, "pause", { failsOver: true }),
  unreachable: noConnection,
  untrusted: notReached,
  notHttps: notReached,
  proxyRefused: { ...noConnection, isActionable: true },
  timeout: onceMore,
  // Unless the connection itself failed: see `outcomeOf`.
  connectionLost: onceMore,
  interrupted: { ...stop, outcome: "serverFault" },
  unauthorized: userFixable,
  forbidden: userFixable,
  notFound: userFixable,
  modelNotFound: userFixable,
  contextTooLong: userFixable,
  filtered: userFixable,
  rateLimited: rule(2, "backoff", { isActionable: true }),
  serverError: onceMore,
  overloaded: rule(1, "backoff", serverFault),
  badGateway: transient,
  redirected: userFixable,
  rejected: userFixable,
  empty: transient,
  unreadable: transient,
  noImage: stop,
  mayBeCharged: stop,
  linkExpired: stop,
  linkForbidden: stop,
  downloadFailed: stop,
  notAnImage: stop,
  tooLarge: stop,
};

/** Failures after which the gateway may still have created, and charged, an image. */
export const afterProcessing = ["timeout", "connectionLost", "badGateway", "empty", "unreadable"] as const;

/** Image orders are charged, so one that may have been processed is not repeated, except after one error 500. */
const imageRules: typeof chatRules = {
  ...chatRules,
  ...Object.fromEntries(afterProcessing.map((kind) => [kind, stop] as const)),
  serverError: rule(1, "pause", { maxFailures: 2 }),
};

/** Image files have a single host and are free. */
const retryFile = rule(2, "backoff");
const fileRules: typeof chatRules = {
  ...chatRules,
  offline: retryFile,
  unreachable: retryFile,
  timeout: retryFile,
  connectionLost: retryFile,
  proxyRefused: retryFile,
  rateLimited: retryFile,
  serverError: retryFile,
  overloaded: retryFile,
  badGateway: retryFile,
  empty: retryFile,
  notAnImage: retryFile,
};

/** The policy's rules by operation. */
export const rules: Record<Operation, typeof chatRules> = {
  chat: chatRules,
  responses: chatRules,
  image: imageRules,
  imageFile: fileRules,
};

/** Whether a failed image POST may have been charged. */
export function mayBeCharged(error: GatewayError): boolean {
  // This client rejects oversized headers, after the gateway may have done its work.
  const isOurRejection = error.kind === "rejected" && error.cause !== undefined;
  return error.sent === "maybe" && (afterProcessing.some((kind) => kind === error.kind) || isOurRejection);
}

/** Whether the user can fix a failure. */
export function isActionable(kind: GatewayErrorKind): boolean {
  return chatRules[kind].isActionable;
}

/** The failure to show when several attempts failed: the first that the user can fix, else the first. */
export function mostUsefulFailure(failures: readonly [GatewayError, ...GatewayError[]]): GatewayError {
  return failures.find(({ kind }) => isActionable(kind)) ?? failures[0];
}
