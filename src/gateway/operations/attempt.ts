import { asText, type JsonObject } from "../../text/json.ts";
import { type Clean, cleaning } from "../../text/withoutKeys.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { type HttpAnswer, TransportError } from "../network/exchange.ts";
import { transportFailure } from "../network/transportErrors.ts";
import type { Limited } from "../policy/rateLimits.ts";
import { keyGroupOf, type KeyedOperation } from "../policy/rules.ts";
import { SilentEntry } from "../policy/silentEntry.ts";
import type { RequestTopic, WaitingEvent } from "../types.ts";
import { errorAnswer, withoutKey } from "../wire/errorAnswer.ts";
import { requestId } from "../wire/headers.ts";
import type { AttemptPlan } from "./runOperation.ts";
import type { SharedContext } from "./sharedContext.ts";

/** The request of an attempt, and its caller. */
export interface AttemptRequest {
  readonly operation: KeyedOperation;
  /** Path without `/v1`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly attempt: Pick<AttemptPlan, "entry" | "key" | "isFresh" | "hasHealthyBackup" | "standby">;
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
  readonly #clean: Clean;
  readonly #startedAt: number;
  readonly #deadEntry = new AbortController();
  readonly #silence: SilentEntry;
  #answer: HttpAnswer | undefined;
  #isSent = false;
  #isOver = false;

  constructor(context: SharedContext, request: AttemptRequest) {
    this.#context = context;
    this.#request = request;
    this.#clean = cleaning(request.attempt.key);
    this.#startedAt = context.clock.elapsed();
    const { entry, standby } = request.attempt;
    const { checks, clock, limits } = context;
    this.#silence = new SilentEntry({
      ...{ limits, checks, baseUrl: entry.baseUrl, elapsed: () => clock.elapsed() },
      isAlive: (signal) => context.isAlive(entry, limits.connectWithStandby, signal),
      canLeave: () => standby?.isReady() ?? false,
      onThinking: () => {
        request.observe({ type: "thinking", entry: entry.name });
      },
      onSilent: (meaning, canLeave) => {
        this.#giveUp(meaning, canLeave);
      },
    });
  }

  get requestId(): string | undefined {
    return this.#answer && requestId(this.#answer.headers, this.#clean);
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

  /** Reports that the first part of the answer has arrived. */
  begin(): void {
    this.#silence.begin();
  }

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
        this.#context.owner.onSend?.(this.topic);
      },
      limits: { ...limits, connect: attempt.hasHealthyBackup ? limits.connectWithStandby : limits.connect },
    });
    this.touch();
    breaker.recordLatency(attempt.entry.name, clock.elapsed() - this.#startedAt);
    if (this.#answer.status >= 200 && this.#answer.status < 300) return this.#answer;
    throw await errorAnswer(this.#answer, clock.now());
  }

  /** Ends the attempt as a success. */
  succeed(): void {
    this.#context.rateLimits.clear(this.#limited);
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
    const failure = withDetails(withoutKey(known, this.#clean), {
      entry: attempt.entry.name,
      group: keyGroupOf(operation),
      model: asText(body.model),
      status: error instanceof GatewayError ? error.status : undefined,
      requestId: this.requestId,
    });
    const { clock, rateLimits } = this.#context;
    rateLimits.note(this.#limited, attempt.key, clock.elapsed(), failure);
    this.#noteTokenLimit(failure);
    this.#end(failure.kind);
    return failure;
  }

  get #limited(): Limited {
    const { attempt, operation } = this.#request;
    return { operation, entry: attempt.entry.name, model: this.topic.model };
  }

  #noteTokenLimit({ kind, model, tokenLimit, limits }: GatewayError): void {
    if (kind !== "contextTooLong" || keyGroupOf(this.#request.operation) !== "codex") return;
    if (model === undefined || tokenLimit === undefined || limits === undefined) return;
    this.#context.owner.onTokenLimit?.({ model, tokenLimit, limits });
  }

  #end(failure: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    const { operation, attempt } = this.#request;
    this.#context.owner.onAttempt?.({
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
   * Gives up on an entry that is dead, without asking it again. One that may only be busy goes on while the other entry
   * is asked too. For a paid image, which may still arrive, leaves the decision to the user.
   */
  #giveUp(meaning: "dead" | "unknown", canLeave: boolean): void {
    const { attempt, observe, operation } = this.#request;
    const { entry, standby } = attempt;
    const failure = new GatewayError("unreachable", "The entry does not respond.", {
      entry: entry.name,
      sent: "maybe",
    });
    if (operation === "image") observe({ type: "unresponsive", entry: entry.name });
    if (operation === "image" || (meaning === "unknown" && !canLeave)) return;
    this.#context.network.drop(new URL(entry.baseUrl));
    if (meaning === "dead") this.#deadEntry.abort(failure);
    else standby?.takeOver(failure);
  }
}

/**
 * Replaces lone surrogates, as in a text cut inside an emoji. JSON with them is unpredictable for the receiver (RFC
 * 8259, 8.2).
 */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
