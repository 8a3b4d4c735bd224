import { asObject, asText, type JsonObject, parseJson } from "../../text/json.ts";
import { unreadable } from "../errors.ts";
import type { ContentPart } from "./ending.ts";

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
  id: string | undefined;
  place: number | undefined;
  itemId: string | undefined;
  name: string | undefined;
  text: string;
  /** Whether arguments are still arriving, so that an empty text does not mean none. */
  isOpen: boolean;
}

/** What tells calls apart, the surest first. */
const marks = ["id", "place", "itemId"] as const;

/**
 * Assembles the tool calls of one answer, in order of appearance, from pieces, from whole calls, or from both: a piece
 * belongs to the call with its id or place, one without either to the last. All methods throw `GatewayError` of kind
 * `unreadable`.
 */
export class ToolCalls {
  #drafts: Draft[] = [];
  #last: Draft | undefined;
  #length = 0;
  #mayStartOver = false;

  get isEmpty(): boolean {
    return this.#drafts.length === 0;
  }

  /** Adds a piece of a call. `isOpen`: the arguments must still come. Arguments that are an object are complete. */
  add(fragment: Fragment, isOpen = false): void {
    const draft = this.#find(fragment) ?? this.#begin(fragment, isOpen);
    this.#note(draft, fragment);
    const { input } = fragment;
    if (input == null || input === "") return;
    const text = argumentsText(input);
    const isRepeated = draft.text === text && isStart(input) && text.endsWith("}");
    if (isRepeated) return;
    if (typeof input !== "string" && draft.text.trim() !== "") {
      throw unreadable("The arguments of a tool call came twice.");
    }
    this.#setText(draft, typeof input === "string" ? draft.text + text : text);
  }

  /** Adds the calls of a complete list, each of which may repeat one that is known, or bring its whole arguments. */
  complete(fragments: readonly Fragment[]): void {
    const taken = new Set<Draft>();
    for (const fragment of fragments) {
      const left = this.#drafts.filter((draft) => !taken.has(draft));
      const known = this.#mayStartOver ? undefined : marked(left, fragment);
      const draft = known ?? left.find((one) => this.#isSaid(one, fragment)) ?? this.#begin(fragment, true);
      taken.add(draft);
      this.#note(draft, fragment);
      draft.isOpen = false;
      if (fragment.input != null && fragment.input !== "") this.#setText(draft, argumentsText(fragment.input));
    }
  }

  /** The gateway started the answer over: if the first call comes again, so do all others. */
  startOver(): void {
    this.#mayStartOver = !this.isEmpty;
  }

  /** The complete calls; none if the last may be truncated. Throws for a call without a name or without a JSON object. */
  parts(isCut: boolean): readonly ContentPart[] {
    const inputs = this.#drafts.map((draft) => inputOf(draft));
    if (isCut && this.#drafts.some(({ text }, index) => text === "" || inputs[index] === undefined)) return [];
    const ids = new Set<string>();
    return this.#drafts.map(({ name, id }, index) => {
      const input = inputs[index];
      if (name === undefined) throw unreadable("A tool call has no name.");
      if (input === undefined) {
        throw unreadable(`The arguments of the tool call ${name.slice(0, 100)} are not a JSON object.`);
      }
      const own = id === undefined || ids.has(id) ? `${id ?? "call"}_${String(index)}` : id;
      ids.add(own);
      return { type: "toolCall", id: own, name, input };
    });
  }

  /** The call that a piece continues. */
  #find(fragment: Fragment): Draft | undefined {
    const { name, input } = fragment;
    if (this.#mayStartOver && name !== undefined) return undefined;
    if (marks.some((mark) => fragment[mark] !== undefined)) return marked(this.#drafts, fragment);
    const last = this.#last;
    if (name === undefined || last?.name === undefined) return last;
    const isNext = last.text.endsWith("}") && isStart(input);
    return last.name === name && !isNext ? last : undefined;
  }

  /** Whether a whole call without a mark in common may be one that is known. */
  #isSaid(draft: Draft, { id, name, input }: Fragment): boolean {
    if (id !== undefined && draft.id !== undefined) return false;
    return name === undefined ? draft === this.#last : draft.name === name && (draft.isOpen || draft.text === input);
  }

  #begin({ name }: Fragment, isOpen: boolean): Draft {
    if (this.#mayStartOver && name !== undefined && name === this.#drafts[0]?.name) this.#drafts = [];
    this.#mayStartOver = false;
    if (this.#drafts.length === maxCalls) throw unreadable("The answer has too many tool calls.");
    const draft = { id: undefined, place: undefined, itemId: undefined, name: undefined, text: "", isOpen };
    this.#drafts.push(draft);
    return draft;
  }

  #note(draft: Draft, { id, place, itemId, name }: Fragment): void {
    draft.id ??= id;
    draft.place ??= place;
    draft.itemId ??= itemId;
    draft.name ??= name;
    this.#last = draft;
  }

  #setText(draft: Draft, text: string): void {
    this.#length += text.length - draft.text.length;
    if (text.length > maxLength || this.#length > maxTotalLength) {
      throw unreadable("The arguments of a tool call are too long.");
    }
    draft.text = text;
  }
}

/** The call with a mark of a fragment. With a name, another id is another call; without, services may renew it in each piece. */
function marked(drafts: readonly Draft[], fragment: Fragment): Draft | undefined {
  const { id, name } = fragment;
  const mayBe = (draft: Draft): boolean =>
    name === undefined || id === undefined || draft.id === undefined || draft.id === id;
  return marks
    .filter((mark) => fragment[mark] !== undefined)
    .map((mark) => drafts.findLast((draft) => draft[mark] === fragment[mark] && mayBe(draft)))
    .find((found) => found !== undefined);
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
