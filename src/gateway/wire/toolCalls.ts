import { asObject, asText, type JsonObject, parseJson } from "../../text/json.ts";
import { type ContentPart, unreadable } from "./answerReader.ts";

/** Maximum number of calls in an answer, and of characters in one call's arguments and in all. */
const maxCalls = 128;
const maxLength = 1 << 20;
const maxTotalLength = 8 << 20;

/** A tool call or a piece of one. Services give few of its names, or wrong ones: all calls at place 0, for example. */
export interface Fragment {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The position among the calls, or of the item in the output. */
  readonly place?: number | undefined;
  /** The id of the item, which some gateways change with each event. */
  readonly itemId?: string | undefined;
  /** JSON text, a piece of it, or an object. Untrusted. */
  readonly input: unknown;
}

/** A tool call that is being assembled. */
interface Draft {
  id: string;
  name: string;
  text: string;
  /** Whether arguments are still arriving, so that an empty text does not mean none. */
  isOpen: boolean;
  /** Whether it was named by anything but its content. */
  isNamed: boolean;
}

/**
 * Assembles the tool calls of one answer, in order of appearance, from pieces, from whole calls, or from both. All
 * methods throw `GatewayError` of kind `unreadable`.
 */
export class ToolCalls {
  #drafts: Draft[] = [];
  readonly #byName = new Map<string, Draft>();
  #last: Draft | undefined;
  #length = 0;
  #mayStartOver = false;

  get isEmpty(): boolean {
    return this.#drafts.length === 0;
  }

  /** Adds a piece of a call. `isOpen`: the arguments must still come. */
  add(fragment: Fragment, isOpen = false): void {
    this.#extend(this.#find(fragment) ?? this.#begin(fragment, isOpen), fragment);
  }

  /** Adds the calls of a complete list, each of which may repeat one that is known, or bring its whole arguments. */
  complete(fragments: readonly Fragment[]): void {
    const taken = new Set<Draft>();
    for (const fragment of fragments) {
      const draft = this.#findWhole(fragment, taken) ?? this.#begin(fragment, true);
      taken.add(draft);
      this.#remember(draft, fragment);
      draft.isOpen = false;
      if (fragment.input != null && fragment.input !== "") this.#setText(draft, argumentsText(fragment.input));
    }
  }

  /** The gateway started the answer over: if the first call comes again, so do all others. */
  startOver(): void {
    this.#mayStartOver = !this.isEmpty;
  }

