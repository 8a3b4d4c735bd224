import { createHash } from "node:crypto";
import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { Memory } from "../policy/memory.ts";
import type { AnswerItems, ChatRequest, EntryName, GatewaySettings, TextApi } from "../types.ts";
import { fieldsOf, withoutItems } from "../wire/requestBodies.ts";
import { isFormRefusal, refusalOf } from "./refusal.ts";

/** Fields that later requests may omit on a guess. They change the speed or the effort of an answer, not its content. */
const guessable: ReadonlySet<string> = new Set([
  ...["stream", "stream_options", "reasoning_effort"],
  ...["prompt_cache_key", "include", "store"],
]);

/** Marks guessed fields that the success of a second guess has confirmed. */
const confirmed = "confirmed";

/** Fields with the conversation. Their rejection depends on the conversation, so it is not remembered. */
const conversationFields: ReadonlySet<string> = new Set(["messages", "input", "images"]);

/** What only the list form of a conversation can carry. */
const listOnly = ["images", "items"];

/** Fields that the other API may accept, so that it is tried before they are omitted. */
const otherApiFirst: ReadonlySet<string> = new Set(["tools", "reasoning_effort", "input"]);

/** Failures that may mean that an API does not serve the request, if it has never answered one. */
const apiMismatches: ReadonlySet<GatewayErrorKind> = new Set([
  ...["rejected", "notFound", "modelNotFound", "redirected"],
  ...["serverError", "badGateway", "empty", "unreadable"],
] as const);

/** Those of them that are not temporary. */
const permanentMismatches: ReadonlySet<GatewayErrorKind> = new Set([
  "rejected",
  "notFound",
  "modelNotFound",
  "redirected",
]);

/** The settings that turn undocumented fields off. */
type TextSettings = Pick<GatewaySettings, "streaming" | "toolCalling">;

/** The form of the requests to an entry. */
interface Choice {
  api: TextApi;
  /** Whether `api` is responses, and has answered such requests. */
  readonly isProven: boolean;
  /** The refusal that led to trying the other API, or fewer fields on a guess. */
  first?: GatewayError;
  /** The API that was tried second. */
  tried?: TextApi;
  /** Whether the policy may have retried that once, after a temporary failure. */
  isRetried?: boolean;
  /** Fields that the entry has rejected by name. */
  readonly named: { readonly api: TextApi; readonly field: string }[];
}

/**
 * The form of one operation's requests to each entry: the API, and the undocumented fields. Each refusal changes the next
 * request, and what an answer then confirms is remembered for ten minutes.
 */
export class TextPlan {
  readonly #request: ChatRequest;
  readonly #memory: Memory;
  readonly #switchedOff: ReadonlySet<string>;
  readonly #hasTools: boolean;
  readonly #choices = new Map<EntryName, Choice>();
  /** Fields that this operation omits from now on. */
  readonly #dropped: Readonly<Record<TextApi, Set<string>>> = { chatCompletions: new Set(), responses: new Set() };
  /** The fields omitted on a guess, once for each API, and the entry. */
  readonly #guesses = new Map<TextApi, { readonly entry: EntryName; readonly fields: readonly string[] }>();

  constructor(request: ChatRequest, settings: TextSettings, memory: Memory) {
    this.#request = request;
    this.#memory = memory;
    this.#switchedOff = switchedOffFields(settings);
    this.#hasTools = request.tools !== undefined && request.tools.length > 0 && !this.#switchedOff.has("tools");
  }

