import type { EntryHealth, EntryName } from "../types.ts";
import { Circuit } from "./circuit.ts";

/**
 * The outcome of an attempt for the breakers. `whole`: a complete answer. `answered`: an error caused by the request
 * itself. `serverFault`: 5xx, 529. `connectionFault`: no connection, or a lost one. `nothing`: cancelled, or a
 * certificate problem.
 */
export type Outcome = "whole" | "answered" | "serverFault" | "connectionFault" | "nothing";

/** Dependencies of the breaker. */
export interface BreakerOptions {
  /** Current time in milliseconds since the epoch, for reports. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  elapsed(): number;
  /** Whether an entry responds to anything at all. Runs in the background; never rejects. */
  isAlive(entry: EntryName): Promise<boolean>;
  onChange(health: readonly EntryHealth[]): void;
}

const entryNames = ["primary", "backup"] as const satisfies readonly EntryName[];

/** The circuit breakers of both entries: one per connection, and one per model behind it. */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #connections: Record<EntryName, Circuit> = { primary: new Circuit(), backup: new Circuit() };
  readonly #models = new Map<string, Circuit>();
  readonly #latency: Partial<Record<EntryName, number>> = {};
  /** Since when every attempt at an entry has failed, for whatever model. */
  readonly #failingSince = new Map<EntryName, number>();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /**
   * The entry to try first: the first of `entries` whose circuits are not open, else the first one. Never waits: an
   * entry whose pause is over is checked in the background, and the next operation is its trial.
   */
  start(entries: readonly [EntryName, ...EntryName[]], model: string): EntryName {
    return entries.find((entry) => this.#lets(entry, model)) ?? entries[0];
  }

  /** The entry that `start` would choose now, without taking a trial or starting a check. */
  peek(entries: readonly [EntryName, ...EntryName[]], model: string): EntryName {
    const now = this.#options.elapsed();
    const isOpen = (circuit: Circuit): boolean => !["closed", "trial"].includes(circuit.permission(now));
    return entries.find((entry) => !this.#circuits(entry, model).some(isOpen)) ?? entries[0];
  }

  /** Whether an entry's circuits for a model are closed. */
  isHealthy(entry: EntryName, model: string): boolean {
    return this.#circuits(entry, model).every(({ isClosed }) => isClosed);
  }

  /** Whether an entry has served a model before and its circuits are closed. */
  isProven(entry: EntryName, model: string): boolean {
    return this.#model(entry, model).isProven && this.isHealthy(entry, model);
  }

  /** Records the outcome of an attempt. */
  record(entry: EntryName, model: string, outcome: Outcome): void {
    const connection = this.#connections[entry];
    const served = this.#model(entry, model);
    const now = this.#options.elapsed();
    if (outcome === "nothing") {
      connection.releaseTrial();
      served.releaseTrial();
      return;
    }
    const isFault = outcome === "connectionFault" || outcome === "serverFault";
    if (!isFault) this.#failingSince.delete(entry);
    else if (!this.#failingSince.has(entry)) this.#failingSince.set(entry, now);
    if (outcome === "connectionFault") {
      connection.fail(now, this.isHealthy(entry === "primary" ? "backup" : "primary", model));
      served.releaseTrial();
    } else {
      connection.succeed();
      if (outcome === "serverFault") served.fail(now, false);
      else if (outcome === "whole") served.succeed();
      else served.answer();
    }
    this.#options.onChange(this.health());
  }

  /** Records an entry's time to the response headers, in milliseconds. */
  recordLatency(entry: EntryName, latency: number): void {
    this.#latency[entry] = latency;
  }

  /**
   * The health of both entries. The worst circuit of an entry counts. With no other entry to turn to, circuits stay closed
   * for some failures, which `failingSince` tells at once.
   */
  health(): readonly EntryHealth[] {
    const sinceEpoch = this.#options.now() - this.#options.elapsed();
    const date = (time: number | undefined): number | undefined =>
      time === undefined ? time : Math.round(time + sinceEpoch);
    return entryNames.map((entry) => {
      const models = [...this.#models].filter(([key]) => key.startsWith(entry)).map(([, circuit]) => circuit);
      const failing = [this.#connections[entry], ...models].filter(({ isClosed }) => !isClosed);
      return {
        entry,
        isHealthy: failing.length === 0,
        failingSince: date(least([this.#failingSince.get(entry), ...failing.map(({ since }) => since)])),
        nextTry: date(least(failing.map(({ nextTry }) => nextTry))),
        lastLatency: this.#latency[entry],
      };
    });
  }

  #lets(entry: EntryName, model: string): boolean {
    const circuits = this.#circuits(entry, model);
    const now = this.#options.elapsed();
    const due = circuits.filter((circuit) => circuit.permission(now) === "due");
    if (due.length > 0) void this.#check(entry, due);
    const barring = circuits.filter((circuit) => circuit.permission(now) !== "closed");
    if (barring.some((circuit) => circuit.permission(now) !== "trial")) return false;
    for (const circuit of barring) circuit.startTrial();
    return true;
  }

  async #check(entry: EntryName, circuits: readonly Circuit[]): Promise<void> {
    for (const circuit of circuits) circuit.startCheck();
    const isAlive = await this.#options.isAlive(entry);
    for (const circuit of circuits) circuit.endCheck(isAlive, this.#options.elapsed());
    this.#options.onChange(this.health());
  }

  #circuits(entry: EntryName, model: string): readonly Circuit[] {
    return [this.#connections[entry], this.#model(entry, model)];
  }

  #model(entry: EntryName, model: string): Circuit {
    const key = `${entry} ${model}`;
    const circuit = this.#models.get(key) ?? new Circuit();
    this.#models.set(key, circuit);
    return circuit;
  }
}

function least(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
