import { asCount, asObject, type JsonObject } from "../../text/json.ts";
import type { Clean } from "../../text/withoutKeys.ts";
import { GatewayError } from "../errors.ts";
import type { AnswerPart, FinishReason, Usage } from "../types.ts";

/** The parts that readers produce; `start` comes from the operation. */
export type ContentPart = Exclude<AnswerPart, { readonly type: "start" }>;

/** Reads one answer, as events or as one JSON body. Stateful: one reader per answer. */
export interface AnswerReader {
  readonly ending: Pick<Ending, "isFinished" | "isSure" | "patience">;
  /** The parts in an event, with its optional name, or in a whole body. Throws `GatewayError`. */
  read(json: JsonObject, event?: string): readonly ContentPart[];
  /** The parts known at the end: tool calls, usage, finish reason. Throws `GatewayError`. */
  end(): readonly ContentPart[];
}

/** Options for reading an answer. */
export interface ReadOptions {
  /** Milliseconds to wait for usage or `[DONE]` after the finish reason, and then for the end of the body. */
  readonly afterFinish: number;
  /** Called for every chunk of the body. */
  readonly onRead: () => void;
  /** Removes keys from quoted text. */
  readonly clean: Clean;
}

/** An error of kind `unreadable`. */
export function unreadable(message: string): GatewayError {
  return new GatewayError("unreadable", message, { sent: "maybe" });
}

/** The end of an answer, common to both APIs. */
export class Ending {
  usage: Usage | undefined;
  #reason: FinishReason | undefined;
  #hasContent = false;
  #wentOn = false;
  #mayGoOn = true;

  get reason(): FinishReason | undefined {
    return this.#reason;
  }

  /** Whether the answer has a finish reason. */
  get isFinished(): boolean {
    return this.#reason !== undefined;
  }

  /**
   * Whether the finish reason is reliable. Some gateways send "stop" with every chunk (su-kaka/gcli2api#403); such
   * answers end with the body.
   */
  get isSure(): boolean {
    return this.isFinished && !this.#wentOn;
  }

  /**
   * Factor for the wait after the finish reason: longer if content came with the reason or none has come yet, longest
   * if content came after it.
   */
  get patience(): 1 | 10 | 60 {
    return this.#wentOn ? 60 : this.#mayGoOn ? 10 : 1;
  }

  /** Whether the answer says that it is truncated. */
  get isCut(): boolean {
    return this.#reason === "length" || this.#reason === "contentFilter";
  }

  /** Records content and finish reasons. A reason that means truncation is never overridden. */
  note(hasContent: boolean, reason?: FinishReason): void {
    if (hasContent && this.isFinished) this.#wentOn = true;
    this.#hasContent ||= hasContent;
    this.#mayGoOn = hasContent || !this.#hasContent;
    if (reason !== undefined && !this.isCut) this.#reason = reason;
  }

  /** The usage, if known, then the finish reason. */
  parts(fallback: FinishReason): readonly ContentPart[] {
    const finish: ContentPart = { type: "finish", reason: this.#reason ?? fallback };
    return this.usage ? [{ type: "usage", ...this.usage }, finish] : [finish];
  }
}

/** Token counts under the field names of either API; `undefined` if there are none. */
export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage?.input_tokens) ?? asCount(usage?.prompt_tokens);
  const outputTokens = asCount(usage?.output_tokens) ?? asCount(usage?.completion_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, totalTokens: asCount(usage?.total_tokens) ?? inputTokens + outputTokens };
}
