import type { EntryHealth, EntryName } from "../types.ts";
import { Circuit } from "./circuit.ts";

/**
 * What an attempt proved. `whole`: an answer to the end. `answered`: an error that is the request's own. `serverFault`:
 * 5xx, 529. `connectionFault`: no connection, or a lost one. `nothing`: cancelled, or a certificate.
 */
export type Outcome = "whole" | "answered" | "serverFault" | "connectionFault" | "nothing";

/** What the breaker needs from its owner. */
export interface BreakerOptions {
  /** Milliseconds since the epoch, for what is told. */
  now(): number;
  /** Milliseconds since some moment, for durations. */
  elapsed(): number;
  /** Whether an entry answers anything at all, asked in the background. Never rejects. */
  isAlive(entry: EntryName): Promise<boolean>;
  onChange(health: readonly EntryHealth[]): void;
}

/** The circuit breakers of both entries: one each for connections, one for each model behind it. */
export class Breaker {
  readonly #options: BreakerOptions;
  readonly #connections: Record<EntryName, Circuit> = { primary: new Circuit(), backup: new Circuit() };
  readonly #models = new Map<string, Circuit>();
  readonly #latency: Partial<Record<EntryName, number>> = {};

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /**
   * The entry at which an operation starts: the first of `entries` that is not open, else the first. Nobody waits: an
   * entry whose pause is over is checked in the background, and the next operation is its trial.
   */
  start(entries: readonly [EntryName, ...EntryName[]], model: string): EntryName {
    return entries.find((entry) => this.#lets(entry, model)) ?? entries[0];
  }

  /** Whether an entry serves a model as far as is known. */
  isHealthy(entry: EntryName, model: string): boolean {
    return this.#circuits(entry, model).every(({ isClosed }) => isClosed);
  }

  /** Whether an entry has served a model before and still does, but for a failure or two. */
  isProven(entry: EntryName, model: string): boolean {
    return this.#model(entry, model).isProven && this.isHealthy(entry, model);
  }

  /** Counts the outcome of an attempt. */
  record(entry: EntryName, model: string, outcome: Outcome): void {
    const connection = this.#connections[entry];
    const served = this.#model(entry, model);
    const now = this.#options.elapsed();
    if (outcome === "nothing") {
      connection.releaseTrial();
      served.releaseTrial();
      return;
    }
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

  /** Notes how long an entry took to the headers of an answer, in milliseconds. */
  recordLatency(entry: EntryName, latency: number): void {
    this.#latency[entry] = latency;
  }

  /** Forgets everything, as when the entries have changed. */
  reset(): void {
    this.#connections.primary = new Circuit();
    this.#connections.backup = new Circuit();
    this.#models.clear();
    delete this.#latency.primary;
    delete this.#latency.backup;
    this.#options.onChange(this.health());
  }

  /** How both entries fare, the worst of an entry's circuits telling. */
  health(): readonly EntryHealth[] {
    const sinceEpoch = this.#options.now() - this.#options.elapsed();
    const date = (time: number | undefined): number | undefined =>
      time === undefined ? time : Math.round(time + sinceEpoch);
    return (["primary", "backup"] as const).map((entry) => {
      const models = [...this.#models].filter(([key]) => key.startsWith(entry)).map(([, circuit]) => circuit);
      const failing = [this.#connections[entry], ...models].filter(({ isClosed }) => !isClosed);
      return {
        entry,
        isHealthy: failing.length === 0,
        failingSince: date(least(failing.map(({ since }) => since))),
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
