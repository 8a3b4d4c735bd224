import { unreadable } from "./answerReader.ts";

/** Maximum number of items with text in an answer. */
const maxItems = 1_000;

/** What identifies the item that an event belongs to; all of it may be missing. */
export interface ItemName {
  /** The item's position in the output. */
  readonly place: number | undefined;
  /** Some gateways change it with each event, so the position counts first. */
  readonly id: string | undefined;
}

/** The events that bring a text whole, from the innermost on: that of the text, of its part, and of its item. */
export type Level = 0 | 1 | 2;

interface Item {
  id: string | undefined;
  place: number | undefined;
  said: string;
  /** What was said since the last event of each level. */
  readonly since: [string, string, string];
  /** The last whole text of each level and index. */
  readonly whole: Map<string, string>;
  isClosed: boolean;
}

/**
 * The texts of one kind in a response. They arrive in pieces, whole in up to four events, or both. Each level of events
 * repeats what came since its last event, so only the rest is handed on.
 */
export class ResponseTexts {
  readonly #items: Item[] = [];
  #current: Item | undefined;

  /** Records a piece. */
  add(name: ItemName, piece: string): void {
    const known = this.#find(name);
    this.#say(known === undefined || known.isClosed ? this.#begin(name) : known, piece, 0);
  }

  /** Returns what is new of a whole text. `index`: its position in its item. */
  rest(name: ItemName, level: Level, index: number, text: string): string {
    const known = this.#find(name);
    // At its place, a closed item may be followed by another one.
    const isNext = known?.isClosed === true && known.id !== name.id && known.said !== text;
    const item = known === undefined || isNext ? this.#begin(name) : known;
    if (item.isClosed) return "";
    if (level === 2) this.#close(item);
    const told = item.since[level];
    const mark = `${String(level)} ${String(index)}`;
    if (told === "" && item.whole.get(mark) === text) return "";
    item.whole.set(mark, text);
    if (!text.startsWith(told)) {
      // Without names, the pieces of several texts count as one.
      if (told.startsWith(text)) item.since[level] = told.slice(text.length);
      return "";
    }
    item.since.fill("", 0, level + 1);
    const rest = text.slice(told.length);
    this.#say(item, rest, level + 1);
    return rest;
  }

  /** Returns what is new of all items at the end. Theirs is the order of the stream, but some may be missing. */
  restOfAll(items: readonly { readonly id: string | undefined; readonly text: string }[]): string {
    const left = this.#items.filter(({ said }) => said !== "").map(({ id, said }) => ({ id, said }));
    return items.map(({ id, text }) => restOf(left, id, text)).join("");
  }

  /** Adds what is said to an item, and to the levels above. */
  #say(item: Item, text: string, level: number): void {
    item.said += text;
    item.since.forEach((since, outer) => {
      if (outer >= level) item.since[outer] = since + text;
    });
  }

  #close(item: Item): void {
    item.isClosed = true;
    if (this.#current === item) this.#current = undefined;
  }

  #find({ place, id }: ItemName): Item | undefined {
    if (place === undefined && id === undefined) return this.#current;
    const found =
      (place === undefined ? undefined : this.#items.findLast((item) => item.place === place)) ??
      (id === undefined ? undefined : this.#items.findLast((item) => item.id === id));
    const current = this.#current;
    const isUnnamed = current !== undefined && current.place === undefined && current.id === undefined;
    const item = found ?? (isUnnamed ? current : undefined);
    if (item === undefined) return undefined;
    item.place ??= place;
    item.id ??= id;
    return item;
  }

  #begin({ place, id }: ItemName): Item {
    if (this.#items.length >= maxItems) throw unreadable("The answer has too many texts.");
    const item: Item = { id, place, said: "", since: ["", "", ""], whole: new Map(), isClosed: false };
    this.#items.push(item);
    this.#current = item;
    return item;
  }
}

/** What is new of an item at the end, compared with what is `left` of the items of the stream. */
function restOf(
  left: { readonly id: string | undefined; said: string }[],
  id: string | undefined,
  text: string,
): string {
  const byId = left.findIndex((item) => id !== undefined && item.id === id);
  const at = byId >= 0 ? byId : left.findIndex(({ said }) => text.startsWith(said) || said.startsWith(text));
  // An item in other words than in the stream has been told.
  const [item] = left.splice(Math.max(0, at), 1);
  if (item === undefined) return text;
  if (text.startsWith(item.said)) return text.slice(item.said.length);
  const more = item.said.startsWith(text) ? item.said.slice(text.length) : "";
  if (byId < 0 && more.trim() !== "") left.unshift({ id: undefined, said: more });
  return "";
}
