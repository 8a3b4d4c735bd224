import type { AnswerPart, FinishReason, Usage } from "../types.ts";
import type { JsonObject } from "./json.ts";

/** Parts that readers produce; `start` comes from the operation. */
export type ContentPart = Exclude<AnswerPart, { readonly type: "start" }>;

/** Reads one answer, event by event or as one JSON body. A reader serves one answer only. */
export interface AnswerReader {
  /** Whether the answer has said that it is over; anything but usage may be missing from now on. */
  readonly isFinished: boolean;
  /** The parts that an event or a whole body brings. Throws `GatewayError` of kind `unreadable`. */
  read(json: JsonObject): readonly ContentPart[];
  /** The parts that are known only at the end: tool calls, usage, the finish reason. Throws `GatewayError`. */
  end(): readonly ContentPart[];
}

/** What the two styles of answer have in common at their end. */
export class Ending {
  reason: FinishReason | undefined;
  usage: Usage | undefined;

  /** Usage if known, then the finish reason. */
  parts(fallback: FinishReason): readonly ContentPart[] {
    const finish: ContentPart = { type: "finish", reason: this.reason ?? fallback };
    return this.usage ? [{ type: "usage", ...this.usage }, finish] : [finish];
  }
}
