import type { Socket } from "node:net";
import symbols from "undici/lib/core/symbols.js";

const unaskedContinue = 100;
const processing = 102;

interface Parser {
  onHeadersComplete: (status: number, isUpgrade: boolean, isKept: boolean) => number;
}

/**
 * Makes undici ignore an unexpected `100 Continue`, as RFC 9110 (15.2) requires. undici 8.12 closes the connection
 * instead (`statusCode === 100` in lib/dispatcher/client-h1.js), which loses a paid answer. Presents it to undici's
 * parser as `102 Processing`, which it ignores. For a socket that undici already uses.
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
