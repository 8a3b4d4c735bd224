import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import type { FullClock } from "../gateway/policy/clock.ts";
import { isActionable } from "../gateway/policy/rules.ts";
import { hasMask } from "../text/maskSecrets.ts";
import { cleanCompletion } from "./cleanCompletion.ts";
import type { CompletionPlace } from "./cleaning/place.ts";
import { stillFits } from "./completionCache.ts";
import type { CompletionOutcome } from "./governor.ts";
import type { PlaceKind } from "./placeKind.ts";
import { asked, longestAnswer, wholePart } from "./wholePart.ts";

/** What is asked for. */
export interface CompletionQuestion {
  readonly place: CompletionPlace;
  readonly kind: Exclude<PlaceKind, "none">;
}

/** Streams the model's answer. Leaving the loop over it, or aborting the signal, ends the request at the socket. */
export type AskForCompletion = (question: CompletionQuestion, signal: AbortSignal) => AsyncIterable<string>;

/** How a request ended, for the governor. */
export interface RequestEnd {
  readonly outcome: CompletionOutcome;
  /** The time to the first text, in milliseconds. */
  readonly latency?: number | undefined;
  /** How long the gateway asks to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
  readonly error?: GatewayError;
}

export interface CompletionRequestOptions {
  readonly ask: AskForCompletion;
  readonly clock: FullClock;
  /** Called before those who wait go on. */
  readonly onEnd: (request: CompletionRequest, end: RequestEnd) => void;
}

/** How long a request goes on when nobody waits for it: until VS Code has asked again for the next key. */
const linger = 500;

/** One request under way, which calls for several places can wait for. */
export class CompletionRequest {
  readonly question: CompletionQuestion;
  readonly #options: CompletionRequestOptions;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #arrived = "";
  #waiting = 0;

  constructor(question: CompletionQuestion, options: CompletionRequestOptions) {
    this.question = question;
    this.#options = options;
    this.#ended = this.#run().then((end) => {
      options.onEnd(this, end);
    });
  }

  /** What to insert at the place of the question, as far as it has arrived; empty for nothing. */
  get text(): string {
    // A placeholder is never inserted, nor what stands around it.
    if (hasMask(this.#arrived)) return "";
    return asked(cleanCompletion(this.#arrived, this.question.place), this.question.kind);
  }

  /** Whether the answer can still be used at a place. */
  fits(now: CompletionPlace): boolean {
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
