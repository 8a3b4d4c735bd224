import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import type { Clock } from "../gateway/policy/clock.ts";
import { isActionable } from "../gateway/policy/rules.ts";
import { hasMask } from "../text/secrets/maskSecrets.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import type { CursorContext } from "./cleaning/place.ts";
import { type CompletionCache, restOf, stillFits, type Suggestion } from "./completionCache.ts";
import type { CompletionOutcome, Governor } from "./governor.ts";
import { type PlaceKind, placeKind } from "./placeKind.ts";
import { longestAnswer, trimToKind, wholePart } from "./wholePart.ts";

/** What is asked for. */
export interface CompletionQuestion {
  /** What was suggested here before, where the user asks for something else. */
  readonly dismissed?: string | undefined;
  readonly place: CursorContext;
  readonly kind: Exclude<PlaceKind, "none">;
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
  readonly ask: (question: CompletionQuestion, signal: AbortSignal) => AsyncIterable<string>;
  /** Hears how each request ended: the place to tell the user about it. */
  readonly onEnd?: (end: RequestEnd) => void;
  /** Whether an input method is composing text, beside which VS Code 1.139 shows no suggestion; never, by default. */
  readonly isComposing?: () => boolean;
}

/** How long a suggestion has to stand to be read, in milliseconds. */
export const timeToRead = 750;

/** How long a request goes on when nobody waits for it: until VS Code has asked again for the next key. */
const linger = 500;

/** How much of a line is looked at, in characters. */
const longestLine = 1_000;

/**
 * Decides what is suggested while someone types: text typed as suggested and what is cached first, then a request under
 * way whose answer still fits, then a new one after a pause. Knows nothing of VS Code.
 */
export class CompletionSession {
  readonly #options: CompletionSessionOptions;
  #request: CompletionRequest | undefined;
  #shown: (Suggestion & { readonly since: number }) | undefined;
  /** What was suggested last. */
  #last: Suggestion | undefined;
  /** The code before the cursor right after the last accepted suggestion. */
  #accepted: string | undefined;

  constructor(options: CompletionSessionOptions) {
    this.#options = options;
  }

