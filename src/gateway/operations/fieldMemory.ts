/** How long a confirmed guess, and the name of a field that was taken before, are valid, in milliseconds. */
const lifetime = 600_000;

/** Fields that later requests may omit on a guess. Without them an answer comes later, or with the usual effort. */
const guessable: ReadonlySet<string> = new Set(["stream", "stream_options", "reasoning_effort"]);

/** Fields with the conversation. Their rejection depends on the conversation and says nothing about the next one. */
const forms: ReadonlySet<string> = new Set(["messages", "input"]);

/**
 * What is known about undocumented request fields, for one operation, entry and model. Fields that the gateway named
 * are left out from then on, or for a while if it had taken them before: it routes to several upstreams. A guess counts
 * once a second request in a row confirms it, and only for a while, because requests can be rejected for other reasons.
 */
export class FieldMemory {
  readonly #named = new Map<string, { readonly until: number }>();
  readonly #taken = new Set<string>();
  #guess: { readonly fields: ReadonlySet<string>; readonly confirmedAt: number | undefined } | undefined;

  /** Fields to leave out from the start. `now`: milliseconds of a monotonic clock. */
  refused(now: number): ReadonlySet<string> {
    const named = new Set([...this.#named].filter(([, { until }]) => now < until).map(([field]) => field));
    if (this.#guess?.confirmedAt === undefined) return named;
    if (now - this.#guess.confirmedAt < lifetime) return named.union(this.#guess.fields);
    this.#guess = undefined;
    return named;
  }

  /**
   * Records that a request succeeded without a field that the gateway had named. `isForm`: the gateway rejects the form
   * of the field as such, whatever the conversation.
   */
  learnNamed(field: string, now = 0, isForm = false): void {
    if (forms.has(field) && !isForm) return;
    this.#named.set(field, { until: this.#taken.has(field) ? now + lifetime : Infinity });
  }

  /** Records that a request succeeded without the fields `left`, none of which the gateway had named. */
  learnGuess(left: readonly string[], now: number): void {
    const fields = guessable.intersection(new Set(left));
    if (fields.size === 0) return;
    const isConfirmed = this.#guess !== undefined && fields.isSubsetOf(this.#guess.fields);
    this.#guess = { fields, confirmedAt: isConfirmed ? now : undefined };
  }

  /** Records that a request with these fields succeeded. */
  learnTaken(fields: readonly string[]): void {
    for (const field of fields) this.#taken.add(field);
    if (this.#guess && !this.#guess.fields.isDisjointFrom(new Set(fields))) this.#guess = undefined;
  }

  /** Forgets the guess, after a request that followed it was rejected. */
  forgetGuess(): void {
    if (this.#guess?.confirmedAt !== undefined) this.#guess = undefined;
  }
}
