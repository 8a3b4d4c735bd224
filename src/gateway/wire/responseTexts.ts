import { unreadable } from "./answerReader.ts";

/** Maximum number of texts in an answer. */
const maxTexts = 1_000;

/** What identifies the text that an event belongs to; much of it may be missing. */
export interface TextName {
  readonly kind: "text" | "summary" | "reasoning";
  /** The item's id and its position in the output. */
  readonly id: string | undefined;
  readonly place: number | undefined;
  /** The position of the text in its item. */
  readonly index: number;
}

interface Text {
  readonly id: string | undefined;
  readonly isNamed: boolean;
  /** Pieces since the last whole text. */
  open: string;
  /** The last whole text, and all whole texts. */
  last: string;
  readonly closed: Set<string>;
}

/**
 * Tracks which texts of a response were delivered. Texts arrive in pieces, whole in up to four events, or both, and
 * must be delivered once.
 */
export class ResponseTexts {
  readonly #texts = new Map<string, Text>();
  readonly #last = new Map<TextName["kind"], Text>();

  /** Records a delivered piece. */
  add(name: TextName, piece: string): void {
    this.#text(name).open += piece;
  }

  /** Returns the part of a whole text that was not delivered yet, and records it as delivered. */
  rest(name: TextName, whole: string): string {
    const text = this.#find(name) ?? this.#same(whole) ?? this.#text(name);
    if (text.open === "" && text.closed.has(whole)) return "";
    const told = text.open === "" && text.isNamed ? text.last : text.open;
    text.last = whole;
    text.closed.add(whole);
    if (whole.startsWith(told)) {
      text.open = "";
      return whole.slice(told.length);
    }
    // Distinguishes several texts without ids.
    if (text.open.startsWith(whole)) text.open = text.open.slice(whole.length);
    return "";
  }

  #text(name: TextName): Text {
    const known = this.#find(name);
    if (known !== undefined) return this.#remembered(name, known);
    if (this.#texts.size >= maxTexts) throw unreadable("The answer has too many texts.");
    const isNamed = name.id !== undefined || name.place !== undefined;
    return this.#remembered(name, { id: name.id, isNamed, open: "", last: "", closed: new Set() });
  }

  #remembered(name: TextName, text: Text): Text {
    for (const key of keysOf(name)) this.#texts.set(key, text);
    this.#last.set(name.kind, text);
    return text;
  }

  #find(name: TextName): Text | undefined {
    if (name.id === undefined && name.place === undefined) return this.#last.get(name.kind);
    const found = keysOf(name).map((key) => this.#texts.get(key));
    // Positions shift if a gateway omits items; ids do not.
    const isSame = ({ id }: Text): boolean => id === undefined || name.id === undefined || id === name.id;
    return found.find((text) => text !== undefined && isSame(text)) ?? this.#texts.get(`${name.kind} unnamed`);
  }

  #same(whole: string): Text | undefined {
    return this.#texts.values().find(({ open, closed }) => open === whole || closed.has(whole));
  }
}

function keysOf({ kind, id, place, index }: TextName): readonly string[] {
  const keys = [
    ...(id === undefined ? [] : [`${kind} id ${id} ${String(index)}`]),
    ...(place === undefined ? [] : [`${kind} place ${String(place)} ${String(index)}`]),
  ];
  return keys.length === 0 ? [`${kind} unnamed`] : keys;
}
