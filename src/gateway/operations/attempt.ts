import { asText, type JsonObject } from "../../base/json.ts";
import { type Clean, cleaning } from "../../base/withoutKeys.ts";
import { LinkedController } from "../abort.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { type HttpAnswer, TransportError } from "../network/exchange.ts";
import { isNameNotResolved, transportFailure } from "../network/transportErrors.ts";
import type { Outcome } from "../policy/breaker.ts";
import { keyGroupOf, rules } from "../policy/rules.ts";
import type { RequestTopic } from "../types.ts";
import { bodyText } from "../wire/bodyText.ts";
import { errorAnswer, withoutKey } from "../wire/errorAnswer.ts";
import { requestId } from "../wire/headers.ts";
import type { Target } from "./failover.ts";
import type { OperationContext, SharedContext } from "./sharedContext.ts";
import { checksOf, type OnSilence, SilenceWatch } from "./silenceWatch.ts";

/** The request of an attempt, and its caller. */
export interface AttemptRequest extends Pick<OperationContext, "operation" | "feature" | "observe"> {
  /** Path without `/v1`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly key: string;
  /** Whether the entry may lack this API, so that an error of the server says nothing about its health. */
  readonly isGuess?: boolean;
  readonly target: Pick<Target, "entry" | "isFresh" | "signal" | "isOtherReady" | "hedge">;
}

/**
 * One POST to one entry, from sending to the end of the answer. Adds entry, status and request id to its errors,
 * reports itself once, to the breaker too, and watches for silence.
 */
export class Attempt {
  readonly #context: SharedContext;
  readonly #request: AttemptRequest;
  /** What the request is about, for reports. */
  readonly topic: RequestTopic;
  /** Removes the request's key from untrusted text. */
  readonly #clean: Clean;
  readonly #startedAt: number;
  readonly #deadEntry: AbortController;
  readonly #silence: SilenceWatch;
  #answer: HttpAnswer | undefined;
  #isSent = false;
  #isOver = false;

  constructor(context: SharedContext, request: AttemptRequest) {
    this.#context = context;
    this.#request = request;
    const { operation, feature, body, key, target } = request;
    const { entry } = target;
    this.topic = { entry: entry.name, model: asText(body.model) ?? "", feature };
    this.#clean = cleaning(key);
    this.#startedAt = context.clock.elapsed();
    this.#deadEntry = new LinkedController(target.signal);
    const mayHedge = (): boolean => operation !== "image" && target.isOtherReady();
    this.#silence = new SilenceWatch(context, entry, mayHedge, this.#onSilence);
  }

  get requestId(): string | undefined {
    return this.#answer && requestId(this.#answer.headers, this.#clean);
  }

  readonly touch = (): void => {
    this.#silence.touch();
  };

  begin(): void {
    this.#silence.begin();
  }

