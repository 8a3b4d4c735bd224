import { GatewayError } from "../errors.ts";
import type { AnswerPart, FinishReason, Usage } from "../types.ts";
import { asCount, asObject, type JsonObject } from "./json.ts";
import type { Clean } from "./withoutKeys.ts";

/** Parts that readers produce; `start` comes from the operation. */
export type ContentPart = Exclude<AnswerPart, { readonly type: "start" }>;

/** Reads one answer, event by event or as one JSON body. A reader serves one answer only. */
export interface AnswerReader {
  readonly ending: Pick<Ending, "isFinished" | "isSure" | "patience">;
  /** The parts that an event, which may have a name, or a whole body brings. Throws `GatewayError`. */
  read(json: JsonObject, event?: string): readonly ContentPart[];
  /** The parts that are known only at the end: tool calls, usage, the finish reason. Throws `GatewayError`. */
  end(): readonly ContentPart[];
}

/** How an answer is read. */
export interface ReadOptions {
  /** Milliseconds to wait for usage or `[DONE]` once the answer has said that it is over, and for the body's end after it. */
  readonly afterFinish: number;
  /** Called for every piece of the body. */
  readonly onRead: () => void;
  /** Clears keys from what errors quote. */
  readonly clean: Clean;
}

/** An answer of which no sense can be made. */
export function unreadable(message: string): GatewayError {
  return new GatewayError("unreadable", message, { sent: "maybe" });
}

/** What the two styles of answer have in common at their end. */
export class Ending {
  usage: Usage | undefined;
  #reason: FinishReason | undefined;
  #hasContent = false;
  #wentOn = false;
  #mayGoOn = true;

  get reason(): FinishReason | undefined {
    return this.#reason;
  }

  /** Whether the answer has said that it is over. */
  get isFinished(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether that is to be believed: some gateways say so in every chunk, and theirs end with the body. */
  get isSure(): boolean {
    return this.isFinished && !this.#wentOn;
  }

  /**
   * How patiently more is waited for once the answer is finished: longer where content came with the reason or none has
   * come at all, longest where content came after it.
   */
  get patience(): 1 | 10 | 60 {
    return this.#wentOn ? 60 : this.#mayGoOn ? 10 : 1;
  }

  /** Whether the answer says that it is not whole. */
  get isCut(): boolean {
    return this.#reason === "length" || this.#reason === "contentFilter";
  }

  /** Content, a reason to finish, or both came. A reason that says that the answer is cut is never taken back. */
  note(hasContent: boolean, reason?: FinishReason): void {
    if (hasContent && this.isFinished) this.#wentOn = true;
    this.#hasContent ||= hasContent;
    this.#mayGoOn = hasContent || !this.#hasContent;
    if (reason !== undefined && !this.isCut) this.#reason = reason;
  }

  /** Usage if known, then the finish reason. */
  parts(fallback: FinishReason): readonly ContentPart[] {
    const finish: ContentPart = { type: "finish", reason: this.#reason ?? fallback };
    return this.usage ? [{ type: "usage", ...this.usage }, finish] : [finish];
  }
}

/** Token counts, under the names of either style of answer; `undefined` where the gateway sends none. */
export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage?.input_tokens) ?? asCount(usage?.prompt_tokens);
  const outputTokens = asCount(usage?.output_tokens) ?? asCount(usage?.completion_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, totalTokens: asCount(usage?.total_tokens) ?? inputTokens + outputTokens };
}
