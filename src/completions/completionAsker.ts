import { type CancellationToken, Disposable, window, workspace } from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import { systemClock } from "../gateway/policy/clock.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import type { CompletionPlace } from "./cleaning/place.ts";
import { CompletionCache } from "./completionCache.ts";
import { Composition } from "./composition.ts";
import { type AskedPlace, completionQuestion } from "./completionQuestion.ts";
import type { CompletionQuestion, RequestEnd } from "./completionRequest.ts";
import { CompletionSession } from "./completionSession.ts";
import { documentPlace } from "./documentPlace.ts";
import { Governor } from "./governor.ts";
import { outcomeOf } from "./outcomeOf.ts";
import { RecentEdits } from "./recentEdits.ts";

/** What the asker tells. */
export interface AskerEvents {
  /** Something that the status shows may have changed. */
  readonly onState: () => void;
  /** `latency` in milliseconds. */
  readonly onFirstText: (latency: number) => void;
  readonly onRefused: (error: GatewayError) => void;
}

type AskerServices = Pick<Services, "gateway" | "settings" | "tokens" | "log" | "gate">;

/** Connects a session of completions with the gateway and the documents. */
export class CompletionAsker {
  readonly governor: Governor;
  readonly #services: AskerServices;
  readonly #events: AskerEvents;
  readonly #cache = new CompletionCache();
  readonly #session: CompletionSession;
  readonly #edits: RecentEdits;
  readonly #composition = new Composition();
  readonly #listener: Disposable;
  /** Where the places are that may be asked about. */
  readonly #asked = new WeakMap<CompletionPlace, AskedPlace>();

  constructor(services: AskerServices, events: AskerEvents) {
    this.#services = services;
    this.#events = events;
    this.#edits = new RecentEdits(services.gate);
    this.governor = new Governor({
      get mostPerHour() {
        return services.settings().completionsMaxPerHour;
      },
      now: () => performance.now(),
    });
    this.#session = new CompletionSession({
      governor: this.governor,
      cache: this.#cache,
      clock: systemClock,
      ask: (question, signal) => this.#ask(question, signal),
      endOf: (error) => this.#endOf(error),
      isComposing: () => this.#composition.isUnderWay,
    });
    this.#listener = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const [change, ...more] = contentChanges;
      if (change === undefined || document !== window.activeTextEditor?.document) return;
      this.#composition.note(more.length === 0 ? change : undefined);
      // VS Code asks only after a pause (50 ms in VS Code 1.139); what no longer fits is aborted now.
      const end = document.positionAt(change.rangeOffset + change.text.length);
      this.#session.moved(more.length === 0 ? documentPlace(document, end) : undefined);
    });
  }

  /** The text for a place; `undefined` for none. */
  async suggest(asked: AskedPlace, token: CancellationToken): Promise<string | undefined> {
    this.#asked.set(asked.place, asked);
    try {
      return await withSignal(token, (signal) => this.#session.suggest(asked.place, signal, asked.isInvoked));
    } finally {
      this.#events.onState();
    }
  }

  /** What is known for a place without a request. */
  known(place: CompletionPlace): string | undefined {
    this.#session.moved(place);
    return this.#cache.find(place);
  }

  /** Notes that a suggestion was accepted: what follows is the next line. */
  accepted(text: string, place: CompletionPlace): void {
    this.#session.accepted(text, place);
  }

  /** The cursor is where nothing is suggested. */
  leave(): void {
    this.#session.moved(undefined);
  }

  /** Forgets what is known, and what was refused, after a change of the model, the entries or the key. */
  forget(): void {
    this.leave();
    this.#cache.clear();
    this.governor.reset();
    this.#events.onState();
  }

  dispose(): void {
    this.#session.dispose();
    Disposable.from(this.#edits, this.#listener).dispose();
  }

  async *#ask({ place, kind }: CompletionQuestion, signal: AbortSignal): AsyncGenerator<string, undefined> {
    const asked = this.#asked.get(place);
    if (asked === undefined) return;
    const request = await completionQuestion(this.#services, this.#edits, asked, kind);
    signal.throwIfAborted();
    const start = performance.now();
    let hasText = false;
    for await (const part of this.#services.gateway.ask(request, signal)) {
      if (part.type !== "text") continue;
      if (!hasText) this.#events.onFirstText(performance.now() - start);
      hasText = true;
      yield part.text;
    }
  }

  #endOf(error: unknown): RequestEnd {
    const outcome = outcomeOf(error);
    this.#services.log.debug(`Completions: ${outcome}`);
    if (!(error instanceof GatewayError)) return { outcome };
    if (outcome === "refused") this.#events.onRefused(error);
    return { outcome, retryAfter: error.retryAfter };
  }
}