  /** Sends the request and returns an answer with status 2xx. Throws `GatewayError`, or the signal's reason. */
  async send(): Promise<HttpAnswer> {
    const { key, target, body, path } = this.#request;
    const { breaker, clock, limits, network } = this.#context;
    const request = {
      method: "POST",
      url: new URL(`${target.entry.baseUrl}/v1${path}`),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: await bodyText(body),
    } as const;
    this.#answer = await network.send(request, {
      signal: this.#deadEntry.signal,
      isFresh: target.isFresh,
      onSend: () => {
        this.#isSent = true;
        this.#context.host.onEvent?.({ type: "send", topic: this.topic });
      },
      limits: { ...limits, connect: target.isOtherReady() ? limits.connectWithStandby : limits.connect },
    });
    this.touch();
    breaker.connected(target.entry.name, clock.elapsed() - this.#startedAt);
    if (this.#answer.status >= 200 && this.#answer.status < 300) return this.#answer;
    throw await errorAnswer(this.#answer, clock.now(), request.url);
  }

  /** Ends the attempt as a success. `unknownReason`: the finish reason of the answer, if it is unknown. */
  succeed(unknownReason?: string): void {
    if (this.#isOver) return;
    this.#context.rateLimits.clear({ operation: this.#request.operation, ...this.topic });
    this.#record("whole");
    this.#end(undefined, unknownReason && this.#clean(unknownReason));
  }

  /** Ends the attempt as a failure, and returns the error to throw, with the known details added. */
  fail(error: unknown): unknown {
    const { key, operation, target } = this.#request;
    const { entry, isFresh, signal } = target;
    const isFailure = error instanceof TransportError || error instanceof GatewayError;
    if (signal.aborted || !isFailure) {
      this.#end("cancelled");
      return signal.aborted ? signal.reason : error;
    }
    const known = error instanceof TransportError ? transportFailure(error) : error;
    const failure = withDetails(withoutKey(known, this.#clean), {
      entry: entry.name,
      group: keyGroupOf(operation),
      model: this.topic.model,
      status: error instanceof GatewayError ? error.status : undefined,
      requestId: this.requestId,
    });
    const { clock, rateLimits } = this.#context;
    rateLimits.record({ operation, ...this.topic }, key, clock.elapsed(), failure);
    this.#reportTokenLimit(failure);
    // A name that cannot be resolved counts only if the other entry's can: see `recordUnresolvedNames`.
    if (!this.#isOver && !isNameNotResolved(failure))
      this.#record(outcomeOf(failure, isFresh || this.#answer !== undefined));
    this.#end(failure.kind);
    return failure;
  }

  #reportTokenLimit({ kind, model, tokenLimit, limits }: GatewayError): void {
    if (kind !== "contextTooLong" || keyGroupOf(this.#request.operation) !== "codex") return;
    if (model === undefined || tokenLimit === undefined || limits === undefined) return;
    this.#context.host.onEvent?.({ type: "tokenLimit", model, tokenLimit, limits });
  }

  #record(outcome: Outcome): void {
    const { breaker, memory } = this.#context;
    const { entry } = this.#request.target;
    const isUnclear = this.#request.isGuess === true && outcome === "serverFault";
    breaker.record(entry.name, this.topic.model, isUnclear ? "answered" : outcome);
    // From now on, a failed check may mean that it is dead.
    if (outcome === "connectionFault") memory.forget(checksOf(entry), "ignored");
  }

  #end(failure: string | undefined, unknownReason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    const { operation, target } = this.#request;
    this.#context.host.onEvent?.({
      type: "attempt",
      operation,
      entry: target.entry.name,
      status: this.#answer?.status,
      requestId: this.requestId,
      duration: Math.round(this.#context.clock.elapsed() - this.#startedAt),
      failure,
      unknownReason,
      topic: this.topic,
      isSent: this.#isSent,
    });
  }

  /**
   * Gives up on a dead entry if another one can answer. The request to an entry that may only be busy continues beside a
   * hedge. Otherwise, as for a paid image, the user decides: a gateway that restarts lets running requests end.
   */
  readonly #onSilence: OnSilence = (meaning, canLeave) => {
    const { observe, operation, target } = this.#request;
    const { entry } = target;
    if (meaning === "thinking" || operation === "image") {
      observe({ type: meaning === "thinking" ? "thinking" : "unresponsive", entry: entry.name });
      return;
    }
    if (meaning === "unknown" && !canLeave) return;
    const details = { entry: entry.name, sent: "maybe" } as const;
    const failure = new GatewayError("unreachable", "The entry does not respond.", details);
    this.#context.network.drop(new URL(entry.baseUrl));
    if (meaning === "dead" && canLeave) {
      this.#deadEntry.abort(failure);
      return;
    }
    this.#record("connectionFault");
    if (canLeave) target.hedge(failure);
    else observe({ type: "unresponsive", entry: entry.name });
  };
}

/** What a failure means for its entry. An idle connection that is lost before an answer proves nothing. */
function outcomeOf({ kind, cause }: GatewayError, isNew: boolean): Outcome {
  if (kind !== "connectionLost") return rules.chat[kind].outcome;
  // The body ended cleanly but too early, so the connection works.
  if (!(cause instanceof TransportError)) return "serverFault";
  return isNew ? "connectionFault" : "nothing";
}
