import { createHash } from "node:crypto";
import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { Memory } from "../policy/memory.ts";
import type { AnswerItems, ChatRequest, EntryName, GatewaySettings, TextApi } from "../types.ts";
import { fieldsOf, withoutItems } from "../wire/requestBodies.ts";
import { isFormRefusal, refusalOf } from "./refusal.ts";

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

/** Fields that the other API may take, and that are not given up before it was asked. */
const movable: ReadonlySet<string> = new Set(["tools", "reasoning_effort", "input"]);

/** Failures that say that an API does not answer the question, as opposed to not now, where it has never answered one. */
const unserved: ReadonlySet<GatewayErrorKind> = new Set([
  ...["rejected", "notFound", "modelNotFound", "redirected"],
  ...["serverError", "badGateway", "empty", "unreadable"],
] as const);

/** Those of them that will not pass. */
const inVain: ReadonlySet<GatewayErrorKind> = new Set(["rejected", "notFound", "modelNotFound", "redirected"]);

/** The settings that turn undocumented fields off. */
type TextSettings = Pick<GatewaySettings, "streaming" | "toolCalling">;

/** How an entry is asked. */
interface Choice {
  api: TextApi;
  /** Whether `api` is responses, and has answered such questions. */
  readonly isProven: boolean;
  /** The refusal that was answered by a try: the other API, or fewer fields on a guess. */
  first?: GatewayError;
  /** The API that is tried in place of the first. */
  tried?: TextApi;
  /** Whether the policy was left to try that once more, after a failure that may pass. */
  isRetried?: boolean;
  /** Fields that the entry has named when it refused them. */
  readonly named: { readonly api: TextApi; readonly field: string }[];
}

