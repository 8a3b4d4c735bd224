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
  /** Retries at the same entry. */
  readonly again: number;
  /** The same without another entry; and without another entry if this one has answered before. */
  readonly alone: number;
  readonly aloneAndProven: number;
  /** Number of failures of this kind that ends the operation. */
  readonly maxFailures: number;
  /** The delay before a retry. */
  readonly wait: "pause" | "backoff";
  readonly then: "other" | "stop";
  /** What it means for the health of the entry. */
  readonly outcome: Outcome;
  /** Whether the user can fix it: the other entry's failure must not hide it, and it stays until something changes. */
  readonly isActionable: boolean;
}

function rule(again: number, wait: Rule["wait"], then: Rule["then"], more: Partial<Rule> = {}): Rule {
  const defaults = { maxFailures: Infinity, outcome: "answered", isActionable: false } as const;
  return { again, alone: again, aloneAndProven: again, wait, then, ...defaults, ...more };
}

const stop = rule(0, "pause", "stop");
const userFixable = { ...stop, isActionable: true };
/** Nothing has reached the entry. */
const notConfigured: Rule = { ...userFixable, outcome: "nothing" };
const noConnection = rule(0, "pause", "other", { outcome: "connectionFault" });
const onceMore = rule(1, "pause", "other", { outcome: "serverFault" });
/**
 * Mostly transient failures. A single entry gets one more attempt, or two if it has answered before, so that an error
 * rate of one in ten becomes less than one in a hundred questions.
 */
const transient = rule(0, "pause", "other", { alone: 1, aloneAndProven: 2, outcome: "serverFault" });

const chatRules: Record<GatewayErrorKind, Rule> = {
  noEntry: stop,
  badUrl: userFixable,
  noKey: notConfigured,
  keyNotAllowed: { ...notConfigured, then: "other" },
  certificateFile: notConfigured,
  offline: rule(0, "pause", "other"),
  unreachable: noConnection,
  untrusted: notConfigured,
  notHttps: notConfigured,
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
  filtered: stop,
  rateLimited: rule(2, "backoff", "stop", { isActionable: true }),
  serverError: onceMore,
  overloaded: rule(1, "backoff", "other", { outcome: "serverFault" }),
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
  serverError: rule(1, "pause", "stop", { maxFailures: 2 }),
};

/** Image files have a single host and are free. */
const fileAgain = rule(2, "backoff", "stop");
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
