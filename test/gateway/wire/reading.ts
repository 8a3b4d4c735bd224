import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerReader } from "../../../src/gateway/wire/answerReader.ts";
import type { ContentPart } from "../../../src/gateway/wire/ending.ts";
import { asObject } from "../../../src/text/json.ts";

/** Reads events from the first to the last with a new reader each time. */
export function reading(newReader: () => AnswerReader): (events: readonly object[]) => readonly ContentPart[] {
  return (events) => {
    const reader = newReader();
    for (const event of events) reader.read(asObject(event) ?? {});
    return [...reader.take(), ...reader.end()];
  };
}

/** Whether an error says that an answer cannot be read, in these words. */
export function isUnreadable(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof GatewayError && error.kind === "unreadable" && message.test(error.message);
}
