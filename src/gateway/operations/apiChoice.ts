import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { EntryName, TextApi } from "../types.ts";
import type { ApiMemory } from "./apiMemory.ts";
import { type Unserved, unservedBy } from "./servedBy.ts";

/** Options of an API choice. */
export interface ApiChoiceOptions {
  /** `auto`: chat completions, unless an entry says that responses serve the model. */
  readonly api: TextApi | "auto";
  readonly model: string;
  readonly hasTools: boolean;
  memory(entry: EntryName): ApiMemory;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** A turn to the other API. */
interface Turn {
  readonly from: TextApi;
  readonly unserved: Unserved;
  readonly failure: GatewayError;
}

/** Failures that say that an API does not answer the question, as opposed to not now. */
const refusals: ReadonlySet<GatewayErrorKind> = new Set(["rejected", "notFound", "modelNotFound"]);

/** Chooses the API through which one operation asks each entry. An entry's API changes once at the most. */
export class ApiChoice {
  readonly #options: ApiChoiceOptions;
  readonly #chosen = new Map<EntryName, TextApi>();
  readonly #turns = new Map<EntryName, Turn>();

  constructor(options: ApiChoiceOptions) {
    this.#options = options;
  }

  get isAuto(): boolean {
    return this.#options.api === "auto";
  }

  at(entry: EntryName): TextApi {
    const { api, hasTools } = this.#options;
    if (api !== "auto") return api;
    const chosen =
      this.#chosen.get(entry) ??
      (this.#options.memory(entry).usesResponses(hasTools) ? "responses" : "chatCompletions");
    this.#chosen.set(entry, chosen);
    return chosen;
  }

  /**
   * `turned`: `failure`, of a request with the undocumented `fields`, says that the other API serves the model, which is
   * asked now. `refused`: it says so, but the other API is not asked.
   */
  revise(failure: GatewayError, entry: EntryName, fields: readonly string[]): "turned" | "refused" | undefined {
    const { model, hasTools } = this.#options;
    const api = this.at(entry);
    const unserved = unservedBy(failure, { api, model, hasTools, fields });
    if (!this.isAuto || this.#turns.has(entry)) return unserved && "refused";
    const memory = this.#options.memory(entry);
    // Where its path is gone, the next question asks anew.
    if (api === "responses" && (unserved !== undefined || failure.kind === "notFound")) memory.forget();
    if (unserved === undefined) return undefined;
    if (api === "chatCompletions" && memory.isVain(unserved, this.#options.now())) return "refused";
    this.#turns.set(entry, { from: api, unserved, failure });
    this.#chosen.set(entry, api === "responses" ? "chatCompletions" : "responses");
    return "turned";
  }

  /** Learns from an answer of `entry`. */
  learn(entry: EntryName): void {
    const turn = this.#turns.get(entry);
    if (turn !== undefined && this.at(entry) === "responses") this.#options.memory(entry).learn(turn.unserved);
  }

  /** Turns back if `failure` says that the other API does not answer either. Returns the first API's failure. */
  turnBack({ kind }: GatewayError, entry: EntryName): GatewayError | undefined {
    const turn = this.#turns.get(entry);
    if (turn === undefined || this.at(entry) === turn.from || !refusals.has(kind)) return undefined;
    if (turn.from === "chatCompletions") this.#options.memory(entry).learnVain(turn.unserved, this.#options.now());
    this.#chosen.set(entry, turn.from);
    return turn.failure;
  }
}
