import type { EntryHealth, EntryName } from "../types.ts";
import type { Clock } from "./clock.ts";

/**
 * The outcome of an attempt for the breakers. `whole`: a complete answer. `answered`: an error caused by the request
 * itself. `serverFault`: 5xx, 529. `connectionFault`: no connection, or a lost one. `nothing`: a certificate problem and
 * the like, which proves nothing about the entry.
 */
export type Outcome = "whole" | "answered" | "serverFault" | "connectionFault" | "nothing";

/** Dependencies of the breaker. */
export interface BreakerOptions {
  readonly clock: Pick<Clock, "now" | "elapsed">;
  /** Whether an entry responds to anything at all. Runs in the background; never rejects. */
  isAlive(entry: EntryName): Promise<boolean>;
  onChange(health: readonly EntryHealth[]): void;
}

/** The entry at which an operation starts. If that is a trial, no other operation gets one until the lease ends. */
export interface Lease<T> extends Disposable {
  readonly entry: T;
}

const entryNames = ["primary", "backup"] as const satisfies readonly EntryName[];

/** The circuit breakers of both entries: one per connection, and one per model behind it. */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #connections: Record<EntryName, Circuit> = { primary: new Circuit(), backup: new Circuit() };
  readonly #models: Record<EntryName, Map<string, Circuit>> = { primary: new Map(), backup: new Map() };
  readonly #latency: Partial<Record<EntryName, number>> = {};
  /** Time since which every attempt at an entry has failed, for any model. */
  readonly #failingSince = new Map<EntryName, number>();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /**
   * Leases the entry to try first: the first of `entries` whose circuits are not open, else the first one. Never waits: an
   * entry whose pause is over is checked in the background, and the next operation is its trial.
   */
  pick<T extends { readonly name: EntryName }>(entries: readonly [T, ...T[]], model: string): Lease<T> {
    const trial = Symbol("trial");
    const entry = entries.find(({ name }) => this.#allows(name, model, trial)) ?? entries[0];
    const circuits = this.#circuits(entry.name, model);
    return {
      entry,
      [Symbol.dispose]: () => {
        for (const circuit of circuits) circuit.giveBack(trial);
      },
    };
  }

  /** Whether an entry's circuits for a model are closed. */
  isHealthy(entry: EntryName, model: string): boolean {
    return this.#circuits(entry, model).every(({ isClosed }) => isClosed);
  }

  /** Whether an entry has served a model before and its circuits are closed. */
  isProven(entry: EntryName, model: string): boolean {
    return this.#model(entry, model).isProven && this.isHealthy(entry, model);
  }

  /** Records that an entry has sent response headers, and after how many milliseconds: its connection works. */
  connected(entry: EntryName, latency: number): void {
    this.#latency[entry] = latency;
    const connection = this.#connections[entry];
    const isNews = !connection.isClosed;
    connection.close();
    const hasFailingModel = this.#modelsAt(entry).some(({ since }) => since !== undefined);
    const isBack = !hasFailingModel && this.#failingSince.delete(entry);
    // Every answer passes here on its way to the first text.
    if (isNews || isBack) this.#options.onChange(this.health());
  }

  /** Records the outcome of an attempt. */
  record(entry: EntryName, model: string, outcome: Outcome): void {
    if (outcome === "nothing") return;
    const connection = this.#connections[entry];
    const served = this.#model(entry, model);
    const now = this.#options.clock.elapsed();
    const isFault = outcome === "connectionFault" || outcome === "serverFault";
    if (!isFault) this.#failingSince.delete(entry);
    else if (!this.#failingSince.has(entry)) this.#failingSince.set(entry, now);
    if (outcome === "connectionFault") {
      connection.fail(now, this.isHealthy(entry === "primary" ? "backup" : "primary", model));
    } else {
      connection.succeed();
      if (outcome === "serverFault") served.fail(now, false);
      else if (outcome === "whole") served.succeed();
      else served.answer();
    }
    this.#options.onChange(this.health());
  }

  /**
   * The health of both entries. The worst circuit of an entry counts. `failingSince` is set at the first failure, even if
   * the circuits are still closed.
   */
  health(): readonly EntryHealth[] {
    const sinceEpoch = this.#options.clock.now() - this.#options.clock.elapsed();
    const date = (time: number | undefined): number | undefined =>
      time === undefined ? time : Math.round(time + sinceEpoch);
    return entryNames.map((entry) => {
      const failing = [this.#connections[entry], ...this.#modelsAt(entry)].filter(({ isClosed }) => !isClosed);
      return {
        entry,
        isHealthy: failing.length === 0,
        failingSince: date(earliest([this.#failingSince.get(entry), ...failing.map(({ since }) => since)])),
        nextTry: date(earliest(failing.map(({ nextTry }) => nextTry))),
        lastLatency: this.#latency[entry],
      };
    });
  }

  #allows(entry: EntryName, model: string, trial: symbol): boolean {
    const blocking = this.#circuits(entry, model).filter(({ isClosed }) => !isClosed);
    const now = this.#options.clock.elapsed();
    const due = blocking.filter((circuit) => circuit.isDue(now));
    if (due.length > 0) void this.#check(entry, due);
    if (!blocking.every(({ mayTry }) => mayTry)) return false;
    for (const circuit of blocking) circuit.startTrial(trial);
    return true;
  }

  async #check(entry: EntryName, circuits: readonly Circuit[]): Promise<void> {
    for (const circuit of circuits) circuit.startCheck();
    const isAlive = await this.#options.isAlive(entry);
    for (const circuit of circuits) circuit.endCheck(isAlive, this.#options.clock.elapsed());
    this.#options.onChange(this.health());
  }

  #circuits(entry: EntryName, model: string): readonly Circuit[] {
    return [this.#connections[entry], this.#model(entry, model)];
  }

  #modelsAt(entry: EntryName): readonly Circuit[] {
    return [...this.#models[entry].values()];
  }

  #model(entry: EntryName, model: string): Circuit {
    const circuit = this.#models[entry].get(model) ?? new Circuit();
    this.#models[entry].set(model, circuit);
    return circuit;
  }
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Failures until a circuit opens, and its first and longest pause. All times are milliseconds of a monotonic clock. */
const failuresToOpen = 3;
const firstPause = 30_000;
const maxPause = 300_000;

/**
 * One circuit breaker. Closed, it permits everything. Open, it blocks everything until its pause is over; then a
 * liveness check is due, after which it is half-open: one operation may pass as a trial. The trial closes the circuit or
 * doubles the pause. So does a failed check, but after the longest pause a trial is permitted anyway, because an entry may
 * ignore checks.
 */
class Circuit {
  /** Whether an operation has ever succeeded. */
  isProven = false;
  /** When the current series of failures began. */
  since: number | undefined;
  /** When an open circuit permits a trial. */
  nextTry = 0;
  #failures = 0;
  #pause = 0;
  #openedAt = 0;
  #state: "closed" | "open" | "checking" | "halfOpen" = "closed";
  /** The trial that is running, while half-open. */
  #trial: symbol | undefined;

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  isDue(now: number): boolean {
    return this.#state === "open" && now >= this.nextTry;
  }

  get mayTry(): boolean {
    return this.#state === "halfOpen" && this.#trial === undefined;
  }

  startCheck(): void {
    this.#state = "checking";
  }

  endCheck(isAlive: boolean, now: number): void {
    if (this.#state !== "checking") return;
    if (isAlive || now - this.#openedAt >= maxPause) {
      this.#state = "halfOpen";
      this.#trial = undefined;
    } else this.#wait(now);
  }

  startTrial(trial: symbol): void {
    this.#trial = trial;
  }

  /** Ends a trial without a result, such as a canceled one, so that the next operation gets it. */
  giveBack(trial: symbol): void {
    if (this.#trial === trial) this.#trial = undefined;
  }

  /** A request error ends a trial successfully and is otherwise ignored. */
  answer(): void {
    if (this.#state === "halfOpen") this.succeed();
  }

  /** Closes the circuit. The pause continues to double if it fails again before it succeeds. */
  close(): void {
    this.#state = "closed";
    this.#failures = 0;
    this.since = undefined;
  }

  succeed(): void {
    this.close();
    this.isProven = true;
    this.#pause = 0;
  }

  /** Records a failure. `opensAtOnce`: another entry can serve in the meantime. */
  fail(now: number, opensAtOnce: boolean): void {
    this.#failures += 1;
    this.since ??= now;
    const isOnTrial = this.#state === "halfOpen";
    if (isOnTrial || (this.isClosed && (opensAtOnce || this.#failures >= failuresToOpen))) {
      this.#openedAt = now;
      this.#wait(now);
    }
  }

  #wait(now: number): void {
    this.#pause = Math.min(maxPause, this.#pause === 0 ? firstPause : this.#pause * 2);
    this.nextTry = Math.min(now + this.#pause, this.#openedAt + maxPause);
    this.#state = "open";
  }
}
