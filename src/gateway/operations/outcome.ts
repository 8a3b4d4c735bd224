import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import { TransportError } from "../network/exchange.ts";
import type { Outcome } from "../policy/breaker.ts";

/**
 * What a failure says about the entry. A kept connection that is lost before an answer says nothing; the next attempt,
 * on a new one, will.
 */
export function outcomeOf({ kind, cause, sent, status }: GatewayError, isFresh: boolean): Outcome {
  // An interrupted answer had begun on this connection.
  if (kind === "interrupted" && cause instanceof GatewayError) return outcomeOf(cause, true);
  if (kind === "unauthorized" && status === undefined) return "nothing";
  // Said earlier; the entry was not asked again.
  if (kind === "rateLimited" && sent === "no") return "nothing";
  if (kind !== "connectionLost") return outcomes[kind] ?? "answered";
  // The body ended cleanly but too early, so the connection works.
  if (!(cause instanceof TransportError)) return "serverFault";
  return isFresh ? "connectionFault" : "nothing";
}

const outcomes: Partial<Record<GatewayErrorKind, Outcome>> = {
  unreachable: "connectionFault",
  proxyRefused: "connectionFault",
  timeout: "serverFault",
  interrupted: "serverFault",
  serverError: "serverFault",
  overloaded: "serverFault",
  badGateway: "serverFault",
  empty: "serverFault",
  unreadable: "serverFault",
  noKey: "nothing",
  keyNotAllowed: "nothing",
  untrusted: "nothing",
  notHttps: "nothing",
  certificateFile: "nothing",
};
