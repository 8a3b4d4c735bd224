import { asCount, asObject, type JsonObject, keysOf } from "../../base/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { AnswerPart, FinishReason, Usage } from "../types.ts";
import { unnamedFailure } from "./errorAnswer.ts";
import { meaningOf } from "./finishReasons.ts";

/** The parts that readers produce; `start` comes from the operation. */
export type ContentPart = Exclude<AnswerPart, { readonly type: "start" }>;

/** What is known of an answer so far, common to both APIs: its usage, how it ends, and whether it is whole. */
export class AnswerState {
  usage: Usage | undefined;
  /** Whether the answer has the shape of the API, at least in part. */
  hasApiShape = false;
  /** Whether the stream's `[DONE]` has come. */
  isDone = false;
  #reason: FinishReason | undefined;
  #hasFailed = false;
  #unknownReason: string | undefined;
  #unknownObject: JsonObject | undefined;
  #hasContent = false;
  #mayContinue = true;
  #hasContinued = false;

  /** Whether the answer has a finish reason. */
  get isFinished(): boolean {
    return this.#reason !== undefined || this.#hasFailed || this.#unknownReason !== undefined;
  }

  /** Whether nothing is missing if no more comes. Some services send a finish reason with every chunk. */
  get isWhole(): boolean {
    return this.isFinished && !this.#hasContinued;
  }

  /** Factor for the wait after the finish reason: longer if it came with content, or before any. */
  get waitFactor(): 1 | 10 {
    return this.#mayContinue ? 10 : 1;
  }

  /** Whether the finish reason means that the answer is truncated. */
  get isCut(): boolean {
    return this.#reason === "length" || this.#reason === "contentFilter";
  }

  /** The finish reason in the gateway's words, if it is unknown. */
  get unknownReason(): string | undefined {
    return this.#reason === undefined ? this.#unknownReason?.slice(0, 100) : undefined;
  }

  /**
   * Records an object of another form. After content, it means that the answer broke off, unless a finish reason comes.
   * Throws `GatewayError` if it is an error.
   */
  recordUnknownObject(json: JsonObject): void {
    const failure = this.isFinished ? undefined : unnamedFailure(json);
    if (failure) throw failure;
    this.#unknownObject ??= json;
  }

  /** Records content, and a finish reason in the gateway's words. A truncation is never overridden. */
  record(hasContent: boolean, reason?: string): void {
    if (hasContent) {
      this.#unknownObject = undefined;
      this.#hasContent = true;
      this.#hasContinued ||= this.isFinished;
    }
    this.#mayContinue = hasContent || !this.#hasContent;
    if (reason === undefined || this.isCut) return;
    const meaning = meaningOf(reason);
    if (meaning === "failed") this.#hasFailed = true;
    else if (meaning === undefined) this.#unknownReason ??= reason;
    else this.#reason = meaning;
  }

  /** Throws `GatewayError` if the answer is not whole, or has another form than that with the field `expected`. */
  check(expected: string): void {
    const keys = this.#unknownObject && keysOf(this.#unknownObject);
    if (!this.hasApiShape && keys !== undefined) throw unreadable(`The answer has no ${expected} but: ${keys}.`);
    if (this.#hasFailed) throw new GatewayError("serverError", "The model stopped with an error.", { sent: "maybe" });
    const code = this.unknownReason;
    if (code !== undefined && !this.isDone) throw unreadable("The answer ended for an unknown reason.", { code });
    if (keys !== undefined && !this.isFinished) throw unreadable(`The answer broke off with: ${keys}.`);
  }

  /** The usage, if known, then the finish reason. */
  parts(fallback: FinishReason): readonly ContentPart[] {
    const finish: ContentPart = { type: "finish", reason: this.#reason ?? fallback };
    return this.usage ? [{ type: "usage", ...this.usage }, finish] : [finish];
  }
}

/**
 * Token counts under the field names of either API; `undefined` if there are none, or only zeros, which count nothing. new-api
 * sends both names, one of them with zeros (`Usage` in dto/openai_response.go).
 */
export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = largestCount(usage?.input_tokens, usage?.prompt_tokens);
  const outputTokens = largestCount(usage?.output_tokens, usage?.completion_tokens);
  if (inputTokens === undefined || outputTokens === undefined || inputTokens + outputTokens === 0) return undefined;
  const details = [usage?.input_tokens_details, usage?.prompt_tokens_details].map(asObject);
  const cached = largestCount(...details.map((found) => found?.cached_tokens));
  return {
    inputTokens,
    outputTokens,
    totalTokens: asCount(usage?.total_tokens) ?? inputTokens + outputTokens,
    ...(cached !== undefined && { cachedTokens: Math.min(cached, inputTokens) }),
  };
}

function largestCount(...values: readonly unknown[]): number | undefined {
  const counts = values.map(asCount).filter((count) => count !== undefined);
  return counts.length === 0 ? undefined : Math.max(...counts);
}