  /** The next request to an entry: the API, the request, and the fields to omit. */
  at(entry: EntryName): {
    readonly api: TextApi;
    readonly request: ChatRequest;
    readonly omitted: ReadonlySet<string>;
  } {
    const { api } = this.#choice(entry);
    const { named, guess } = this.#subjects(entry);
    const refused = this.#switchedOff.union(this.#memory.known(named)).union(this.#dropped[api]);
    const guessed = this.#memory.known(guess);
    const omitted = guessed.has(confirmed) ? refused.union(guessable.intersection(guessed)) : refused;
    const isText = omitted.has(api === "responses" ? "input" : "messages");
    return { api, request: this.#requestFor(entry), omitted: isText ? omitted.union(new Set(listOnly)) : omitted };
  }

  /**
   * Changes what `failure` refuses, if that makes another request worthwhile; else returns the error to show, which is the
   * first one if trying something else did not help. `left`: number of remaining requests; the last one omits everything
   * that may be at fault.
   */
  revise(failure: GatewayError, entry: EntryName, left: number): GatewayError | undefined {
    const choice = this.#choice(entry);
    const { first = failure, tried } = choice;
    if (
      tried !== undefined &&
      tried === choice.api &&
      apiMismatches.has(failure.kind) &&
      !this.#namesOtherField(failure, entry)
    ) {
      if (!permanentMismatches.has(failure.kind) && choice.isRetried !== true) {
        choice.isRetried = true;
        return failure;
      }
      if (tried === "responses" && permanentMismatches.has(failure.kind)) this.#learnResponses(entry, "refused");
      choice.api = otherApi(tried);
      return left > 0 && this.#omit(first, entry, left) ? undefined : first;
    }
    if (left > 0 && (this.#tryOther(failure, entry, left) || this.#omit(failure, entry, left))) return undefined;
    return permanentMismatches.has(failure.kind) ? first : failure;
  }

  /** Learns from a successful request to `entry` without the fields in `omitted`. */
  learn(entry: EntryName, omitted: ReadonlySet<string>): void {
    const { api, isProven, named, tried } = this.#choice(entry);
    const subjects = this.#subjects(entry);
    // Without tools, chat completions come first unless they have refused.
    const isInformative = this.#hasTools || tried === api || isProven;
    if (api === "responses" && isInformative) this.#learnResponses(entry, "answered");
    if (api === "chatCompletions" && tried === api) this.#learnResponses(entry, "refused");
    const guesses = this.#memory.known(subjects.guess);
    const used = guesses.size === 0 ? [] : fieldsOf(api, this.#requestFor(entry), omitted);
    if (used.some((field) => guesses.has(field))) this.#memory.forget(subjects.guess);
    const confirmedNames = named.filter((one) => one.api === api).map(({ field }) => field);
    this.#memory.learn(subjects.named, confirmedNames);
    const guessed = this.#guesses.get(api);
    if (guessed?.entry === entry) this.#learnGuess(subjects.guess, guessed.fields);
  }

  /** The undocumented fields that are omitted because the gateway rejects them. */
  dropped(entry: EntryName): readonly string[] {
    const { api, request, omitted } = this.at(entry);
    return omitted.size === 0 ? [] : fieldsOf(api, request, new Set()).filter((field) => omitted.has(field));
  }

  #choice(entry: EntryName): Choice {
    const known = this.#choices.get(entry);
    if (known) return known;
    const { api = "auto" } = this.#request;
    const facts = this.#memory.known(this.#responsesAt(entry));
    const isProven = facts.has("answered");
    const isFirst = isProven || (api === "responsesFirst" && this.#hasTools && !facts.has("refused"));
    const auto = isFirst ? "responses" : "chatCompletions";
    const isFixed = api === "chatCompletions" || api === "responses";
    const choice = { api: isFixed ? api : auto, isProven, named: [] };
    this.#choices.set(entry, choice);
    return choice;
  }

  /** The request without the items of other entries and models, and without those that the entry has refused. */
  #requestFor(entry: EntryName): ChatRequest {
    const { messages, model } = this.#request;
    const refused = this.#memory.known(refusedItems(entry));
    const returns = (items: AnswerItems): boolean =>
      items.entry === entry && items.model === model && (refused.size === 0 || !refused.has(hashOf(items)));
    const accepted = messages.map((message) =>
      message.role === "assistant" && message.items && !returns(message.items) ? withoutItems(message) : message,
    );
    return { ...this.#request, messages: accepted };
  }

  /** The last request to an entry, and what its failure refuses. */
  #refused(failure: GatewayError, entry: EntryName) {
    const form = this.at(entry);
    const used = fieldsOf(form.api, form.request, form.omitted);
    return { ...form, used, refusal: refusalOf(failure, used) };
  }

  /** Whether a refusal names another field than the first refusal did. */
  #namesOtherField(failure: GatewayError, entry: EntryName): boolean {
    const { refusal } = this.#refused(failure, entry);
    const { first } = this.#choice(entry);
    return typeof refusal === "object" && refusal.isGuess !== true && first?.field !== refusal.field;
  }

  /** Moves to the other API, once, after a refusal that names no field that can be omitted. */
  #tryOther(failure: GatewayError, entry: EntryName, left: number): boolean {
    const choice = this.#choice(entry);
    const { api, isProven } = choice;
    const { api: requested = "auto" } = this.#request;
    if (requested === "chatCompletions" || requested === "responses" || choice.first !== undefined) return false;
    const hasRefused = this.#memory.known(this.#responsesAt(entry)).has("refused");
    if (api === "chatCompletions" && hasRefused) return false;
    const isUnproven = api === "responses" && !isProven;
    if (!(isUnproven ? apiMismatches.has(failure.kind) : isFormRefusal(failure))) return false;
    const { omitted, refusal } = this.#refused(failure, entry);
    const field =
      typeof refusal === "object" && (refusal.isGuess !== true || refusal.field === "items") && refusal.field;
    if (field && !(otherApiFirst.has(field) && !isProven)) return false;
    const namesOtherField =
      failure.field !== undefined && failure.field !== "model" && !otherApiFirst.has(failure.field);
    if (!field && namesOtherField && !isUnproven) return false;
    choice.first = failure;
    choice.api = choice.tried = otherApi(api);
    if (left === 1) this.#drop(choice.api, omitted);
    return true;
  }

  /** Omits the field that an entry names, or, once, all undocumented fields on a guess. Returns whether there are any. */
  #omit(failure: GatewayError, entry: EntryName, left: number): boolean {
    const choice = this.#choice(entry);
    const { api, request, omitted, used, refusal } = this.#refused(failure, entry);
    if (refusal === undefined) return false;
    // The documented form of `messages` has other roles too, that of `input` is one string.
    const optional = used.filter((field) => field !== "messages");
    if (refusal !== "unclear") {
      const { field, isForm, isGuess = false } = refusal;
      // Items of later answers may still be accepted.
      if (field === "items") this.#memory.learn(refusedItems(entry), itemsIn(request).map(hashOf));
      else if (isForm || !conversationFields.has(field)) choice.named.push({ api, field });
      if (isGuess && field !== "items") choice.first ??= failure;
      this.#drop(api, [field, ...(left === 1 ? optional : [])]);
      return true;
    }
    if (this.#guesses.has(api) || optional.length === 0) return false;
    choice.first ??= failure;
    this.#guesses.set(api, { entry, fields: optional });
    // The earlier guess did not help, but this request still omits its fields.
    const { guess } = this.#subjects(entry);
    if (this.#memory.known(guess).has(confirmed)) this.#memory.forget(guess);
    this.#drop(api, [...omitted, ...optional]);
    return true;
  }

  #drop(api: TextApi, fields: Iterable<string>): void {
    for (const field of fields) this.#dropped[api].add(field);
  }

  /** Learns how responses have answered such a request, replacing what was known. */
  #learnResponses(entry: EntryName, fact: "answered" | "refused"): void {
    this.#memory.forget(this.#responsesAt(entry));
    this.#memory.learn(this.#responsesAt(entry), [fact]);
  }

