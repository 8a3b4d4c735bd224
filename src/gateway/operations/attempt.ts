import { asText, type JsonObject } from "../../text/json.ts";
import { type Clean, cleaning } from "../../text/withoutKeys.ts";
import type { Entry } from "../baseUrl.ts";
import { GatewayError, withDetails } from "../errors.ts";
import { type HttpAnswer, TransportError } from "../network/exchange.ts";
import { transportFailure } from "../network/transportErrors.ts";
import type { Limited } from "../policy/rateLimits.ts";
import { keyGroupOf } from "../policy/rules.ts";
import type { RequestTopic } from "../types.ts";
import { bodyText } from "../wire/bodyText.ts";
import { errorAnswer, withoutKey } from "../wire/errorAnswer.ts";
import { requestId } from "../wire/headers.ts";
import type { AttemptPlan, Standby } from "./runOperation.ts";
import { checksOf, type OperationContext, type SharedContext } from "./sharedContext.ts";

/** The request of an attempt, and its caller. */
export interface AttemptRequest extends Pick<OperationContext, "operation" | "feature" | "observe"> {
  /** Path without `/v1`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly attempt: Omit<AttemptPlan, "isWhole" | "earlier" | "win">;
}

/**
 * One POST to one entry, from sending to the end of the answer. Adds entry, status and request id to its errors,
 * reports itself once, and watches for silence.
 */
export class Attempt {
  readonly #context: SharedContext;
  readonly #request: AttemptRequest;
  /** What the request is about, for reports. */
  readonly topic: RequestTopic;
  readonly #limited: Limited;
  /** Removes the request's key from untrusted text. */
  readonly #clean: Clean;
  readonly #startedAt: number;
  readonly #deadEntry = new AbortController();
  readonly #silence: SilentEntry;
  #answer: HttpAnswer | undefined;
  #unknownReason: string | undefined;
  #isSent = false;
  #isOver = false;

  constructor(context: SharedContext, request: AttemptRequest) {
    this.#context = context;
    this.#request = request;
    const { operation, feature, body } = request;
    const { entry, key } = request.attempt;
    this.topic = { entry: entry.name, model: asText(body.model) ?? "", feature };
    this.#limited = { operation, ...this.topic };
    this.#clean = cleaning(key);
    this.#startedAt = context.clock.elapsed();
    this.#silence = new SilentEntry(context, request.attempt, this.#heed);
  }

  get requestId(): string | undefined {
    return this.#answer && requestId(this.#answer.headers, this.#clean);
  }

  /** Reports that data has arrived. */
  readonly touch = (): void => {
    this.#silence.touch();
  };

  /** Records a finish reason that nobody knows, for the report. */
  readonly noteReason = (reason: string): void => {
    this.#unknownReason = this.#clean(reason);
  };

  /** Reports that the first part of the answer has arrived. */
  begin(): void {
    this.#silence.begin();
  }

