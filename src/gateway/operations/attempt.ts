import { asText, type JsonObject } from "../../text/json.ts";
import { type Clean, cleaning } from "../../text/withoutKeys.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { type HttpAnswer, TransportError } from "../network/exchange.ts";
import { transportFailure } from "../network/transportErrors.ts";
import { keyGroupOf, type KeyedOperation } from "../policy/rules.ts";
import type { RequestTopic, WaitingEvent } from "../types.ts";
import { errorAnswer } from "../wire/errorAnswer.ts";
import { withoutKey } from "../wire/errorWithoutKey.ts";
import { requestId } from "../wire/headers.ts";
import type { AttemptPlan } from "./runOperation.ts";
import type { SharedContext } from "./sharedContext.ts";
import { watchSilence } from "./silence.ts";

/** The request of an attempt, and its caller. */
export interface AttemptRequest {
  readonly operation: KeyedOperation;
  /** Path without `/v1`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly attempt: Pick<AttemptPlan, "entry" | "key" | "isFresh" | "hasHealthyBackup">;
  /** What the request is for, for reports. */
  readonly feature: string | undefined;
  readonly signal: AbortSignal;
  readonly observe: (event: WaitingEvent) => void;
}

/**
 * One POST to one entry, from sending to the end of the answer. Adds entry, status and request id to its errors,
 * reports itself once, and watches for silence.
 */
export class Attempt {
  readonly #context: SharedContext;
  readonly #request: AttemptRequest;
  /** Removes the request's key from untrusted text. */
  readonly clean: Clean;
  readonly #startedAt: number;
  readonly #deadEntry = new AbortController();
  readonly #silence: ReturnType<typeof watchSilence>;
  #answer: HttpAnswer | undefined;
  #isSent = false;
  #isOver = false;

  constructor(context: SharedContext, request: AttemptRequest) {
    this.#context = context;
    this.#request = request;
    this.clean = cleaning(request.attempt.key);
    this.#startedAt = context.clock.elapsed();
    const { entry } = request.attempt;
    this.#silence = watchSilence({
      limit: context.limits.silence,
      isAlive: (signal) => context.isAlive(entry, signal),
      mayBeDead: () => context.lively.has(entry.baseUrl),
      onThinking: () => {
        context.lively.add(entry.baseUrl);
        request.observe({ type: "thinking", entry: entry.name });
      },
      onDead: () => {
        this.#giveUp();
      },
    });
  }

  get requestId(): string | undefined {
    return this.#answer && requestId(this.#answer.headers, this.clean);
  }

  /** What the request is about, for reports. */
  get topic(): RequestTopic {
    const { attempt, body, feature } = this.#request;
    return { entry: attempt.entry.name, model: asText(body.model) ?? "", feature };
  }

  /** Reports that data has arrived. */
  readonly touch = (): void => {
    this.#silence.touch();
  };

  /** Sends the request and returns an answer with status 2xx. Throws `GatewayError`, or the signal's reason. */
  async send(): Promise<HttpAnswer> {
    const { attempt, body, path, signal } = this.#request;
    const { breaker, clock, limits, network } = this.#context;
    const request = {
      method: "POST",
      url: new URL(`${attempt.entry.baseUrl}/v1${path}`),
      headers: { authorization: `Bearer ${attempt.key}`, "content-type": "application/json" },
      body: JSON.stringify(body, wellFormed),
    } as const;
    this.#answer = await network.send(request, {
      signal: AbortSignal.any([signal, this.#deadEntry.signal]),
      isFresh: attempt.isFresh,
      hasHealthyBackup: attempt.hasHealthyBackup,
      onSend: () => {
        this.#isSent = true;
        this.#context.onSend(this.topic);
      },
      limits: { ...limits, connect: attempt.hasHealthyBackup ? limits.connectWithStandby : limits.connect },
    });
    this.touch();
    breaker.recordLatency(attempt.entry.name, clock.elapsed() - this.#startedAt);
    if (this.#answer.status >= 200 && this.#answer.status < 300) return this.#answer;
    throw await errorAnswer(this.#answer, clock.now(), this.clean);
  }

  /** Ends the attempt as a success. */
  succeed(): void {
    const { attempt, operation } = this.#request;
    this.#context.rateLimits.clear({ operation, entry: attempt.entry.name });
    this.#end(undefined);
  }

  /** Ends the attempt as a failure, and returns the error to throw, with the known details added. */
  fail(error: unknown): unknown {
    const { attempt, body, operation, signal } = this.#request;
    const isOurs = error instanceof TransportError || error instanceof GatewayError;
    if (signal.aborted || !isOurs) {
      this.#end("cancelled");
      return signal.aborted ? signal.reason : error;
    }
    const known = error instanceof TransportError ? transportFailure(error) : error;
    const failure = withDetails(withoutKey(known, this.clean), {
      entry: attempt.entry.name,
      group: keyGroupOf(operation),
      model: asText(body.model),
      status: error instanceof GatewayError ? error.status : undefined,
      requestId: this.requestId,
    });
    this.#noteLimit(failure);
    this.#noteTokenLimit(failure);
    this.#end(failure.kind);
    return failure;
  }

  #noteLimit({ kind, retryAfter }: GatewayError): void {
    if (kind !== "rateLimited" || retryAfter === undefined) return;
    const { clock, rateLimits } = this.#context;
    const { attempt, operation } = this.#request;
    rateLimits.note({ operation, entry: attempt.entry.name }, clock.elapsed(), retryAfter);
  }

  #noteTokenLimit({ kind, model, tokenLimit, limits }: GatewayError): void {
    if (kind !== "contextTooLong" || keyGroupOf(this.#request.operation) !== "codex") return;
    if (model === undefined || tokenLimit === undefined || limits === undefined) return;
    this.#context.onTokenLimit({ model, tokenLimit, limits });
  }

  #end(failure: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    const { operation, attempt } = this.#request;
    this.#context.onAttempt({
      operation,
      entry: attempt.entry.name,
      status: this.#answer?.status,
      requestId: this.requestId,
      duration: Math.round(this.#context.clock.elapsed() - this.#startedAt),
      failure,
      topic: this.topic,
      isSent: this.#isSent,
    });
  }

  /**
   * Gives up on an entry that seems dead, without asking it again. For a paid image, which may still arrive, leaves the
   * decision to the user.
   */
  #giveUp(): void {
    const { attempt, observe, operation } = this.#request;
    if (operation === "image") observe({ type: "unresponsive", entry: attempt.entry.name });
    else this.#deadEntry.abort(new GatewayError("unreachable", "The entry answers no more.", { sent: "maybe" }));
  }
}

/**
 * Replaces lone surrogates, as in a text cut inside an emoji. JSON with them is unpredictable for the receiver (RFC
 * 8259, 8.2).
 */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