  /**
   * The complete calls; none if the answer is truncated, because the last call may be too. Throws if a call has no name
   * or its arguments are not a JSON object.
   */
  parts(isCut: boolean): readonly ContentPart[] {
    const inputs = this.#drafts.map((draft) => inputOf(draft));
    if (isCut && this.#drafts.some(({ text }, index) => text === "" || inputs[index] === undefined)) return [];
    const ids = new Set<string>();
    return this.#drafts.map((draft, index) => {
      const { name } = draft;
      const input = inputs[index];
      if (name === "") throw unreadable("A tool call has no name.");
      if (input === undefined) {
        throw unreadable(`The arguments of the tool call ${name.slice(0, 100)} are not a JSON object.`);
      }
      const numbered = `${draft.id || "call"}_${String(index)}`;
      const id = draft.id === "" || ids.has(draft.id) ? numbered : draft.id;
      ids.add(id);
      return { type: "toolCall", id, name, input };
    });
  }

  #begin({ name }: Fragment, isOpen: boolean): Draft {
    if (this.#mayStartOver && name !== undefined && name === this.#drafts[0]?.name) {
      this.#drafts = [];
      this.#byName.clear();
    }
    this.#mayStartOver = false;
    if (this.#drafts.length === maxCalls) throw unreadable("The answer has too many tool calls.");
    const draft = { id: "", name: "", text: "", isOpen, isNamed: false };
    this.#drafts.push(draft);
    return draft;
  }

  /** The call that a piece continues. One with other names is another call, whatever its place. */
  #find(fragment: Fragment): Draft | undefined {
    if (this.#mayStartOver && fragment.name !== undefined) return undefined;
    const names = namesOf(fragment);
    const known = names.map((name) => this.#byName.get(name)).find((draft) => draft && isSame(draft, fragment));
    if (known !== undefined || names.length > 0) return known;
    const last = this.#last;
    if (fragment.name === undefined || !last?.name) return last;
    const isNext = last.text.endsWith("}") && isStart(fragment.input);
    return last.name === fragment.name && !isNext ? last : undefined;
  }

  #findWhole(fragment: Fragment, taken: ReadonlySet<Draft>): Draft | undefined {
    const known = this.#mayStartOver ? undefined : this.#byNames(fragment, taken);
    if (known !== undefined) return known;
    const { name, input } = fragment;
    const isUnnamed = namesOf(fragment).length === 0;
    return this.#drafts.find((draft) => {
      if (taken.has(draft) || (draft.isNamed && !isUnnamed)) return false;
      return name === undefined ? draft === this.#last : draft.name === name && (draft.isOpen || draft.text === input);
    });
  }

  #byNames(fragment: Fragment, taken: ReadonlySet<Draft>): Draft | undefined {
    const found = namesOf(fragment).map((name) => this.#byName.get(name));
    return found.find((draft) => draft && !taken.has(draft) && isSame(draft, fragment));
  }

  #remember(draft: Draft, fragment: Fragment): void {
    const names = namesOf(fragment);
    for (const name of names) this.#byName.set(name, draft);
    draft.isNamed ||= names.length > 0;
    draft.id ||= fragment.id ?? "";
    draft.name ||= fragment.name ?? "";
    this.#last = draft;
  }

  /** Adds a piece to a call. Arguments that are an object are complete. */
  #extend(draft: Draft, fragment: Fragment): void {
    this.#remember(draft, fragment);
    const { input } = fragment;
    if (input == null || input === "") return;
    const text = argumentsText(input);
    const isRepeated = draft.text === text && isStart(input) && text.endsWith("}");
    if (isRepeated) return;
    if (typeof input === "string") this.#setText(draft, draft.text + text);
    else if (draft.text.trim() === "") this.#setText(draft, text);
    else throw unreadable("The arguments of a tool call came twice.");
  }

  #setText(draft: Draft, text: string): void {
    this.#length += text.length - draft.text.length;
    if (text.length > maxLength || this.#length > maxTotalLength) {
      throw unreadable("The arguments of a tool call are too long.");
    }
    draft.text = text;
  }
}

/** The names of a call, the surest first. */
function namesOf({ id, place, itemId }: Fragment): readonly string[] {
  return [
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(place === undefined ? [] : [`place ${String(place)}`]),
    ...(itemId === undefined ? [] : [`item ${itemId}`]),
  ];
}

/** Whether a fragment may belong to a call. Some services send a new id with each piece, but no name. */
function isSame(draft: Draft, { id, name }: Fragment): boolean {
  return name === undefined || id === undefined || draft.id === "" || draft.id === id;
}

/** Whether an input is the start of whole arguments. */
function isStart(input: unknown): boolean {
  return typeof input === "object" || asText(input)?.startsWith("{") === true;
}

function argumentsText(input: unknown): string {
  if (typeof input === "string") return input;
  if (asObject(input) === undefined) throw unreadable("The arguments of a tool call are not a JSON object.");
  return JSON.stringify(input);
}

/**
 * Parses arguments. Empty text means no arguments; malformed text is an error, never `{}`. Some servers encode the JSON
 * text twice (vllm-project/vllm#54964).
 */
function inputOf({ text, isOpen }: Draft): JsonObject | undefined {
  if (text.trim() === "") return isOpen ? undefined : {};
  const value = parseJson(text);
  return asObject(typeof value === "string" ? parseJson(value) : value);
}
