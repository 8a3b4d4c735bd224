import { once } from "node:events";
import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import type { Clock } from "../gateway/policy/clock.ts";
import { isActionable } from "../gateway/policy/rules.ts";
import { hasMask } from "../text/secrets/placeholders.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import { type CursorContext, readContext } from "./cleaning/context.ts";
import { type CompletionCache, restOf, stillFits, type Suggestion } from "./completionCache.ts";
import type { CompletionOutcome, Governor } from "./governor.ts";
import { type CompletionKind, completionKind } from "./completionKind.ts";
import { maxAnswerLength, trimToKind, finishedPart } from "./finishedPart.ts";

/** A request for a completion. */
export interface RequestedCompletion {
  /** The previous suggestion, which the user dismissed. */
  readonly dismissed?: string | undefined;
  readonly context: CursorContext;
  readonly kind: Exclude<CompletionKind, "none">;
}

/** How a request ended. */
export interface RequestEnd {
  readonly outcome: CompletionOutcome;
  /** The time to the first text, in milliseconds. */
  readonly latency?: number | undefined;
  /** How long the gateway asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  readonly error?: GatewayError;
}

export interface CompletionSessionOptions {
  readonly governor: Governor;
  readonly cache: CompletionCache;
  readonly clock: Clock;
  /** Streams the model's answer. Leaving the loop over it, or aborting the signal, ends the request at the socket. */
  readonly ask: (question: RequestedCompletion, signal: AbortSignal) => AsyncIterable<string>;
  /** Called when a request has ended. */
  readonly onEnd?: (end: RequestEnd) => void;
}

/** What a suggestion may be requested for: while the user types, after a pause; with a key, at once; or nothing. */
export type RequestTrigger = "automatic" | "onDemand" | "none";

/** How long a suggestion has to be visible to be read, in milliseconds. */
export const timeToRead = 750;

/** How long a request without a caller continues, in milliseconds: VS Code calls again for the next key. */
const linger = 500;

/** Longest part of a line that is read, in characters. */
const maxLine = 1_000;

/**
 * Suggests code while the user types: from the cache, from a pending request whose answer still fits, or from a new request
 * after a pause. Independent of VS Code.
 */
export class CompletionSession {
  readonly #options: CompletionSessionOptions;
  #request: RunningRequest | undefined;
  #shown: (Suggestion & { readonly since: number }) | undefined;
  /** The last suggestion. */
  #last: (Suggestion & { readonly isOnDemand: boolean }) | undefined;
  /** The code before the cursor right after the last accepted suggestion. */
  #accepted: string | undefined;

  constructor(options: CompletionSessionOptions) {
    this.#options = options;
  }

