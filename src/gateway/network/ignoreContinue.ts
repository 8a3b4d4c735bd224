import type { Socket } from "node:net";
import symbols from "undici/lib/core/symbols.js";

const unaskedContinue = 100;
const processing = 102;

interface Parser {
  onHeadersComplete: (status: number, isUpgrade: boolean, isKept: boolean) => number;
}

/**
 * Makes undici ignore a `100 Continue` that nobody asked for, as RFC 9110 (15.2) demands: undici 8.12 closes the
 * connection, and whatever was paid for is lost. To its parser it is a `102 Processing`, which it ignores. For a socket
 * that undici has taken over.
 */
export function ignoreContinue(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, symbols.kParser);
  if (!isParser(parser)) return;
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, ...rest) =>
    onHeadersComplete(status === unaskedContinue ? processing : status, ...rest);
}

function isParser(value: unknown): value is Parser {
  return typeof value === "object" && value !== null && "onHeadersComplete" in value;
}
