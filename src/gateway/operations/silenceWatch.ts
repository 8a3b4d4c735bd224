import type { Entry } from "../baseUrl.ts";
import type { SharedContext } from "./sharedContext.ts";

/**
 * Called after a check of a silent entry. `thinking`: the entry is alive, so the model is still thinking. `dead`, `unknown`:
 * two checks in a row have failed. `canLeave`: another entry could answer instead.
 */
export type OnSilence = (meaning: "thinking" | "dead" | "unknown", canLeave: boolean) => void;

/** Number of failed checks in a row that count. A single packet may get lost. */
const failuresToAct = 2;

/** The silence before a check doubles with each check, up to this factor: 11 checks while a model thinks for 300 s. */
const maxWaitFactor = 6;

type WatchContext = Pick<SharedContext, "limits" | "memory" | "isAlive">;

/** Why a check ends with its attempt: one error for all, because each costs time to create. */
const ended = new Error("The attempt has ended.");

/**
 * Watches an entry from a request to the end of its answer, and checks it whenever it is silent. An entry may ignore
 * checks, or serve one connection at a time: it counts as dead only if it has ever answered a check during a request.
 */
export class SilenceWatch {
  readonly #context: WatchContext;
  readonly #entry: Entry;
  readonly #subject: string;
  readonly #isOtherReady: () => boolean;
  readonly #onSilence: OnSilence;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout;
  #failures = 0;
  #checks = 0;
  /** Number of arrivals of data, which make a running check obsolete. */
  #arrivals = 0;
  #hasBegun = false;

  /** `isOtherReady`: whether another entry could answer instead. */
  constructor(context: WatchContext, entry: Entry, isOtherReady: () => boolean, onSilence: OnSilence) {
    this.#context = context;
    this.#entry = entry;
    this.#subject = checksOf(entry);
    this.#isOtherReady = isOtherReady;
    this.#onSilence = onSilence;
    this.#timer = this.#started();
  }

  touch(): void {
    if (this.#end.signal.aborted) return;
    this.#arrivals += 1;
    if (this.#failures === 0) {
      this.#timer.refresh();
      return;
    }
    const { memory } = this.#context;
    const isIgnored = this.#failures >= failuresToAct && !memory.known(this.#subject).has("answered");
    if (isIgnored) memory.learn(this.#subject, ["ignored"]);
    this.#restart(0);
  }

  /** The first part of the answer has arrived, so another entry can no longer answer. */
  begin(): void {
    this.#hasBegun = true;
    this.#checks = 0;
    if (!this.#end.signal.aborted) this.#restart(0);
  }

  stop(): void {
    this.#end.abort(ended);
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const arrivals = this.#arrivals;
    const { limits, memory } = this.#context;
    this.#checks += 1;
    const isAlive = await this.#context.isAlive(this.#entry, limits.connectWithStandby, this.#end.signal);
    if (this.#end.signal.aborted || arrivals !== this.#arrivals) return;
    this.#restart(isAlive ? 0 : this.#failures + 1);
    if (isAlive) {
      memory.forget(this.#subject);
      memory.learn(this.#subject, ["answered"]);
      this.#onSilence("thinking", this.#canLeave);
    }
    const known = memory.known(this.#subject);
    if (this.#failures >= failuresToAct && !known.has("ignored"))
      this.#onSilence(known.has("answered") ? "dead" : "unknown", this.#canLeave);
  }

  get #canLeave(): boolean {
    return !this.#hasBegun && this.#isOtherReady();
  }

  #restart(failures: number): void {
    this.#failures = failures;
    clearTimeout(this.#timer);
    this.#timer = this.#started();
  }

  #started(): NodeJS.Timeout {
    const { silence, silenceWithStandby, silenceAfterCheck } = this.#context.limits;
    const first = this.#canLeave ? Math.min(silence, silenceWithStandby) : silence;
    const usual = first * Math.min(maxWaitFactor, 2 ** this.#checks);
    const limit = this.#failures === 1 ? Math.min(usual, silenceAfterCheck) : usual;
    return setTimeout(() => void this.#check(), limit);
  }
}

/** The subject of the facts about liveness checks of an entry: `answered`, or `ignored` while it answered a request. */
export function checksOf({ baseUrl }: Entry): string {
  return `checks ${baseUrl}`;
}