  /**
   * The text to insert; `undefined` for nothing. Call it for each key, and abort `signal` at the next one: a request that
   * still fits continues. On demand, there is neither a pause nor an hourly limit, and requests are also sent at the end of a
   * finished line, after an empty answer, and after a dismissed suggestion.
   */
  async suggest(
    context: CursorContext,
    signal: AbortSignal,
    trigger: RequestTrigger = "automatic",
  ): Promise<string | undefined> {
    this.moved(context);
    const { cache } = this.#options;
    await this.#request?.wait(signal);
    if (signal.aborted) return undefined;
    const isOnDemand = trigger === "onDemand";
    const known = cache.find(context);
    // While a suggestion that came on demand is visible, VS Code does not call again. So this one was dismissed. One that
    // came while typing may be visible: VS Code calls on demand when the mouse is over it (VS Code 1.139).
    const isDismissed = isOnDemand && known !== undefined && known === this.#lastOnDemandAt(context);
    if (known !== undefined && !isDismissed && !(isOnDemand && known === ""))
      return this.#show(known, context, signal, isOnDemand);
    const isAfterAccepted = context.prefix.trimEnd() === this.#accepted;
    const kind = completionKind(context, isAfterAccepted);
    if (trigger === "none" || kind === "none" || this.#isDenied(isOnDemand)) return undefined;
    if (!isOnDemand && (isFinished(context, isAfterAccepted) || !(await this.#pause(context, signal))))
      return undefined;
    await this.#start({ context, kind, dismissed: isDismissed ? known : undefined }).wait(signal);
    return this.#show(cache.find(context) ?? "", context, signal, isOnDemand);
  }

  /** Notes where the cursor is; `undefined` when the editor loses focus. Aborts a request that no longer fits. */
  moved(context: CursorContext | undefined): void {
    if (this.#request && !(context && this.#request.fits(context))) {
      this.#request.abort();
      this.#request = undefined;
    }
    const shown = this.#shown;
    if (!shown || (context && restOf(shown, context) !== undefined)) return;
    this.#shown = undefined;
    const isTyped = context?.prefix === shown.context.prefix + shown.text;
    if (isTyped || this.#options.clock.elapsed() - shown.since >= timeToRead) this.#options.governor.shown(isTyped);
  }

  /** Notes that the user accepted the last suggestion. */
  accepted(): void {
    if (!this.#last) return;
    this.#accepted = (this.#last.context.prefix + this.#last.text).trimEnd();
    if (this.#shown) this.#options.governor.shown(true);
    this.#shown = undefined;
    this.#last = undefined;
  }

  /** Aborts the pending request. */
  dispose(): void {
    this.moved(undefined);
  }

  #show(text: string, context: CursorContext, signal: AbortSignal, isOnDemand: boolean): string | undefined {
    if (text === "" || signal.aborted) return undefined;
    this.#last = { text, context, isOnDemand };
    // The rest of a visible suggestion is not a new one.
    this.#shown ??= { text, context, since: this.#options.clock.elapsed() };
    return text;
  }

  /** The last suggestion, if it came on demand and was for this context. */
  #lastOnDemandAt({ prefix, suffix }: CursorContext): string | undefined {
    const { context, text, isOnDemand } = this.#last ?? {};
    return isOnDemand && context?.prefix === prefix && context.suffix === suffix ? text : undefined;
  }

  #isDenied(isOnDemand: boolean): boolean {
    const { denial } = this.#options.governor;
    return denial !== undefined && !(isOnDemand && denial === "hour");
  }

  /** Waits for the next key. Resolves to whether a request may be sent, as there was none. */
  async #pause(context: CursorContext, signal: AbortSignal): Promise<boolean> {
    const { clock, governor } = this.#options;
    await clock.sleep(governor.pause(isInWord(context)), signal).catch(() => undefined);
    return !signal.aborted && !this.#isDenied(false);
  }

  #start(question: RequestedCompletion): RunningRequest {
    this.#request?.abort();
    this.#options.governor.start();
    this.#request = new RunningRequest(question, this.#options, this.#end);
    return this.#request;
  }

  readonly #end = (request: RunningRequest, end: RequestEnd): void => {
    const { outcome, latency, retryAfter } = end;
    const { governor } = this.#options;
    if (this.#request === request) this.#request = undefined;
    governor.end(outcome, latency, retryAfter);
    const { text, question, isWaitedFor } = request;
    const isUsed = isWaitedFor && text !== "";
    // An empty answer says nothing about the pause.
    if (outcome === "aborted" || (outcome === "answered" && (isUsed || !isWaitedFor))) governor.used(isUsed);
    if (outcome === "answered") this.#options.cache.add({ text, context: question.context });
    this.#options.onEnd?.(end);
  };
}

/** A pending request, which several calls can wait for. */
class RunningRequest {
  readonly question: RequestedCompletion;
  /** Where the completion begins: the next line begins below the line of the cursor. */
  readonly #start: CursorContext;
  /** The line break before the next line. */
  readonly #break: string;
  readonly #options: CompletionSessionOptions;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #arrived = "";
  #waiting = 0;

  /** `onEnd` is called before the calls that wait continue. */
  constructor(
    question: RequestedCompletion,
    options: CompletionSessionOptions,
    onEnd: (request: RunningRequest, end: RequestEnd) => void,
  ) {
    this.question = question;
    const { context, kind } = question;
    this.#break =
      kind === "line" && /\S[ \t]*$/.test(context.prefix.slice(-maxLine)) ? readContext(context).lineEnding : "";
    this.#start = this.#break === "" ? context : { ...context, prefix: context.prefix + this.#break };
    this.#options = options;
    this.#ended = this.#run().then((end) => {
      onEnd(this, end);
    });
  }