/**
 * How one operation asks each entry: through which API, and with which undocumented fields. Each refusal changes the next
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
  /** What was omitted on a guess, once with each API, and at which entry. */
  readonly #guesses = new Map<TextApi, { readonly entry: EntryName; readonly fields: readonly string[] }>();

  constructor(request: ChatRequest, settings: TextSettings, memory: Memory) {
    this.#request = request;
    this.#memory = memory;
    this.#switchedOff = switchedOffFields(settings);
    this.#hasTools = request.tools !== undefined && request.tools.length > 0 && !this.#switchedOff.has("tools");
  }

  /** How to ask an entry: through which API, what, and without which fields. */
  at(entry: EntryName): { readonly api: TextApi; readonly asked: ChatRequest; readonly omitted: ReadonlySet<string> } {
    const { api } = this.#choice(entry);
    const { named, guess } = this.#subjects(entry);
    const refused = this.#switchedOff.union(this.#memory.known(named)).union(this.#dropped[api]);
    const guessed = this.#memory.known(guess);
    const omitted = guessed.has(confirmed) ? refused.union(guessable.intersection(guessed)) : refused;
    const isText = omitted.has(api === "responses" ? "input" : "messages");
    return { api, asked: this.#askedOf(entry), omitted: isText ? omitted.union(new Set(inLists)) : omitted };
  }

  /**
   * Changes what `failure` refuses, if that makes the question worth asking again; else returns the error to show. That is
   * the first one where a try was in vain. `left`: how many requests are left; the last one must do without everything
   * that may be at fault.
   */
  revise(failure: GatewayError, entry: EntryName, left: number): GatewayError | undefined {
    const choice = this.#choice(entry);
    const { first = failure, tried } = choice;
    if (tried !== undefined && tried === choice.api && unserved.has(failure.kind) && !this.#mayOmit(failure, entry)) {
      if (!inVain.has(failure.kind) && choice.isRetried !== true) {
        choice.isRetried = true;
        return failure;
      }
      if (tried === "responses" && inVain.has(failure.kind)) this.#learnResponses(entry, "refused");
      choice.api = otherThan(tried);
      return left > 0 && this.#omit(first, entry, left) ? undefined : first;
    }
    if (left > 0 && (this.#tryOther(failure, entry, left) || this.#omit(failure, entry, left))) return undefined;
    return inVain.has(failure.kind) ? first : failure;
  }

  /** Learns from a successful request to `entry` without the fields in `omitted`. */
  learn(entry: EntryName, omitted: ReadonlySet<string>): void {
    const { api, isProven, named, tried } = this.#choice(entry);
    const subjects = this.#subjects(entry);
    const used = fieldsOf(api, this.#askedOf(entry), omitted);
    // Without tools, chat completions come first unless these have refused.
    const isNews = this.#hasTools || tried === api || isProven;
    if (api === "responses" && isNews) this.#learnResponses(entry, "answered");
    if (api === "chatCompletions" && tried === api) this.#learnResponses(entry, "refused");
    if (!this.#memory.known(subjects.guess).isDisjointFrom(new Set(used))) this.#memory.forget(subjects.guess);
    const confirmedNames = named.filter((one) => one.api === api).map(({ field }) => field);
    this.#memory.learn(subjects.named, confirmedNames);
    const guessed = this.#guesses.get(api);
    if (guessed?.entry === entry) this.#learnGuess(subjects.guess, guessed.fields);
  }

  /** The undocumented fields that are omitted because the gateway rejects them. */
  dropped(entry: EntryName): readonly string[] {
    const { api, asked, omitted } = this.at(entry);
    return fieldsOf(api, asked, new Set()).filter((field) => omitted.has(field));
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

  #fieldRefusedIn(failure: GatewayError, entry: EntryName): ReturnType<typeof refusalOf> {
    const { api, asked, omitted } = this.at(entry);
    return refusalOf(failure, fieldsOf(api, asked, omitted));
  }

  /** Whether a refusal names a field that the API tried does not take, while the first has refused something else. */
  #mayOmit(failure: GatewayError, entry: EntryName): boolean {
    const refusal = this.#fieldRefusedIn(failure, entry);
    const { first } = this.#choice(entry);
    return typeof refusal === "object" && refusal.isGuess !== true && first?.field !== refusal.field;
  }

  /** Turns to the other API, once, after a refusal that names no field that can be omitted. */
  #tryOther(failure: GatewayError, entry: EntryName, left: number): boolean {
    const choice = this.#choice(entry);
    const { api, isProven } = choice;
    const { api: wanted = "auto" } = this.#request;
    if (wanted === "chatCompletions" || wanted === "responses" || choice.first !== undefined) return false;
    const hasRefused = this.#memory.known(this.#responsesAt(entry)).has("refused");
    if (api === "chatCompletions" && hasRefused) return false;
    const isDoubtful = api === "responses" && !isProven;
    if (!(isDoubtful ? unserved.has(failure.kind) : isFormRefusal(failure))) return false;
    const refusal = this.#fieldRefusedIn(failure, entry);
    const field =
      typeof refusal === "object" && (refusal.isGuess !== true || refusal.field === "items") && refusal.field;
    if (field && !(movable.has(field) && !isProven)) return false;
    const isElsewhere = failure.field !== undefined && failure.field !== "model" && !movable.has(failure.field);
    if (!field && isElsewhere && !isDoubtful) return false;
    const { omitted } = this.at(entry);
    choice.first = failure;
    choice.api = choice.tried = otherThan(api);
    if (left === 1) this.#drop(choice.api, omitted);
    return true;
  }

  /** Omits the field that an entry names, or on a guess, once, all that is not documented. Returns whether there is any. */
  #omit(failure: GatewayError, entry: EntryName, left: number): boolean {
    const choice = this.#choice(entry);
    const { api, asked, omitted } = this.at(entry);
    const used = fieldsOf(api, asked, omitted);
    const refusal = refusalOf(failure, used);
    if (refusal === undefined) return false;
    // The documented form of `messages` has other roles too, that of `input` is one string.
    const optional = used.filter((field) => field !== "messages");
    if (refusal !== "unclear") {
      const { field, isForm, isGuess = false } = refusal;
      // They stay refused in the rest of the turn, while those of newer answers may be taken.
      if (field === "items") this.#memory.learn(refusedItems(entry), itemsIn(asked).map(hashOf));
      else if (isForm || !forms.has(field)) choice.named.push({ api, field });
      if (isGuess && field !== "items") choice.first ??= failure;
      this.#drop(api, [field, ...(left === 1 ? optional : [])]);
      return true;
    }
    if (this.#guesses.has(api) || optional.length === 0) return false;
    choice.first ??= failure;
    this.#guesses.set(api, { entry, fields: optional });
    // A request that followed an earlier guess was rejected, but what that omitted stays out of this repetition.
    const { guess } = this.#subjects(entry);
    if (this.#memory.known(guess).has(confirmed)) this.#memory.forget(guess);
    this.#drop(api, [...omitted, ...optional]);
    return true;
  }

  #drop(api: TextApi, fields: Iterable<string>): void {
    for (const field of fields) this.#dropped[api].add(field);
  }

  /** Learns what responses did with such a question, in place of what they did before. */
  #learnResponses(entry: EntryName, fact: "answered" | "refused"): void {
    this.#memory.forget(this.#responsesAt(entry));
    this.#memory.learn(this.#responsesAt(entry), [fact]);
  }

  /** A guess counts once a second one in a row confirms it: there are other reasons to reject. */
  #learnGuess(guess: string, omitted: readonly string[]): void {
    const suspects = guessable.intersection(new Set(omitted));
    if (suspects.size === 0) return;
    const isConfirmed = suspects.isSubsetOf(this.#memory.known(guess));
    this.#memory.forget(guess);
    this.#memory.learn(guess, isConfirmed ? [...suspects, confirmed] : suspects);
  }

  /** The subject of what an entry did with such questions through responses. */
  #responsesAt(entry: EntryName): string {
    return `responses ${entry} ${this.#request.model} ${this.#hasTools ? "with tools" : ""}`;
  }

  /** Subjects: fields that the gateway named, and those of the last guess. */
  #subjects(entry: EntryName): Record<"named" | "guess", string> {
    const { model, reasoningEffort: effort = "", tools = [] } = this.#request;
    // An effort may be refused for its value, or only together with tools.
    const withTools = effort !== "" && tools.length > 0 ? "with tools" : "";
    const requests = [entry, this.#choice(entry).api, model, effort, withTools].join(" ");
    return { named: `named ${requests}`, guess: `guess ${requests}` };
  }
}

function otherThan(api: TextApi): TextApi {
  return api === "responses" ? "chatCompletions" : "responses";
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
