import { asCount, asObject, type JsonObject, keysOf } from "../../text/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import type { AnswerPart, FinishReason, Usage } from "../types.ts";
import { saysNothing, unnamedFailure } from "./errorAnswer.ts";
import { meaningOf } from "./finishReasons.ts";

/** The parts that readers produce; `start` comes from the operation. */
export type ContentPart = Exclude<AnswerPart, { readonly type: "start" }>;

/** The end of an answer, common to both APIs: how it ends, and whether it is whole. */
export class Ending {
  usage: Usage | undefined;
  /** Whether the answer has the form of the API, at least in part. */
  isKnown = false;
  #reason: FinishReason | undefined;
  /** A finish reason that means no end. */
  #flaw: { readonly kind: "failed" | "unknown"; readonly reason: string } | undefined;
  #strange: JsonObject | undefined;
  #hasContent = false;
  #wentOn = false;
  #mayGoOn = true;

  /** Whether the answer has a finish reason. */
  get isFinished(): boolean {
    return this.#reason !== undefined || this.#flaw !== undefined;
  }

  /** Whether the finish reason is reliable: gateways may send "stop" with every chunk to the body's end (su-kaka/gcli2api#403). */
  get isSure(): boolean {
    return this.isFinished && !this.#wentOn;
  }

  /** Factor for the wait after the finish reason: longer if content came with it or not yet, longest if content came after it. */
  get patience(): 1 | 10 | 60 {
    return this.#wentOn ? 60 : this.#mayGoOn ? 10 : 1;
  }

  /** Whether the answer says that it is truncated. */
  get isCut(): boolean {
    return this.#reason === "length" || this.#reason === "contentFilter";
  }

  /**
   * Records an object of another form. After content, it means that the answer broke off, unless a finish reason comes.
   * Throws `GatewayError` if it is an error.
   */
  noteStrange(json: JsonObject): void {
    const failure = this.isSure ? undefined : unnamedFailure(json);
    if (failure) throw failure;
    if (Object.keys(json).length > 0 && !saysNothing(json)) this.#strange ??= json;
  }

  /** Records content, and a finish reason in the gateway's words. One that means truncation is never overridden. */
  note(hasContent: boolean, reason?: string): void {
    if (hasContent) {
      this.#wentOn ||= this.isFinished;
      this.#strange = undefined;
      this.#hasContent = true;
    }
    this.#mayGoOn = hasContent || !this.#hasContent;
    if (reason === undefined || this.isCut) return;
    const meaning = meaningOf(reason);
    if (meaning === "failed") this.#flaw = { kind: meaning, reason };
    else if (meaning === undefined) this.#flaw ??= { kind: "unknown", reason };
    else {
      this.#reason = meaning;
      if (this.#flaw?.kind === "unknown") this.#flaw = undefined;
    }
  }

  /** Throws `GatewayError` if the answer is not whole, or has another form than that with the field `expected`. */
  check(expected: string): void {
    const strange = this.#strange && keysOf(this.#strange);
    if (!this.isKnown && strange !== undefined) throw unreadable(`The answer has no ${expected} but: ${strange}.`);
    if (this.#flaw?.kind === "failed") {
      throw new GatewayError("serverError", "The model stopped with an error.", { sent: "maybe" });
    }
    if (this.#flaw) {
      const code = this.#flaw.reason.slice(0, 100);
      throw unreadable("The answer ended for a reason that nobody knows.", { code });
    }
    if (strange !== undefined && !this.isFinished) throw unreadable(`The answer broke off with: ${strange}.`);
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
  const details = asObject(usage?.input_tokens_details) ?? asObject(usage?.prompt_tokens_details);
  const cached = asCount(details?.cached_tokens);
  return {
    inputTokens,
    outputTokens,
    totalTokens: asCount(usage?.total_tokens) ?? inputTokens + outputTokens,
    ...(cached !== undefined && { cachedTokens: Math.min(cached, inputTokens) }),
  };
}
