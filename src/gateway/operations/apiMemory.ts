import type { Unserved } from "./servedBy.ts";

/** How long a failed attempt to use the other API counts, in milliseconds. */
const vainLifetime = 600_000;

/** What is known about the APIs of one entry and model. Nothing is known about another entry or model. */
export class ApiMemory {
  /** What the entry serves through responses only. */
  readonly #learned = new Set<Unserved>();
  readonly #vainUntil = new Map<Unserved, number>();

  /** Whether questions go to responses from the start. */
  usesResponses(hasTools: boolean): boolean {
    return this.#learned.has("model") || (hasTools && this.#learned.has("tools"));
  }

  /** Records that responses answered what chat completions had refused. */
  learn(unserved: Unserved): void {
    this.#learned.add(unserved);
    this.#vainUntil.clear();
  }

  /** Forgets it, after responses refused to answer. */
  forget(): void {
    this.#learned.clear();
  }

  /** Records that responses refused too. `now`: milliseconds of a monotonic clock. */
  learnVain(unserved: Unserved, now: number): void {
    this.#vainUntil.set(unserved, now + vainLifetime);
  }

  /** Whether it is not worth asking through responses. */
  isVain(unserved: Unserved, now: number): boolean {
    return (this.#vainUntil.get(unserved) ?? -Infinity) > now;
  }
}