  /**
   * What to insert at a place; `undefined` for nothing. Call it for each key, and abort `signal` at the next one: a
   * request that still fits then goes on. On demand, there is no pause, the limit for an hour is not kept, and requests are
   * made also at the end of a finished line, where the model had nothing to say, and where its suggestion was dismissed.
   */
  async suggest(place: CursorContext, signal: AbortSignal, isOnDemand = false): Promise<string | undefined> {
    this.moved(place);
    const { cache } = this.#options;
    await this.#request?.wait(signal);
    if (signal.aborted) return undefined;
    const known = cache.find(place);
    // VS Code asks on demand where a suggestion stands only after it was dismissed.
    const isDismissed = isOnDemand && known !== undefined && known === this.#lastAt(place);
    if (known !== undefined && !isDismissed && !(isOnDemand && known === "")) return this.#show(known, place, signal);
    const kind = placeKind(place, place.prefix.trimEnd() === this.#accepted);
    if (kind === "none" || this.#isSilent(isOnDemand)) return undefined;
    if (!isOnDemand && (isFinished(place) || this.#options.isComposing?.() === true)) return undefined;
    if (!isOnDemand && !(await this.#pause(place, signal))) return undefined;
    await this.#start({ place, kind, dismissed: isDismissed ? known : undefined }).wait(signal);
    return this.#show(cache.find(place) ?? "", place, signal);
  }

  /** Says where the cursor is now; nowhere when the editor is left. Aborts a request that no longer fits. */
  moved(place: CursorContext | undefined): void {
    if (this.#request && !(place && this.#request.fits(place))) {
      this.#request.abort();
      this.#request = undefined;
    }
    const shown = this.#shown;
    if (!shown || (place && restOf(shown, place) !== undefined)) return;
    this.#shown = undefined;
    const isTyped = place?.prefix === shown.place.prefix + shown.text;
    if (isTyped || this.#options.clock.elapsed() - shown.since >= timeToRead) this.#options.governor.shown(isTyped);
  }

  /** Notes that the user accepted a suggestion at a place. */
  accepted(text: string, place: CursorContext): void {
    this.#accepted = (place.prefix + text).trimEnd();
    if (this.#shown) this.#options.governor.shown(true);
    this.#shown = undefined;
  }

  /** Aborts what is under way. */
  dispose(): void {
    this.moved(undefined);
  }

  #show(text: string, place: CursorContext, signal: AbortSignal): string | undefined {
    if (text === "" || signal.aborted) return undefined;
    this.#last = { text, place };
    // The rest of what stands already is no new suggestion.
    this.#shown ??= { text, place, since: this.#options.clock.elapsed() };
    return text;
  }

  /** What was suggested last, if that was at this place. */
  #lastAt({ prefix, suffix }: CursorContext): string | undefined {
    const { place, text } = this.#last ?? {};
    return place?.prefix === prefix && place.suffix === suffix ? text : undefined;
  }

  #isSilent(isOnDemand: boolean): boolean {
    const { silence } = this.#options.governor;
    return silence !== undefined && !(isOnDemand && silence === "hour");
  }

  /** Waits for the next key; whether a request may still be made when none came. */
  async #pause(place: CursorContext, signal: AbortSignal): Promise<boolean> {
    const { clock, governor } = this.#options;
    await clock.sleep(governor.pause(isInWord(place)), signal).catch(() => undefined);
    return !signal.aborted && !this.#isSilent(false);
  }

  #start(question: CompletionQuestion): CompletionRequest {
    this.#request?.abort();
    this.#options.governor.start();
    this.#request = new CompletionRequest(question, this.#options, this.#end);
    return this.#request;
  }

  readonly #end = (request: CompletionRequest, end: RequestEnd): void => {
    const { outcome, latency, retryAfter } = end;
    const { governor } = this.#options;
    if (this.#request === request) this.#request = undefined;
    governor.end(outcome, latency, retryAfter);
    const { text, question, isWaitedFor } = request;
    const isUsed = isWaitedFor && text !== "";
    // That the model has nothing to suggest is no fault of the line.
    if (outcome === "aborted" || (outcome === "answered" && (isUsed || !isWaitedFor))) governor.used(isUsed);
    if (outcome === "answered") this.#options.cache.add({ text, place: question.place });
    this.#options.onEnd?.(end);
  };
}

/** One request under way, which calls for several places can wait for. */
class CompletionRequest {
  readonly question: CompletionQuestion;
  readonly #options: CompletionSessionOptions;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #arrived = "";
  #waiting = 0;

  /** `onEnd` is called before those who wait go on. */
  constructor(
    question: CompletionQuestion,
    options: CompletionSessionOptions,
    onEnd: (request: CompletionRequest, end: RequestEnd) => void,
  ) {
    this.question = question;
    this.#options = options;
    this.#ended = this.#run().then((end) => {
      onEnd(this, end);
    });
  }

  /** What to insert at the place of the question, as far as it has arrived; empty for nothing. */
  get text(): string {
    // A placeholder is never inserted, nor what stands around it.
    if (hasMask(this.#arrived)) return "";
    return trimToKind(cleanCompletion(this.#arrived, this.question.place), this.question.kind);
  }

  /** Whether the answer can still be used at a place. */
  fits(now: CursorContext): boolean {
    return now === this.question.place || stillFits(this.text, this.question.place, now);
  }

  /** Whether a call still waits for the answer. */
  get isWaitedFor(): boolean {
    return this.#waiting > 0;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Resolves when the request has ended or `signal` is aborted. A request nobody waits for is soon aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      await Promise.race([this.#ended, untilAborted(signal)]);
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
    const { place, kind } = this.question;
    const { signal } = this.#abort;
    const start = clock.elapsed();
    let latency: number | undefined;
    try {
      for await (const piece of ask(this.question, signal)) {
        latency ??= clock.elapsed() - start;
        this.#arrived += piece;
        if (!piece.includes("\n") && this.#arrived.length <= longestAnswer) continue;
        const part = wholePart(this.#arrived, place, kind);
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

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
}

/** What a failure means for the next requests. */
function endOf(error: unknown): RequestEnd {
  if (!(error instanceof GatewayError)) return { outcome: "failed" };
  return { outcome: outcomeOf(error.kind), retryAfter: error.retryAfter, error };
}

function outcomeOf(kind: GatewayErrorKind): CompletionOutcome {
  // The model is told to say nothing where nothing fits.
  if (kind === "empty") return "answered";
  if (kind === "rateLimited" || kind === "overloaded") return "limited";
  // The next request may be shorter, or find a proxy that lets it through.
  const mayPass = kind === "contextTooLong" || kind === "proxyRefused";
  return isActionable(kind) && !mayPass ? "refused" : "failed";
}

/** Whether the line needs nothing more: it has its end, or is closers alone. The next line will be asked for. */
function isFinished({ prefix }: CursorContext): boolean {
  const line = prefix.slice(prefix.lastIndexOf("\n") + 1).slice(-longestLine);
  return /(?:;\s*|,)$/.test(line) || /^\s*[)\]}]+[;,]?\s*$/.test(line);
}

function isInWord({ prefix }: CursorContext): boolean {
  return /[\p{L}\p{N}_$]$/u.test(prefix.slice(-2));
}