  /** A guess counts once a second one in a row confirms it, because a rejection can have other reasons. */
  #learnGuess(guess: string, omitted: readonly string[]): void {
    const suspects = guessable.intersection(new Set(omitted));
    if (suspects.size === 0) return;
    const isConfirmed = suspects.isSubsetOf(this.#memory.known(guess));
    this.#memory.forget(guess);
    this.#memory.learn(guess, isConfirmed ? [...suspects, confirmed] : suspects);
  }

  /** The subject of how an entry answers such requests through responses. */
  #responsesAt(entry: EntryName): string {
    return `responses ${entry} ${this.#request.model} ${this.#hasTools ? "with tools" : ""}`;
  }

  /** The subjects of rejected fields: those that the gateway named, and those of the last guess. */
  #subjects(entry: EntryName): Record<"named" | "guess", string> {
    const { model, reasoningEffort: effort = "", tools = [] } = this.#request;
    // An effort may be refused for its value, or only together with tools.
    const withTools = effort !== "" && tools.length > 0 ? "with tools" : "";
    const requests = [entry, this.#choice(entry).api, model, effort, withTools].join(" ");
    return { named: `named ${requests}`, guess: `guess ${requests}` };
  }
}

function otherApi(api: TextApi): TextApi {
  return api === "responses" ? "chatCompletions" : "responses";
}

/** The subject of the items that an entry has refused, for example because they belong to another account behind it. */
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
