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

/** Failures that say that an API does not answer the question, as opposed to not now. */
const refusals: ReadonlySet<GatewayErrorKind> = new Set(["rejected", "notFound", "modelNotFound"]);

/** Chooses the API through which one operation asks each entry. An entry's API changes once at the most. */
export class ApiChoice {
  readonly #options: ApiChoiceOptions;
  readonly #chosen = new Map<EntryName, TextApi>();
  readonly #turned = new Map<EntryName, Unserved>();

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

  /** Turns to the other API if `failure`, of a request with the undocumented `fields`, says that it serves the model. */
  revise(failure: GatewayError, entry: EntryName, fields: readonly string[]): boolean {
    const { model, hasTools } = this.#options;
    if (!this.isAuto || this.#turned.has(entry)) return false;
    const memory = this.#options.memory(entry);
    const api = this.at(entry);
    const unserved = unservedBy(failure, { api, model, hasTools, fields });
    // The path is gone, so the next question asks anew.
    if (api === "responses" && (unserved !== undefined || failure.kind === "notFound")) memory.forget();
    if (unserved === undefined || (api === "chatCompletions" && memory.isVain(unserved, this.#options.now())))
      return false;
    this.#turned.set(entry, unserved);
    this.#chosen.set(entry, api === "responses" ? "chatCompletions" : "responses");
    return true;
  }

  /** Learns from an answer of `entry`. */
  learn(entry: EntryName): void {
    const unserved = this.#turned.get(entry);
    if (unserved !== undefined && this.at(entry) === "responses") this.#options.memory(entry).learn(unserved);
  }

  /** Learns from a failure that no other request can help. */
  learnVain({ kind }: GatewayError, entry: EntryName): void {
    const unserved = this.#turned.get(entry);
    if (unserved === undefined || this.at(entry) !== "responses" || !refusals.has(kind)) return;
    this.#options.memory(entry).learnVain(unserved, this.#options.now());
  }
}
