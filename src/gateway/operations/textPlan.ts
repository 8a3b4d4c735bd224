import { createHash } from "node:crypto";
import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { Memory } from "../policy/memory.ts";
import type { AnswerItems, ChatRequest, EntryName, GatewaySettings, TextApi } from "../types.ts";
import { fieldsOf, withoutItems } from "../wire/requestBodies.ts";
import { refusesShape, type Refusal, refusalOf } from "./refusal.ts";

/** Fields that later requests may omit on a guess. They change the speed or the effort of an answer, not its content. */
const guessable: ReadonlySet<string> = new Set([
  ...["stream", "stream_options", "reasoning_effort"],
  ...["prompt_cache_key", "include", "store"],
]);

/** Marks guessed fields that the success of a second guess has confirmed. */
const confirmed = "confirmed";

/** Fields with the conversation. Their rejection depends on the conversation, so it is not remembered. */
const conversationFields: ReadonlySet<string> = new Set(["messages", "input"]);

/** Rejected images are remembered for their conversation only, because one of them may be at fault. */
const images: ReadonlySet<string> = new Set(["images"]);

/** What only the list form of a conversation can carry. */
const listOnly = ["images", "items"];

/** Fields that the other API may accept, so that it is tried before they are omitted. */
const otherApiFirst: ReadonlySet<string> = new Set(["tools", "reasoning_effort", "input"]);

/** Failures that may mean that an API does not serve the request: lasting ones, and those that may be temporary. */
const mismatches: ReadonlySet<GatewayErrorKind> = new Set(["rejected", "notFound", "modelNotFound", "redirected"]);
const mayBeMismatches: ReadonlySet<GatewayErrorKind> = new Set(["serverError", "badGateway", "empty", "unreadable"]);
/** The same while the Responses API is tried as a guess. Of the failures that may be temporary, the second one counts. */
const endGuess: ReadonlySet<GatewayErrorKind> = new Set(["unauthorized", "forbidden", "empty", "unreadable"]);
const mayEndGuess: ReadonlySet<GatewayErrorKind> = new Set(["serverError", "badGateway", "overloaded"]);

type TextSettings = Pick<GatewaySettings, "streaming" | "toolCalling">;

/** The shape of a request: its API and its fields. */
interface RequestShape {
  readonly api: TextApi;
  readonly request: ChatRequest;
  /** The fields that it omits because the gateway or the settings reject them. */
  readonly omitted: ReadonlySet<string>;
  /** Whether it goes to the Responses API only because Chat Completions has refused it. */
  readonly isGuess: boolean;
}

/** What an operation has learned about its requests through one API. */
interface ApiFindings {
  /** Fields that are omitted from now on, and those of them that the entry has rejected by name; images also on a guess. */
  readonly dropped: Set<string>;
  readonly named: Set<string>;
  /** The fields that were omitted on a guess, which is made once. */
  guess?: readonly string[];
}

/**
 * The shape of one operation's requests to an entry: the API, and the undocumented fields. Each refusal changes the next
 * request, and what an answer then confirms is remembered for ten minutes.
 */