  /** The text to insert, as far as it has arrived; empty for nothing. */
  get text(): string {
    // Code with a placeholder of a secret is not inserted.
    if (hasMask(this.#arrived)) return "";
    const text = trimToKind(cleanCompletion(this.#arrived, this.#start), this.question.kind);
    return text === "" ? "" : this.#break + text;
  }

  /** Whether the answer can still be used at the cursor. */
  fits(now: CursorContext): boolean {
    return now === this.question.context || stillFits(this.text, this.question.context, now);
  }

  /** Whether a call still waits for the answer. */
  get isWaitedFor(): boolean {
    return this.#waiting > 0;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Resolves when the request has ended or `signal` is aborted. A request without a caller is soon aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      if (!signal.aborted) await Promise.race([this.#ended, once(signal, "abort")]);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) void this.#abortUnlessJoined();
    }
  }

  async #abortUnlessJoined(): Promise<void> {
    await this.#options.clock.sleep(linger, this.#abort.signal).catch(() => undefined);
    if (this.#waiting === 0) this.abort();
  }

  async #run(): Promise<RequestEnd> {
    const { clock, ask } = this.#options;
    const { signal } = this.#abort;
    const start = clock.elapsed();
    let latency: number | undefined;
    try {
      for await (const piece of ask(this.question, signal)) {
        latency ??= clock.elapsed() - start;
        this.#arrived += piece;
        if (!piece.includes("\n") && this.#arrived.length <= maxAnswerLength) continue;
        const part = finishedPart(this.#arrived, this.#start, this.question.kind);
        if (part === undefined) continue;
        this.#arrived = part;
        break;
      }
      return { outcome: signal.aborted ? "aborted" : "answered", latency };
    } catch (error) {
      return signal.aborted ? { outcome: "aborted" } : endOf(error);
    } finally {
      this.#abort.abort();
    }
  }
}

function endOf(error: unknown): RequestEnd {
  if (!(error instanceof GatewayError)) return { outcome: "failed" };
  return { outcome: outcomeOf(error.kind), retryAfter: error.retryAfter, error };
}

/** What a failure means for the next requests. */
function outcomeOf(kind: GatewayErrorKind): CompletionOutcome {
  // The prompt asks for an empty answer where nothing fits.
  if (kind === "empty") return "answered";
  if (kind === "rateLimited" || kind === "overloaded") return "limited";
  // The next request may be shorter or about something else, or find a proxy that lets it through.
  const mayPass = kind === "contextTooLong" || kind === "filtered" || kind === "proxyRefused";
  return isActionable(kind) && !mayPass ? "refused" : "failed";
}

/**
 * Whether the line is complete: it ends with a semicolon or comma, has only closing brackets, or has closing characters after
 * an accepted suggestion that opens no block.
 */
function isFinished({ prefix, suffix }: CursorContext, isAfterAccepted: boolean): boolean {
  const line = prefix.slice(prefix.lastIndexOf("\n") + 1).slice(-maxLine);
  if (isAfterAccepted && /^[ \t]*\S/.test(suffix) && !/[([{]\s*$/.test(prefix.slice(-maxLine))) return true;
  return /(?:;\s*|,)$/.test(line) || /^\s*[)\]}]+[;,]?\s*$/.test(line);
}

function isInWord({ prefix }: CursorContext): boolean {
  return /[\p{L}\p{N}_$]$/u.test(prefix.slice(-2));
}
