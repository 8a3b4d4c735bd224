import { GatewayError } from "../errors.ts";
import type { Clean } from "./withoutKeys.ts";

/** How far down a chain of causes goes; undici's are of three. */
const maxCauses = 10;

/** The same error without the key in anything that it says, its causes included. */
export function withoutKey(error: GatewayError, clean: Clean): GatewayError {
  const { kind, message, cause, ...known } = error;
  const texts = Object.entries(known).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const cleaned = Object.fromEntries(texts.map(([name, text]) => [name, clean(text)]));
  cleanCauses(cause, clean);
  return new GatewayError(kind, clean(message), { ...known, ...cleaned, cause });
}

/** Parsers keep the bytes that they could not read in their errors: undici in `data`, Node in `rawPacket`. */
function cleanCauses(cause: unknown, clean: Clean): void {
  let error = cause;
  for (let depth = 0; depth < maxCauses && error instanceof Error; depth += 1) {
    if ("data" in error) error.data = undefined;
    if ("rawPacket" in error) error.rawPacket = undefined;
    const { message, stack } = error;
    if (clean(message) !== message) error.message = clean(message);
    if (stack !== undefined && clean(stack) !== stack) error.stack = clean(stack);
    error = error.cause;
  }
}
