import type { GatewayErrorKind } from "../errors.ts";
import type { AttemptReport } from "../types.ts";

/** The kinds of operation the policy tells apart. */
export type Operation = AttemptReport["operation"];

/** What follows a failure of one kind. */
export interface Rule {
  /** How many more tries at the same entry. */
  readonly again: number;
  /** The same where no other entry is configured, and where such an entry has answered before. */
  readonly alone: number;
  readonly aloneAndProven: number;
  /** How many failures of this kind end the operation. */
  readonly most: number;
  /** What comes before another try. */
  readonly wait: "pause" | "backoff";
  readonly then: "other" | "stop";
}

function rule(again: number, wait: Rule["wait"], then: Rule["then"], more: Partial<Rule> = {}): Rule {
  return { again, alone: again, aloneAndProven: again, most: Infinity, wait, then, ...more };
}

const stop = rule(0, "pause", "stop");
const other = rule(0, "pause", "other");
const onceMore = rule(1, "pause", "other");
/**
 * Fails in passing, most of the time. A single entry gets one more chance; one that has answered before gets two, so that
 * one failure in ten requests is not seen in one question out of a hundred.
 */
const inPassing = rule(0, "pause", "other", { alone: 1, aloneAndProven: 2 });

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
  timeout: onceMore,
  connectionLost: onceMore,
  interrupted: stop,
  unauthorized: stop,
  forbidden: stop,
  notFound: stop,
  modelNotFound: stop,
  rateLimited: rule(2, "backoff", "stop"),
  serverError: onceMore,
  overloaded: rule(1, "backoff", "other"),
  badGateway: inPassing,
  redirected: stop,
  rejected: stop,
  empty: inPassing,
  unreadable: inPassing,
  noImage: stop,
  mayBeCharged: stop,
  linkExpired: stop,
  linkForbidden: stop,
  downloadFailed: stop,
  notAnImage: stop,
  tooLarge: stop,
};

/** Failures after which the gateway may have made, and charged, an image all the same. */
export const afterProcessing = ["timeout", "connectionLost", "badGateway", "empty", "unreadable"] as const;

/** An image POST is paid: whatever may have been processed is not asked for again, but for one error 500. */
const imageRules: typeof chatRules = {
  ...chatRules,
  ...Object.fromEntries(afterProcessing.map((kind) => [kind, stop] as const)),
  serverError: rule(1, "pause", "stop", { most: 2 }),
};

/** An image file lies on one host and costs nothing to ask for. */
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

/** The table of the policy. */
export const rules: Record<Operation, typeof chatRules> = {
  chat: chatRules,
  responses: chatRules,
  image: imageRules,
  imageFile: fileRules,
};
