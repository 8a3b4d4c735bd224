import type { GatewayError } from "../errors.ts";
import type { EntryName, GatewaySettings } from "../types.ts";
import type { FieldMemory } from "./fieldMemory.ts";
import { type NamedField, refusalOf } from "./refusal.ts";

/** Options of a field choice. */
export interface FieldChoiceOptions {
  /** Fields that the settings turn off. */
  readonly switchedOff: ReadonlySet<string>;
  memory(entry: EntryName): FieldMemory;
  /** The undocumented fields that the request uses without those in `dropped`. */
  fieldsOf(dropped: ReadonlySet<string>): readonly string[];
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** Chooses which undocumented fields one operation sends. Rejected ones are left out of its further requests. */
export class FieldChoice {
  readonly #options: FieldChoiceOptions;
  readonly #dropped = new Set<string>();
  readonly #named: ({ readonly entry: EntryName } & NamedField)[] = [];
  #guess: { readonly entry: EntryName; readonly fields: readonly string[] } | undefined;

  constructor(options: FieldChoiceOptions) {
    this.#options = options;
  }

  dropped(entry: EntryName): ReadonlySet<string> {
    const options = this.#options;
    return options.switchedOff.union(options.memory(entry).refused(options.now())).union(this.#dropped);
  }

  /**
   * Leaves out what `failure` rejects, if that makes the request worth repeating. `named`: the gateway named the field.
   * `guess`: the reason may be another one. `isLast`: only one request is left, so it must do without all of them.
   */
  revise(
    failure: GatewayError,
    entry: EntryName,
    { isLast, mayGuess }: { readonly isLast: boolean; readonly mayGuess: boolean },
  ): "named" | "guess" | undefined {
    const dropped = this.dropped(entry);
    const used = this.#options.fieldsOf(dropped);
    const refusal = refusalOf(failure, used);
    if (refusal === undefined) return undefined;
    // The documented form of `messages` has other roles too, that of `input` is one string.
    const optional = used.filter((field) => field !== "messages");
    if (refusal === "unclear") {
      if (!mayGuess || this.#guess !== undefined || optional.length === 0) return undefined;
      this.#options.memory(entry).forgetGuess();
      this.#guess = { entry, fields: optional };
      // What an earlier guess left out stays out of this repetition.
      this.drop([...dropped, ...optional]);
      return "guess";
    }
    this.#named.push({ entry, ...refusal });
    this.drop([refusal.field, ...(isLast ? optional : [])]);
    return "named";
  }

  /** Learns from a successful request to `entry` with the fields `used`. */
  learn(entry: EntryName, used: readonly string[]): void {
    const memory = this.#options.memory(entry);
    memory.learnTaken(used);
    const now = this.#options.now();
    for (const { entry: refusing, field, isForm } of this.#named) {
      this.#options.memory(refusing).learnNamed(field, now, isForm);
    }
    if (this.#guess?.entry === entry) memory.learnGuess(this.#guess.fields, now);
  }

  /** Leaves fields out of this operation's further requests. */
  drop(fields: Iterable<string>): void {
    for (const field of fields) this.#dropped.add(field);
  }
}

/** Undocumented fields that the settings turn off. */
export function switchedOffFields({ streaming, toolCalling }: GatewaySettings): ReadonlySet<string> {
  const [noStream, noTools] = [streaming === "off", toolCalling === "off"];
  const form = noStream && noTools ? ["input"] : [];
  return new Set([...(noStream ? ["stream"] : []), ...(noTools ? ["tools"] : []), ...form]);
}
