/** How long a confirmed guess is believed, in milliseconds. */
const guessLifetime = 600_000;

/** What may be given up for later requests on a guess. An answer without them is the same, only later. */
const guessable: ReadonlySet<string> = new Set(["stream", "stream_options"]);

/** How a conversation is spelled: depends on the conversation, so its refusal says nothing about the next one. */
const forms: ReadonlySet<string> = new Set(["messages", "input"]);

/**
 * What one operation of one entry has shown for one model about request fields that the interface does not document.
 * What the gateway named is left out from then on. A guess is believed once a second request in a row confirms it, and
 * only for a while: a request may have been refused for its own sake.
 */
export class FieldMemory {
  readonly #named = new Set<string>();
  #guess: { readonly fields: ReadonlySet<string>; readonly confirmedAt: number | undefined } | undefined;

  /** Fields to leave out from the start; `now` in milliseconds of a monotonic clock. */
  refused(now: number): ReadonlySet<string> {
    if (this.#guess?.confirmedAt === undefined) return this.#named;
    if (now - this.#guess.confirmedAt < guessLifetime) return this.#named.union(this.#guess.fields);
    this.#guess = undefined;
    return this.#named;
  }

  /** A request went through without a field that the gateway had named in its refusal. */
  learnNamed(field: string): void {
    if (!forms.has(field)) this.#named.add(field);
  }

  /** A request went through without `left`, of which the gateway had named none in its refusal. */
  learnGuess(left: readonly string[], now: number): void {
    const fields = guessable.intersection(new Set(left));
    if (fields.size === 0) return;
    const isConfirmed = this.#guess !== undefined && fields.isSubsetOf(this.#guess.fields);
    this.#guess = { fields, confirmedAt: isConfirmed ? now : undefined };
  }

  /** A request went through with these fields. */
  learnTaken(fields: readonly string[]): void {
    if (this.#guess && !this.#guess.fields.isDisjointFrom(new Set(fields))) this.#guess = undefined;
  }

  /** A request was refused although it followed the guess. */
  forgetGuess(): void {
    if (this.#guess?.confirmedAt !== undefined) this.#guess = undefined;
  }
}
