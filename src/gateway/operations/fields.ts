import type { GatewayError } from "../errors.ts";

/** Statuses with which services refuse a request's form. An error inside a 200 has none. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 422, 501, undefined]);

/** A field that a refusal may be about. */
export interface Suspicion {
  readonly field: string;
  /** The entry says so itself. */
  readonly isNamed: boolean;
}

/**
 * What one operation of one entry has shown about request fields that the interface does not document. A field counts
 * as refused once a request has gone through without it that did not go through with it; a model that has taken the
 * field keeps it.
 */
export class FieldMemory {
  readonly #refused = new Set<string>();
  readonly #accepted = new Map<string, Set<string>>();

  /** Fields to leave out for a model from the start. */
  refused(model: string): ReadonlySet<string> {
    return this.#refused.difference(this.#acceptedBy(model));
  }

  /**
   * The field to leave out next after a refusal: the one of `used` that the entry names, else the first that the model
   * has not been seen to accept. `undefined` where the refusal must have another reason.
   */
  suspect(model: string, failure: GatewayError, used: readonly string[]): Suspicion | undefined {
    // A cause is the network's: no entry has refused anything.
    if (failure.kind !== "rejected" || failure.cause !== undefined || !refusals.has(failure.status)) return undefined;
    const { field: named } = failure;
    const accepted = this.#acceptedBy(model);
    const isNamed = named !== undefined;
    const field = used.find((one) => (isNamed ? isAbout(named, one) : !accepted.has(one)));
    return field === undefined ? undefined : { field, isNamed };
  }

  /**
   * Learns from a request that went through with the fields `used`, after refusals that made it give up others. Of those
   * only guessed at, the last one is proven: with it the request did not go through, without it it did.
   */
  learn(model: string, used: readonly string[], refusals: readonly Suspicion[]): void {
    const accepted = this.#acceptedBy(model);
    for (const field of used) accepted.add(field);
    for (const { field } of refusals.filter((one) => one.isNamed || one === refusals.at(-1))) {
      accepted.delete(field);
      this.#refused.add(field);
    }
  }

  #acceptedBy(model: string): Set<string> {
    const accepted = this.#accepted.get(model) ?? new Set();
    this.#accepted.set(model, accepted);
    return accepted;
  }
}

/** Whether what an entry names is `field`. `tools[0].function.parameters` is about one tool, not about tools. */
function isAbout(named: string, field: string): boolean {
  return named === field || (field !== "tools" && named.startsWith(field));
}
