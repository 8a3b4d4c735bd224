import { asObject, type JsonObject, parseJson } from "../../base/json.ts";
import { unreadable } from "../errors.ts";
import type { ContentPart } from "./answerState.ts";

/** Maximum number of calls in an answer, and of characters in all their arguments. */
const maxCalls = 128;
const maxLength = 1024 * 1024;

/** Maximum number of characters that are parsed to tell calls of one tool apart. Then, pieces without an id continue a call. */
const maxParsed = 4 * maxLength;

/** A tool call or a piece of one. Services may omit any of the properties that identify it, or give several calls the same. */
export interface CallPiece {
  readonly id: string | undefined;
  /** The position among the calls, or of the item in the output. */
  readonly index: number | undefined;
  /** The id of the item, which some gateways change with each event. */
  readonly itemId?: string | undefined;
  /** Present in the piece that begins a call. */
  readonly name: string | undefined;
  /** JSON text, a piece of it, or an object. Untrusted. */
  readonly input: unknown;
}

/** A tool call that is being assembled. */
interface Draft {
  id: string | undefined;
  index: number | undefined;
  itemId: string | undefined;
  name: string | undefined;
  text: string;
  /** Whether the text ends like an object. */
  mayBeComplete: boolean;
  /** Whether arguments are still arriving, so that an empty text does not mean none. */
  isOpen: boolean;
}

const marks = ["id", "index", "itemId"] as const;

/** Assembles the tool calls of one answer, in order. All methods throw `GatewayError` of kind `unreadable`. */
export class ToolCalls {
  readonly #drafts: Draft[] = [];
  #last: Draft | undefined;
  #length = 0;
  #parsed = 0;

  get isEmpty(): boolean {
    return this.#drafts.length === 0;
  }

  /** Whether a call has no arguments. */
  get hasBlank(): boolean {
    return this.#drafts.some(({ text }) => text === "");
  }

  /** Number of calls with arguments, or known to have none. */
  get size(): number {
    return this.#drafts.filter(({ text, isOpen }) => text !== "" || !isOpen).length;
  }

  /** Adds a piece of a call. `isOpen`: its arguments must still come. Arguments that are an object are complete. */
  add(piece: CallPiece, isOpen = false): void {
    const draft = this.#draftOf(piece, isOpen);
    const { input } = piece;
    if (isBlank(input)) return;
    const text = argumentsText(input);
    if (text === draft.text && this.#isComplete(draft)) return;
    // Some services begin with an empty object and send the arguments then (BerriAI/litellm#4537).
    this.#setText(draft, text, typeof input === "string" && draft.text !== "{}" ? draft.text : "");
  }

  /** Adds a whole call, of which pieces may have come. */
  addWhole(call: CallPiece): void {
    const draft = this.#draftOf(call, true);
    draft.isOpen = false;
    if (!isBlank(call.input)) this.#setText(draft, argumentsText(call.input));
  }

  /** The complete calls; none if the last may be truncated. Throws for a call without a name or without a JSON object. */
  parts(isCut: boolean): readonly ContentPart[] {
    // new-api sends calls again at the end, with another index (QuantumNous/new-api#6223).
    const keyOf = ({ id, name, text }: Draft, index: number): unknown =>
      id === undefined ? index : `${id} ${name} ${text}`;
    const drafts = [...new Map(this.#drafts.map((draft, index) => [keyOf(draft, index), draft])).values()];
    const inputs = drafts.map(inputOf);
    if (isCut && drafts.some(({ text }, index) => text === "" || inputs[index] === undefined)) return [];
    const ids = new Set<string>();
    return drafts.map(({ name, id }, index) => {
      const input = inputs[index];
      if (name === undefined) throw unreadable("A tool call has no name.");
      if (input === undefined) {
        throw unreadable(`The arguments of the tool call ${name.slice(0, 100)} are not a JSON object.`);
      }
      const unique = id === undefined || ids.has(id) ? `${id ?? "call"}_${String(index)}` : id;
      ids.add(unique);
      return { type: "toolCall", id: unique, name, input };
    });
  }

  #draftOf(piece: CallPiece, isOpen: boolean): Draft {
    const draft = this.#find(piece) ?? this.#begin(isOpen);
    draft.id ??= piece.id;
    draft.index ??= piece.index;
    draft.itemId ??= piece.itemId;
    draft.name ??= piece.name;
    this.#last = draft;
    return draft;
  }

  /**
   * The latest call that shares an identifying property with a piece. If there is none, and the piece does not begin a call,
   * the last one.
   */
  #find(piece: CallPiece): Draft | undefined {
    const begins = piece.name !== undefined && marks.some((mark) => piece[mark] !== undefined);
    const found = this.#drafts.findLast(
      (draft) => marks.some((mark) => equal(draft[mark], piece[mark])) && this.#mayContinue(draft, piece),
    );
    return found ?? (this.#last && !begins && this.#mayContinue(this.#last, piece) ? this.#last : undefined);
  }

  /**
   * Whether a piece may belong to a call. With a name, it begins another one if an identifying property differs or the
   * arguments are complete.
   */
  #mayContinue(draft: Draft, { id, index, itemId, name }: CallPiece): boolean {
    if (differ(draft.index, index)) return false;
    if (name === undefined) return true;
    if (differ(draft.id, id) || differ(draft.name, name)) return false;
    return equal(draft.id, id) || equal(draft.itemId, itemId) || draft.isOpen || !this.#isComplete(draft);
  }

  #isComplete(draft: Draft): boolean {
    if (!draft.mayBeComplete) return false;
    this.#parsed += draft.text.length;
    return this.#parsed <= maxParsed && inputOf(draft) !== undefined;
  }

  #begin(isOpen: boolean): Draft {
    if (this.#drafts.length === maxCalls) throw unreadable("The answer has too many tool calls.");
    const unmarked = { id: undefined, index: undefined, itemId: undefined };
    const draft = { ...unmarked, name: undefined, text: "", mayBeComplete: false, isOpen };
    this.#drafts.push(draft);
    return draft;
  }

  #setText(draft: Draft, text: string, before = ""): void {
    this.#length += before.length + text.length - draft.text.length;
    if (this.#length > maxLength) throw unreadable("The arguments of the tool calls are too long.");
    draft.text = before + text;
    // Of the piece, because looking at the end of all pieces would join them each time.
    draft.mayBeComplete = text.endsWith("}");
  }
}

function differ(known: unknown, given: unknown): boolean {
  return known !== undefined && given !== undefined && known !== given;
}

function equal(known: unknown, given: unknown): boolean {
  return known !== undefined && known === given;
}

function isBlank(input: unknown): boolean {
  return input == null || input === "";
}

function argumentsText(input: unknown): string {
  if (typeof input === "string") return input;
  if (asObject(input) === undefined) throw unreadable("The arguments of a tool call are not a JSON object.");
  return JSON.stringify(input);
}

/**
 * Parses arguments. Empty text and `null` mean no arguments; malformed text is an error, never `{}`. Some servers encode the
 * JSON text twice (vllm-project/vllm#54964).
 */
function inputOf({ text, isOpen }: Draft): JsonObject | undefined {
  if (/^\s*(?:null\s*)?$/.test(text)) return isOpen ? undefined : {};
  const value = parseJson(text);
  return asObject(typeof value === "string" ? parseJson(value) : value);
}