export class TextPlan {
  readonly #request: ChatRequest;
  readonly #entry: EntryName;
  readonly #memory: Memory;
  readonly #switchedOff: ReadonlySet<string>;
  readonly #hasTools: boolean;
  /** Whether the client chooses the API. */
  readonly #isAuto: boolean;
  /** Whether the Responses API comes first because it has answered such requests. */
  readonly #isProven: boolean;
  readonly #findings: Readonly<Record<TextApi, ApiFindings>> = {
    chatCompletions: { dropped: new Set(), named: new Set() },
    responses: { dropped: new Set(), named: new Set() },
  };
  #api: TextApi;
  /** The refusal that led to trying the other API, or fewer fields on a guess. */
  #firstRefusal: GatewayError | undefined;
  /** The API that was tried second. */
  #second: TextApi | undefined;
  /** Whether a guess has failed in a way that may be temporary. */
  #hasFailed = false;

  constructor(request: ChatRequest, entry: EntryName, settings: TextSettings, memory: Memory) {
    const { api = "auto", tools = [] } = request;
    this.#request = request;
    this.#entry = entry;
    this.#memory = memory;
    this.#switchedOff = switchedOffFields(settings);
    this.#hasTools = tools.length > 0 && !this.#switchedOff.has("tools");
    this.#isAuto = api === "auto" || api === "responsesFirst";
    const facts = memory.known(this.#responsesSubject);
    this.#isProven = this.#isAuto && facts.has("answered");
    const isFirst = this.#isProven || (api === "responsesFirst" && this.#hasTools && !facts.has("refused"));
    this.#api = api === "responses" || isFirst ? "responses" : "chatCompletions";
  }

  next(): RequestShape {
    const api = this.#api;
    const request = this.#withAcceptedItems();
    const { named, images: ofConversation, guess } = this.#fieldSubjects;
    const remembered = this.#memory.known(named).union(this.#memory.known(ofConversation));
    const refused = this.#switchedOff.union(remembered).union(this.#findings[api].dropped);
    const guessed = this.#memory.known(guess);
    const known = guessed.has(confirmed) ? refused.union(guessable.intersection(guessed)) : refused;
    const isText = known.has(api === "responses" ? "input" : "messages");
    return { api, request, omitted: isText ? known.union(new Set(listOnly)) : known, isGuess: this.#isGuess };
  }

  /**
   * Changes what `failure` refuses, if that makes another request worthwhile; else returns the error to show, which is the
   * first one if trying something else did not help. The last of the `requestsLeft` omits everything that may be at fault.
   */
  revise(failure: GatewayError, requestsLeft: number): GatewayError | undefined {
    const isLasting = mismatches.has(failure.kind);
    const isMismatch = isLasting || (this.#isGuess && this.#endsGuess(failure, requestsLeft));
    const first = isMismatch ? (this.#firstRefusal ?? failure) : failure;
    const refusal = refusalOf(failure, usedIn(this.next()));
    const namesOtherField = refusal?.isNamed === true && refusal.field !== first.field;
    if (isMismatch && this.#second === this.#api && !namesOtherField) {
      // There are no Chat Completions, so the refusal of a field by the Responses API counts.
      const isOnly = this.#isGuess && first.kind === "notFound";
      if (isOnly && requestsLeft > 0 && this.#omit(failure, requestsLeft)) return undefined;
      const second = this.#second;
      if (second === "responses" && isLasting) this.#learnResponses("refused");
      this.#api = otherApi(second);
      if (requestsLeft > 0 && this.#omit(first, requestsLeft)) return undefined;
      if (second === "responses" || refusal === undefined) return first;
      // There is no Responses API, so the refusal by Chat Completions counts.
      if (mismatches.has(first.kind)) this.#learnResponses("refused");
      this.#api = second;
      this.#second = undefined;
      this.#firstRefusal = failure;
      return requestsLeft > 0 && this.#omit(failure, requestsLeft) ? undefined : failure;
    }
    return requestsLeft > 0 && (this.#tryOther(failure, refusal, requestsLeft) || this.#omit(failure, requestsLeft))
      ? undefined
      : first;
  }

  /** Learns from a successful request without the fields in `omitted`. */
  learn(omitted: ReadonlySet<string>): void {
    const api = this.#api;
    const { named, guess } = this.#findings[api];
    const subjects = this.#fieldSubjects;
    // Without tools, Chat Completions comes first unless it has refused.
    const isInformative = this.#hasTools || this.#second === api || this.#isProven;
    if (api === "responses" && isInformative) this.#learnResponses("answered");
    if (api === "chatCompletions" && this.#second === api) this.#learnResponses("refused");
    const guesses = this.#memory.known(subjects.guess);
    const used = guesses.size === 0 ? [] : fieldsOf(api, this.#withAcceptedItems(), omitted);
    if (used.some((field) => guesses.has(field))) this.#memory.forget(subjects.guess);
    this.#memory.learn(subjects.named, named.difference(images));
    if (named.has("images") && !guess) this.#memory.learn(subjects.images, images);
    if (guess) this.#learnGuess(subjects.guess, guess);
  }

  get #isGuess(): boolean {
    return this.#second === "responses" && this.#api === "responses";
  }

  /** Whether a failure shows that the Responses API does not serve the request. Gateways without it answer in many ways. */
  #endsGuess({ kind, page }: GatewayError, requestsLeft: number): boolean {
    const isAgain = this.#hasFailed || requestsLeft === 0;
    this.#hasFailed ||= mayEndGuess.has(kind);
    return endGuess.has(kind) || page !== undefined || (mayEndGuess.has(kind) && isAgain);
  }

  /** The request without the items of other entries and models, and without those that the entry has refused. */
  #withAcceptedItems(): ChatRequest {
    const { messages, model } = this.#request;
    const refused = this.#memory.known(this.#itemsSubject);
    const returns = (items: AnswerItems): boolean =>
      items.entry === this.#entry && items.model === model && (refused.size === 0 || !refused.has(hashOf(items)));
    const accepted = messages.map((message) =>
      message.role === "assistant" && message.items && !returns(message.items) ? withoutItems(message) : message,
    );
    return { ...this.#request, messages: accepted };
  }

  /** Moves to the other API, once, after a refusal that names no field that can be omitted. */
  #tryOther(failure: GatewayError, refusal: Refusal | undefined, requestsLeft: number): boolean {
    const api = this.#api;
    if (!this.#isAuto || this.#firstRefusal !== undefined) return false;
    if (api === "chatCompletions" && this.#memory.known(this.#responsesSubject).has("refused")) return false;
    const isUnproven = api === "responses" && !this.#isProven;
    const isMismatch = mismatches.has(failure.kind) || mayBeMismatches.has(failure.kind);
    if (!(isUnproven ? isMismatch : refusesShape(failure))) return false;
    const omittable = refusal?.isNamed === true || refusal?.field === "items" ? refusal.field : undefined;
    const isLast = requestsLeft === 1;
    if (omittable !== undefined && (this.#isProven || isLast || !otherApiFirst.has(omittable))) return false;
    const names = failure.field === "model" ? undefined : failure.field;
    if (omittable === undefined && !isUnproven && names !== undefined && !otherApiFirst.has(names)) return false;
    const { omitted } = this.next();
    this.#firstRefusal = failure;
    this.#api = this.#second = otherApi(api);
    if (isLast) this.#drop(omitted);
    return true;
  }

  /** Omits the field that an entry names, or, once, all undocumented fields on a guess. Returns whether any was left. */
  #omit(failure: GatewayError, requestsLeft: number): boolean {
    const next = this.next();
    const { request, omitted } = next;
    const used = usedIn(next);
    const refusal = refusalOf(failure, used);
    if (refusal === undefined) return false;
    const { field, mustBeString, isNamed } = refusal;
    const findings = this.#findings[this.#api];
    // The documented form of `messages` has other roles, too; that of `input` is one string.
    const optional = used.filter((name) => name !== "messages");
    if (!isNamed && field !== "items") this.#firstRefusal ??= failure;
    if (field !== undefined) {
      // Items of later answers may still be accepted.
      if (field === "items") this.#memory.learn(this.#itemsSubject, itemsIn(request).map(hashOf));
      else if (mustBeString || !conversationFields.has(field)) findings.named.add(field);
      this.#drop([field, ...(requestsLeft === 1 ? optional : [])]);
      return true;
    }
    if (findings.guess || optional.length === 0) return false;
    findings.guess = optional;
    // The earlier guess did not help, but this request still omits its fields.
    const { guess } = this.#fieldSubjects;
    if (this.#memory.known(guess).has(confirmed)) this.#memory.forget(guess);
    this.#drop([...omitted, ...optional]);
    return true;
  }

  #drop(fields: Iterable<string>): void {
    for (const field of fields) this.#findings[this.#api].dropped.add(field);
  }

  /** Learns how the Responses API has answered such a request, replacing what was known. */
  #learnResponses(fact: "answered" | "refused"): void {
    this.#memory.forget(this.#responsesSubject);
    this.#memory.learn(this.#responsesSubject, [fact]);
  }

  /** A guess counts once a second one in a row confirms it, because a rejection can have other reasons. */
  #learnGuess(subject: string, omitted: readonly string[]): void {
    const suspects = guessable.intersection(new Set(omitted));
    if (suspects.size === 0) return;
    const isConfirmed = suspects.isSubsetOf(this.#memory.known(subject));
    this.#memory.forget(subject);
    this.#memory.learn(subject, isConfirmed ? [...suspects, confirmed] : suspects);
  }

  /** The subject of the facts about how the entry answers such requests through the Responses API. */
  get #responsesSubject(): string {
    return `responses ${this.#entry} ${this.#request.model} ${this.#hasTools ? "with tools" : ""}`;
  }

  /** The subject of refused items, which belong, for example, to another account behind the entry. */
  get #itemsSubject(): string {
    return `refused items ${this.#entry}`;
  }

  /** The subjects of rejected fields: those that the gateway named, those of the last guess, and images. */
  get #fieldSubjects(): Record<"named" | "guess" | "images", string> {
    const { conversation = "", model, reasoningEffort: effort = "", tools = [] } = this.#request;
    // An effort may be refused for its value, or only together with tools.
    const withTools = effort !== "" && tools.length > 0 ? "with tools" : "";
    const requests = [this.#entry, this.#api, model, effort, withTools].join(" ");
    return { named: `named ${requests}`, guess: `guess ${requests}`, images: `images ${requests} ${conversation}` };
  }
}

/** The undocumented fields that a request uses. */
function usedIn({ api, request, omitted }: RequestShape): readonly string[] {
  return fieldsOf(api, request, omitted);
}

/** Those that it would use if the gateway and the settings did not reject them. */
export function droppedIn({ api, request, omitted }: RequestShape): readonly string[] {
  return omitted.size === 0 ? [] : fieldsOf(api, request, new Set()).filter((field) => omitted.has(field));
}

function otherApi(api: TextApi): TextApi {
  return api === "responses" ? "chatCompletions" : "responses";
}

function itemsIn({ messages }: ChatRequest): readonly AnswerItems[] {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.items ?? []) : []));
}

function hashOf({ items }: AnswerItems): string {
  return createHash("sha256").update(JSON.stringify(items)).digest("base64");
}

function switchedOffFields({ streaming, toolCalling }: TextSettings): ReadonlySet<string> {
  const [noStream, noTools] = [streaming === "off", toolCalling === "off"];
  const form = noStream && noTools ? ["input", "images", "items", "reasoning_effort"] : [];
  return new Set([...(noStream ? ["stream", "prompt_cache_key"] : []), ...(noTools ? ["tools"] : []), ...form]);
}
