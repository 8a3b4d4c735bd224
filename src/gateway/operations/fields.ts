import type { GatewayError } from "../errors.ts";

/** Statuses with which services refuse a request's form. An error inside a 200 has none. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 422, 501, undefined]);

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
  suspect(model: string, failure: GatewayError, used: readonly string[]): string | undefined {
    // A cause is the network's: no entry has refused anything.
    if (failure.kind !== "rejected" || failure.cause !== undefined || !refusals.has(failure.status)) return undefined;
    const { field: named } = failure;
    if (named !== undefined) return used.find((field) => isAbout(named, field));
    const accepted = this.#acceptedBy(model);
    return used.find((field) => !accepted.has(field));
  }

  /** Learns from a request that went through with the fields `used` and without `dropped`. */
  learn(model: string, used: readonly string[], dropped: Iterable<string>): void {
    const accepted = this.#acceptedBy(model);
    for (const field of used) accepted.add(field);
    for (const field of dropped) {
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