  /** Sends the request and returns an answer with status 2xx. Throws `GatewayError`, or the signal's reason. */
  async send(): Promise<HttpAnswer> {
    const { attempt, body, path } = this.#request;
    const { breaker, clock, limits, network } = this.#context;
    const request = {
      method: "POST",
      url: new URL(`${attempt.entry.baseUrl}/v1${path}`),
      headers: { authorization: `Bearer ${attempt.key}`, "content-type": "application/json" },
      body: await bodyText(body),
    } as const;
    this.#answer = await network.send(request, {
      signal: AbortSignal.any([attempt.signal, this.#deadEntry.signal]),
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
    const { attempt, operation } = this.#request;
    const { key, signal } = attempt;
    const isOurs = error instanceof TransportError || error instanceof GatewayError;
    if (signal.aborted || !isOurs) {
      this.#end("cancelled");
      return signal.aborted ? signal.reason : error;
    }
    const known = error instanceof TransportError ? transportFailure(error) : error;
    const failure = withDetails(withoutKey(known, this.#clean), {
      entry: attempt.entry.name,
      group: keyGroupOf(operation),
      model: this.topic.model,
      status: error instanceof GatewayError ? error.status : undefined,
      requestId: this.requestId,
    });
    const { clock, rateLimits } = this.#context;
    rateLimits.note(this.#limited, key, clock.elapsed(), failure);
    this.#noteTokenLimit(failure);
    this.#end(failure.kind);
    return failure;
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
      unknownReason: this.#unknownReason,
      topic: this.topic,
      isSent: this.#isSent,
    });
  }

  /**
   * Gives up on an entry that is dead, without asking it again. One that may only be busy goes on while the other entry
   * is asked too. For a paid image, which may still arrive, leaves the decision to the user.
   */
  readonly #heed: OnSilence = (meaning, canLeave) => {
    const { attempt, observe, operation } = this.#request;
    const { entry, standby } = attempt;
    if (meaning === "thinking") observe({ type: "thinking", entry: entry.name });
    else if (operation === "image") observe({ type: "unresponsive", entry: entry.name });
    if (meaning === "thinking" || operation === "image" || (meaning === "unknown" && !canLeave)) return;
    const details = { entry: entry.name, sent: "maybe" } as const;
    const failure = new GatewayError("unreachable", "The entry does not respond.", details);
    this.#context.network.drop(new URL(entry.baseUrl));
    if (meaning === "dead") this.#deadEntry.abort(failure);
    else standby?.takeOver(failure);
  };
}

/**
 * Called after a check of a silent entry. `thinking`: the entry is alive, so the model is still thinking. `dead`, `unknown`:
 * two checks in a row have failed. `canLeave`: another entry could answer instead.
 */
type OnSilence = (meaning: "thinking" | "dead" | "unknown", canLeave: boolean) => void;

/** Checks in a row that fail before anything follows from it. A single packet may get lost. */
const failuresThatCount = 2;

/** For how long an entry is remembered that answers although its checks fail, in milliseconds. */
const ignoredFor = 600_000;

/**
 * Watches an entry from a request to the end of its answer, and checks it whenever it is silent. It may ignore checks, or
 * serve one connection at a time: only where one was ever taken beside an answer does silence mean that it is dead.
 */
class SilentEntry {
  readonly #context: SharedContext;
  readonly #entry: Entry;
  /** The subject of what is known about checks. */
  readonly #checks: string;
  readonly #standby: Standby | undefined;
  readonly #onSilence: OnSilence;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout;
  #failures = 0;
  /** Counts what arrives, so that a check that was overtaken by data counts for nothing. */
  #arrivals = 0;
  #hasBegun = false;

  constructor(context: SharedContext, { entry, standby }: AttemptRequest["attempt"], onSilence: OnSilence) {
    this.#context = context;
    this.#entry = entry;
    this.#checks = checksOf(entry);
    this.#standby = standby;
    this.#onSilence = onSilence;
    this.#timer = this.#started();
  }

  /** Data has arrived. */
  touch(): void {
    if (this.#end.signal.aborted) return;
    this.#arrivals += 1;
    if (this.#failures === 0) {
      this.#timer.refresh();
      return;
    }
    const { memory } = this.#context;
    const isIgnored = this.#failures >= failuresThatCount && !memory.known(this.#checks).has("taken");
    if (isIgnored) memory.learn(this.#checks, ["ignored"], ignoredFor);
    this.#restart(0);
  }

  /** The first part of the answer has arrived, so that no other entry can be asked any more. */
  begin(): void {
    this.#hasBegun = true;
    if (!this.#end.signal.aborted) this.#restart(0);
  }

  stop(): void {
    this.#end.abort();
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const arrivals = this.#arrivals;
    const { limits, memory } = this.#context;
    const lives = await this.#context.isAlive(this.#entry, limits.connectWithStandby, this.#end.signal);
    if (this.#end.signal.aborted || arrivals !== this.#arrivals) return;
    this.#restart(lives ? 0 : this.#failures + 1);
    if (lives) {
      memory.forget(this.#checks);
      memory.learn(this.#checks, ["taken"]);
      this.#onSilence("thinking", this.#canLeave);
    }
    const known = memory.known(this.#checks);
    if (this.#failures >= failuresThatCount && !known.has("ignored"))
      this.#onSilence(known.has("taken") ? "dead" : "unknown", this.#canLeave);
  }

  get #canLeave(): boolean {
    return !this.#hasBegun && (this.#standby?.isReady() ?? false);
  }

  #restart(failures: number): void {
    this.#failures = failures;
    clearTimeout(this.#timer);
    this.#timer = this.#started();
  }

  #started(): NodeJS.Timeout {
    const { silence, silenceWithStandby, silenceAfterCheck } = this.#context.limits;
    const usual = this.#canLeave ? Math.min(silence, silenceWithStandby) : silence;
    const limit = this.#failures === 1 ? Math.min(usual, silenceAfterCheck) : usual;
    return setTimeout(() => void this.#check(), limit);
  }
}
