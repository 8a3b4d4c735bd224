import { createHash } from "node:crypto";
import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { Memory } from "../policy/memory.ts";
import type { AnswerItems, ChatRequest, EntryName, GatewaySettings, TextApi } from "../types.ts";
import { fieldsOf, withoutItems } from "../wire/requestBodies.ts";
import type { Refused } from "./finalError.ts";
import { type NamedField, refusalOf, type Unserved, unservedBy } from "./refusal.ts";

/** How long something that may be wrong, or may pass, is believed, in milliseconds. */
const tenMinutes = 600_000;

/** Fields that later requests may omit on a guess. Without them an answer comes later, or with the usual effort. */
const guessable: ReadonlySet<string> = new Set([
  ...["stream", "stream_options", "reasoning_effort"],
  ...["prompt_cache_key", "include", "store"],
]);

/** What is known of a guess, besides its fields, once a second one has confirmed it. */
const confirmed = "confirmed";

/** Fields with the conversation. Their rejection depends on the conversation and says nothing about the next one. */
const forms: ReadonlySet<string> = new Set(["messages", "input", "images"]);

/** What only the list forms of a conversation can have. */
const inLists = ["images", "items"];

/** Failures that say that an API does not answer the question, as opposed to not now. */
const refusals: ReadonlySet<GatewayErrorKind> = new Set(["rejected", "notFound", "modelNotFound"]);

/** The same where nothing is known of the API yet. */
const doubts: ReadonlySet<GatewayErrorKind> = new Set([
  ...refusals,
  ...(["serverError", "badGateway", "empty", "unreadable"] as const),
]);

/** The settings that turn undocumented fields off. */
type TextSettings = Pick<GatewaySettings, "streaming" | "toolCalling">;

/** A turn to the other API, because `failure` says that it serves the model. */
interface Turn {
  readonly from: TextApi;
  readonly unserved: Unserved;
  readonly failure: GatewayError;
}

/** A field that an entry named when it refused it. */
interface Named extends NamedField {
  readonly entry: EntryName;
  readonly api: TextApi;
}

/**
 * How one operation asks each entry: through which API, and with which undocumented fields. Each refusal changes the next
 * request, and what an answer then confirms is remembered for later operations.
 */
export class TextPlan {
  readonly #request: ChatRequest;
  readonly #memory: Memory;
  readonly #switchedOff: ReadonlySet<string>;
  readonly #hasTools: boolean;
  readonly #apis = new Map<EntryName, TextApi>();
  /** Entries that are asked through responses although chat completions may serve the model, too. */
  readonly #preferred = new Set<EntryName>();
  /** An entry's API changes once at the most. */
  readonly #turns = new Map<EntryName, Turn>();
  /** Fields that this operation leaves out from now on. */
  readonly #dropped: Readonly<Record<TextApi, Set<string>>> = { chatCompletions: new Set(), responses: new Set() };
  /** What was left out on a guess, once with each API, and at which entry. */
  readonly #guesses = new Map<TextApi, { readonly entry: EntryName; readonly fields: readonly string[] }>();
  readonly #named: Named[] = [];

  constructor(request: ChatRequest, settings: TextSettings, memory: Memory) {
    this.#request = request;
    this.#memory = memory;
    this.#switchedOff = switchedOffFields(settings);
    this.#hasTools = request.tools !== undefined && request.tools.length > 0 && !this.#switchedOff.has("tools");
  }

