/** Default lifetime of facts, in milliseconds: gateways change, and route to several upstreams. */
const tenMinutes = 600_000;

/** What the client has learned about the entries: facts by subject, each until it expires. */
export class Memory {
  /** For each subject its facts, with the time until which they hold. */
  readonly #subjects = new Map<string, Map<string, number>>();
  readonly #now: () => number;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The facts about a subject that hold now. */
  known(subject: string): ReadonlySet<string> {
    const facts = [...(this.#subjects.get(subject) ?? [])];
    return new Set(facts.filter(([, until]) => this.#now() < until).map(([fact]) => fact));
  }

  /** Adds facts about a subject. `lifetime` is in milliseconds. */
  learn(subject: string, facts: Iterable<string>, lifetime = tenMinutes): void {
    const known = this.#subjects.get(subject) ?? new Map<string, number>();
    for (const fact of facts) known.set(fact, this.#now() + lifetime);
    this.#subjects.set(subject, known);
  }

  /** Forgets these facts about a subject, or all. */
  forget(subject: string, ...facts: readonly string[]): void {
    for (const fact of facts) this.#subjects.get(subject)?.delete(fact);
    if (facts.length === 0) this.#subjects.delete(subject);
  }
}
