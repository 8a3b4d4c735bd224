import { type Asked, right, send } from "./answers.ts";
import { broken, close, failure, raw, reset, silence } from "./faults.ts";
import type { Fault } from "./faultServer.ts";

/** Faults for any request, by name. `processed`: an ordered image may have been created. */
export const mixedFaults = {
  right: { processed: true, faultFor: right },
  close: { processed: true, faultFor: () => close },
  reset: { processed: true, faultFor: () => reset },
  silence: { processed: true, faultFor: () => silence },
  garbage: { processed: true, faultFor: () => raw("GARBAGE\r\n\r\n") },
  cutChunked: { processed: true, faultFor: (asked) => broken(asked, { framing: "chunked", after: 1, how: "reset" }) },
  cutLength: { processed: true, faultFor: (asked) => broken(asked, { framing: "length", after: 1, how: "close" }) },
  cutBare: { processed: true, faultFor: (asked) => broken(asked, { framing: "none", after: 1, how: "reset" }) },
  cutEarly: { processed: true, faultFor: (asked) => broken(asked, { framing: "chunked", after: 0, how: "close" }) },
  stalls: { processed: true, faultFor: (asked) => broken(asked, { framing: "chunked", after: 1, how: "stall" }) },
  unfinished: { processed: true, faultFor: (asked) => broken(asked, { framing: "chunked", after: 1, how: "end" }) },
  empty: { processed: true, faultFor: () => send(200, "application/json", "") },
  page: { processed: true, faultFor: () => send(200, "text/html", "<html><title>Log in") },
  badGateway: { processed: true, faultFor: () => send(502, "text/html", "<html><title>Bad gateway") },
  unauthorized: { processed: false, faultFor: () => failure(401, "x") },
  redirect: { processed: false, faultFor: () => send(307, "text/plain", "", "location: http://localhost:9/\r\n") },
  rateLimited: { processed: false, faultFor: () => failure(429, "x", "retry-after: 1\r\n") },
  serverError: { processed: false, faultFor: () => failure(500, "x") },
  overloaded: { processed: false, faultFor: () => failure(529, "x") },
  errorInside: { processed: false, faultFor: () => failure(200, "overloaded_error") },
} as const satisfies Readonly<Record<string, { processed: boolean; faultFor: (asked: Asked) => Fault }>>;

export type MixedFault = keyof typeof mixedFaults;

export const mixedFaultNames = Object.keys(mixedFaults) as readonly MixedFault[];
