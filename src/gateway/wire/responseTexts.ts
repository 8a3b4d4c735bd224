import { unreadable } from "./answerReader.ts";

/** How many texts one answer may have. */
const maxTexts = 1_000;

/** What events say about the text that they carry a piece of: much of it may be missing. */
export interface TextName {
  readonly kind: "text" | "summary" | "reasoning";
  /** The item's id and its place in the output. */
  readonly id: string | undefined;
  readonly place: number | undefined;
  /** The place of the text in its item. */
  readonly index: number;
}

/** A text while it arrives. */
interface Text {
  readonly id: string | undefined;
  readonly isNamed: boolean;
  /** What came in pieces since the last whole text. */
  open: string;
  /** The last whole text, and all of them. */
  last: string;
  readonly closed: Set<string>;
}

/**
 * What was handed on of the texts of a response. They come in pieces, whole in up to four events, or in any mix of both,
 * and each of them is to be handed on once.
 */
export class ResponseTexts {
  readonly #texts = new Map<string, Text>();
  readonly #last = new Map<TextName["kind"], Text>();

  /** A piece was handed on. */
  add(name: TextName, piece: string): void {
    this.#text(name).open += piece;
  }

  /** What of a whole text has not been handed on. It counts as handed on from now. */
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
    // Several texts that came without a name are told apart here.
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
    // Places shift where a gateway leaves out items, ids do not.
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
