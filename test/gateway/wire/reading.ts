import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerReader, ContentPart } from "../../../src/gateway/wire/answerReader.ts";
import { asObject } from "../../../src/text/json.ts";

/** Reads events from the first to the last with a new reader each time. */
export function reading(newReader: () => AnswerReader): (events: readonly object[]) => readonly ContentPart[] {
  return (events) => {
    const reader = newReader();
    return [...events.flatMap((event) => reader.read(asObject(event) ?? {})), ...reader.end()];
  };
}

/** Whether an error says that an answer cannot be read, in these words. */
export function isUnreadable(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof GatewayError && error.kind === "unreadable" && message.test(error.message);
}
