import type { Clean } from "../../text/withoutKeys.ts";
import { GatewayError } from "../errors.ts";

/** Maximum depth of a chain of causes. */
const maxCauses = 10;

/** Removes the key from an error's texts, including its causes. */
export function withoutKey(error: GatewayError, clean: Clean): GatewayError {
  const { kind, message, cause, ...known } = error;
  const texts = Object.entries(known).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const cleaned = Object.fromEntries(texts.map(([name, text]) => [name, clean(text)]));
  cleanCauses(cause, clean);
  return new GatewayError(kind, clean(message), { ...known, ...cleaned, cause });
}

/** Parser errors contain the bytes they failed on: `data` in undici 8.12, `rawPacket` in Node 24. */
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
