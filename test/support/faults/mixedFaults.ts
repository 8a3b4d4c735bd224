import { broken, close, failure, raw, reset, right, send, sendJson, silence } from "./faults.ts";
import type { Fault } from "./faultServer.ts";

/** Faults after which an ordered image may have been created. */
const afterProcessing = {
  right,
  close,
  reset,
  silence,
  garbage: raw("GARBAGE\r\n\r\n"),
  cutChunked: broken({ after: 1, how: "reset" }),
  cutLength: broken({ framing: "length", after: 1, how: "close" }),
  cutBare: broken({ framing: "none", after: 1, how: "reset" }),
  cutEarly: broken({ after: 0, how: "close" }),
  stalls: broken({ after: 1, how: "stall" }),
  unfinished: broken({ after: 1, how: "end" }),
  empty: send(200, "application/json", ""),
  page: send(200, "text/html", "<html><title>Log in"),
  badGateway: send(502, "text/html", "<html><title>Bad gateway"),
} satisfies Readonly<Record<string, Fault>>;

/** Answers for random operations: the right one, and faults of every kind. */
export const mixedFaults = {
  ...afterProcessing,
  refused: sendJson(400, { error: { message: "No." } }),
  refusedField: sendJson(400, { error: { message: "No.", param: "stream" } }),
  unauthorized: failure(401, "x"),
  notFound: failure(404, "x"),
  redirect: send(307, "text/plain", "", "location: http://localhost:9/\r\n"),
  rateLimited: failure(429, "x", "retry-after: 1\r\n"),
  rateLimitedForLong: failure(429, "x", "retry-after: 600\r\n"),
  serverError: failure(500, "x"),
  overloaded: failure(529, "x"),
  errorInside: failure(200, "overloaded_error"),
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof mixedFaults;

export const faultNames = Object.keys(mixedFaults) as readonly FaultName[];

/** Faults that do not wait for a time limit. */
export const quickFaults = faultNames.filter((name) => name !== "silence" && name !== "stalls");

/** The names of faults after which an ordered image may have been created. */
export const processed: ReadonlySet<string> = new Set(Object.keys(afterProcessing));