  /** How to ask an entry: through which API, what, and without which fields. */
  at(entry: EntryName): { readonly api: TextApi; readonly asked: ChatRequest; readonly left: ReadonlySet<string> } {
    const api = this.#apiAt(entry);
    const { named, guess } = this.#fields(entry, api);
    const refused = this.#switchedOff.union(this.#memory.known(named)).union(this.#dropped[api]);
    const guessed = this.#memory.known(guess);
    const left = guessed.has(confirmed) ? refused.union(guessable.intersection(guessed)) : refused;
    const isText = left.has(api === "responses" ? "input" : "messages");
    return { api, asked: this.#askedOf(entry), left: isText ? left.union(new Set(inLists)) : left };
  }

  /**
   * Changes what `failure` rejects, if that makes the request worth repeating. `isLast`: only one request is left, so it
   * must do without everything that may be at fault.
   */
  revise(failure: GatewayError, entry: EntryName, isLast: boolean): Refused["by"] | undefined {
    const { left } = this.at(entry);
    if (this.#leavesPreferred(failure, entry)) {
      if (isLast) this.#drop(this.#apiAt(entry), left);
      return "api";
    }
    const verdict = this.#reviseApi(failure, entry);
    if (verdict === "turned") {
      if (isLast) this.#drop(this.#apiAt(entry), left);
      return "api";
    }
    // There is nothing to guess about a refusal of the API.
    const by = this.#reviseFields(failure, entry, { isLast, mayGuess: verdict === undefined });
    if (by !== undefined) return by;
    const turn = this.#turns.get(entry);
    if (turn === undefined || this.#apiAt(entry) === turn.from || !refusals.has(failure.kind)) return undefined;
    // Neither API answers. The first may take the question without a field that it named, such as `reasoning_effort`.
    if (turn.from === "chatCompletions") this.#memory.learn(this.#served(entry).byNone, [turn.unserved], tenMinutes);
    this.#apis.set(entry, turn.from);
    return this.#reviseFields(turn.failure, entry, { isLast, mayGuess: false });
  }

  /** Learns from a successful request to `entry` without the fields in `left`. */
  learn(entry: EntryName, left: ReadonlySet<string>): void {
    const api = this.#apiAt(entry);
    const { taken, guess } = this.#fields(entry, api);
    const used = fieldsOf(api, this.#askedOf(entry), left);
    this.#memory.learn(taken, used);
    if (api === "responses") this.#memory.learn(this.#served(entry).preferred, ["tools"], tenMinutes);
    if (!this.#memory.known(guess).isDisjointFrom(new Set(used))) this.#memory.forget(guess);
    const turn = this.#turns.get(entry);
    if (turn !== undefined && api === "responses") {
      const { byResponses, byNone } = this.#served(entry);
      this.#memory.learn(byResponses, [turn.unserved]);
      this.#memory.forget(byNone);
    }
    for (const named of this.#named) if (named.api === api) this.#learnNamed(named);
    const guessed = this.#guesses.get(api);
    if (guessed?.entry === entry) this.#learnGuess(guess, guessed.fields);
  }

  /** The undocumented fields that are left out because the gateway rejects them. */
  dropped(entry: EntryName): readonly string[] {
    const { api, asked, left } = this.at(entry);
    return fieldsOf(api, asked, new Set()).filter((field) => left.has(field));
  }

  #apiAt(entry: EntryName): TextApi {
    const { api = "auto" } = this.#request;
    if (api === "chatCompletions" || api === "responses") return api;
    const earlier = this.#apis.get(entry);
    if (earlier !== undefined) return earlier;
    const { byResponses, preferred, unpreferred } = this.#served(entry);
    const known = this.#memory.known(byResponses);
    const isByResponses = known.has("model") || (this.#hasTools && known.has("tools"));
    const hasAnswered = api === "responsesFirst" || this.#memory.known(preferred).has("tools");
    const isPreferred = this.#hasTools && hasAnswered && !this.#memory.known(unpreferred).has("tools");
    if (isPreferred && !isByResponses) this.#preferred.add(entry);
    const chosen = isByResponses || isPreferred ? "responses" : "chatCompletions";
    this.#apis.set(entry, chosen);
    return chosen;
  }

  /** The request without what an entry gave no other one: the items of other entries and models, and those that it refused. */
  #askedOf(entry: EntryName): ChatRequest {
    const { messages, model } = this.#request;
    const refused = this.#memory.known(refusedItems(entry));
    const returns = (items: AnswerItems): boolean =>
      items.entry === entry && items.model === model && (refused.size === 0 || !refused.has(hashOf(items)));
    const own = messages.map((message) =>
      message.role === "assistant" && message.items && !returns(message.items) ? withoutItems(message) : message,
    );
    return { ...this.#request, messages: own };
  }

  /** Turns to chat completions where responses were a preference, and do not take the tools or the conversation. */
  #leavesPreferred(failure: GatewayError, entry: EntryName): boolean {
    const { preferred, unpreferred } = this.#served(entry);
    const reasons = this.#memory.known(preferred).has("tools") ? refusals : doubts;
    if (!this.#preferred.has(entry) || this.#apiAt(entry) !== "responses" || !reasons.has(failure.kind)) return false;
    const { api, asked, left } = this.at(entry);
    const refusal = refusalOf(failure, fieldsOf(api, asked, left));
    const isOptional = typeof refusal === "object" && refusal.field !== "tools" && refusal.field !== "input";
    if (isOptional) return false;
    this.#memory.forget(preferred);
    this.#memory.learn(unpreferred, ["tools"], tenMinutes);
    this.#turns.set(entry, { from: "responses", unserved: "tools", failure });
    this.#apis.set(entry, "chatCompletions");
    return true;
  }

  /** `turned`: the other API is asked now. `refused`: the failure says that it serves the model, but it is not asked. */
  #reviseApi(failure: GatewayError, entry: EntryName): "turned" | "refused" | undefined {
    const { api, asked, left } = this.at(entry);
    const fields = fieldsOf(api, asked, left);
    const { model, api: fixed = "auto" } = this.#request;
    const unserved = unservedBy(failure, { api, model, hasTools: this.#hasTools, fields });
    if (fixed === api || this.#turns.has(entry)) return unserved && "refused";
    const { byResponses, byNone } = this.#served(entry);
    // Where its path is gone, the next question asks anew.
    if (api === "responses" && (unserved !== undefined || failure.kind === "notFound")) {
      this.#memory.forget(byResponses);
    }
    if (unserved === undefined) return undefined;
    if (api === "chatCompletions" && this.#memory.known(byNone).has(unserved)) return "refused";
    this.#turns.set(entry, { from: api, unserved, failure });
    this.#apis.set(entry, api === "responses" ? "chatCompletions" : "responses");
    return "turned";
  }

  /** `named`: the gateway named the field that is left out. `guess`: the reason may be another one. */
  #reviseFields(
    failure: GatewayError,
    entry: EntryName,
    { isLast, mayGuess }: { readonly isLast: boolean; readonly mayGuess: boolean },
  ): "named" | "guess" | undefined {
    const { api, asked, left } = this.at(entry);
    const used = fieldsOf(api, asked, left);
    const refusal = refusalOf(failure, used);
    if (refusal === undefined) return undefined;
    // The documented form of `messages` has other roles too, that of `input` is one string.
    const optional = used.filter((field) => field !== "messages");
    if (refusal !== "unclear") {
      // They stay refused in the rest of the turn, while those of newer answers may be taken.
      if (refusal.field === "items") this.#memory.learn(refusedItems(entry), itemsIn(asked).map(hashOf), tenMinutes);
      else this.#named.push({ entry, api, ...refusal });
      this.#drop(api, [refusal.field, ...(isLast ? optional : [])]);
      return refusal.isGuess ? "guess" : "named";
    }
    if (!mayGuess || this.#guesses.has(api) || optional.length === 0) return undefined;
    this.#guesses.set(api, { entry, fields: optional });
    // A request that followed an earlier guess was rejected, but what that left out stays out of this repetition.
    const { guess } = this.#fields(entry, api);
    if (this.#memory.known(guess).has(confirmed)) this.#memory.forget(guess);
    this.#drop(api, [...left, ...optional]);
    return "guess";
  }

  #drop(api: TextApi, fields: Iterable<string>): void {
    for (const field of fields) this.#dropped[api].add(field);
  }

  /** A field that the gateway had taken before is left out for a while only: it routes to several upstreams. */
  #learnNamed({ entry, api, field, isForm }: Named): void {
    if (forms.has(field) && !isForm) return;
    const { named, taken } = this.#fields(entry, api);
    this.#memory.learn(named, [field], this.#memory.known(taken).has(field) ? tenMinutes : Infinity);
  }

  /** A guess counts once a second one in a row confirms it, and for a while only: there are other reasons to reject. */
  #learnGuess(guess: string, left: readonly string[]): void {
    const suspects = guessable.intersection(new Set(left));
    if (suspects.size === 0) return;
    const isConfirmed = suspects.isSubsetOf(this.#memory.known(guess));
    this.#memory.forget(guess);
    if (isConfirmed) this.#memory.learn(guess, [...suspects, confirmed], tenMinutes);
    else this.#memory.learn(guess, suspects);
  }

  /** Subjects: fields that the gateway named and took, and those of the last guess. */
  #fields(entry: EntryName, api: TextApi): Record<"named" | "taken" | "guess", string> {
    const { model, reasoningEffort: effort = "", tools = [] } = this.#request;
    // An effort may be refused for its value, or only together with tools.
    const requests = [entry, api, model, effort, effort !== "" && tools.length > 0 ? "with tools" : ""].join(" ");
    return { named: `named ${requests}`, taken: `taken ${requests}`, guess: `guess ${requests}` };
  }

  /**
   * Subjects: what an entry serves through responses only, the `model` or `tools` with it, and what through none. Where it
   * has answered through responses, these are `preferred` for tools, unless they have refused a question with tools.
   */
  #served(entry: EntryName): Record<"byResponses" | "byNone" | "preferred" | "unpreferred", string> {
    const { model } = this.#request;
    const subject = `${entry} ${model}`;
    return {
      byResponses: `by responses ${subject}`,
      byNone: `by none ${subject}`,
      preferred: `preferred ${subject}`,
      unpreferred: `unpreferred ${subject}`,
    };
  }
}

/** The subject of the items that an entry has refused, such as those of another account behind it. */
function refusedItems(entry: EntryName): string {
  return `refused items ${entry}`;
}

function itemsIn({ messages }: ChatRequest): readonly AnswerItems[] {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.items ?? []) : []));
}

function hashOf({ items }: AnswerItems): string {
  return createHash("sha256").update(JSON.stringify(items)).digest("base64");
}

/** Undocumented fields that the settings turn off. */
function switchedOffFields({ streaming, toolCalling }: TextSettings): ReadonlySet<string> {
  const [noStream, noTools] = [streaming === "off", toolCalling === "off"];
  const form = noStream && noTools ? ["input", "images", "items"] : [];
  return new Set([...(noStream ? ["stream", "prompt_cache_key"] : []), ...(noTools ? ["tools"] : []), ...form]);
}
