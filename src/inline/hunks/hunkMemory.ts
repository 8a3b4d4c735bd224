import type { Memento } from "vscode";
import { openHunksKey } from "../../manifest.ts";
import { asArray, asCount, asObject, asText } from "../../text/json.ts";
import type { LineRange, LineReader } from "../../text/lineRange.ts";
import { locate } from "../ask/locate.ts";
import { inOrder, linesIn, stands, type TrackedHunk } from "./hunkTracker.ts";

/** An open hunk as it is stored. */
export interface StoredHunk extends Pick<TrackedHunk, "before" | "after" | "wasUnique"> {
  /** The id of its answer. */
  readonly answer: string;
  /** Its first line. */
  readonly start: number;
  /** The lines around it, which tell a place where lines were only removed. */
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/** The open hunks of a document. */
interface StoredDocument {
  readonly uri: string;
  /** When they last changed, in milliseconds since 1970. */
  readonly at: number;
  readonly hunks: readonly StoredHunk[];
}

/** Maximum number of documents, and of characters that are stored of all. VS Code reads them at each start. */
const mostDocuments = 50;
const mostCharacters = 200_000;
/** How long they are stored, in milliseconds: 30 days. */
const retention = 30 * 24 * 60 * 60 * 1000;
/** Number of lines above and below a hunk that are stored with it. */
const around = 3;

/** Remembers the open hunks of a workspace across reloads of the window. Has no dependency on VS Code. */
export class HunkMemory {
  readonly #state: Memento;
  readonly #now: () => number;
  /** The newest first. */
  #documents: readonly StoredDocument[];

  constructor(state: Memento, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
    const stored = asArray(state.get<unknown>(openHunksKey)).slice(0, mostDocuments);
    this.#documents = this.#bounded(stored.flatMap(readDocument));
  }

  /** The hunks of a document whose text it still has, with their places, from top to bottom. `read` gives its lines. */
  recall(uri: string, read: () => readonly string[]): readonly (StoredHunk & { readonly lines: LineRange })[] {
    const stored = this.#documents.find((document) => document.uri === uri);
    return stored ? placed(read(), stored.hunks) : [];
  }

  /** Stores the hunks of some documents, in place of those that were stored of them. */
  store(documents: Iterable<readonly [uri: string, hunks: readonly StoredHunk[]]>): void {
    const at = this.#now();
    const changed = new Map<string, StoredDocument>();
    for (const [uri, hunks] of documents) {
      const stored = this.#documents.find((document) => document.uri === uri)?.hunks ?? [];
      if (JSON.stringify(stored) !== JSON.stringify(hunks)) changed.set(uri, { uri, at, hunks });
    }
    const kept = this.#bounded([...changed.values(), ...this.#documents.filter(({ uri }) => !changed.has(uri))]);
    if (kept.length === this.#documents.length && kept.every((one) => this.#documents.includes(one))) return;
    this.#documents = kept;
    void this.#state.update(openHunksKey, kept.length > 0 ? kept : undefined);
  }

  /** The newest documents with hunks, as many as there is room for. */
  #bounded(documents: readonly StoredDocument[]): readonly StoredDocument[] {
    let left = mostCharacters;
    return documents
      .filter(({ at, hunks }) => hunks.length > 0 && Math.abs(this.#now() - at) <= retention)
      .toSorted((one, other) => other.at - one.at)
      .filter(({ hunks }) => {
        const { length } = JSON.stringify(hunks);
        const hasRoom = length <= left;
        if (hasRoom) left -= length;
        return hasRoom;
      })
      .slice(0, mostDocuments);
  }
}

/** What is stored of a hunk. Nothing if its text has changed since, because then it could not be undone either. */
export function storedHunk(
  document: LineReader,
  { before, after, wasUnique, lines }: TrackedHunk,
  answer: string,
): readonly StoredHunk[] {
  const { start, end } = lines;
  if (end - start !== after.length || !stands(document, start, after)) return [];
  const above = linesIn(document, { start: Math.max(0, start - around), end: start });
  const below = linesIn(document, { start: end, end: end + around });
  return [{ answer, before, after, wasUnique, start, above, below }];
}

/** The hunks that are in a text. Of two in the same place, which no stored state of the extension has, only one is. */
function placed(
  all: readonly string[],
  stored: readonly StoredHunk[],
): readonly (StoredHunk & { readonly lines: LineRange })[] {
  const found = stored.flatMap((hunk) => {
    const start = placeOf(all, hunk);
    return start === undefined ? [] : [{ ...hunk, lines: { start, end: start + hunk.after.length } }];
  });
  let end = 0;
  return inOrder(found).filter(({ lines }) => {
    const isFree = lines.start >= end;
    if (isFree) ({ end } = lines);
    return isFree;
  });
}

/** The first line of a hunk: where it stands between the same lines, or else where its text is, if that is only one place. */
function placeOf(all: readonly string[], hunk: StoredHunk): number | undefined {
  const { above, after, below, wasUnique } = hunk;
  const whole = [...above, ...after, ...below];
  const tracked = { start: hunk.start - above.length, end: hunk.start + after.length + below.length };
  const [isAtTop, isAtBottom] = [above.length < around, below.length < around];
  // So many lines are hardly in a document twice. Fewer were stored only at its beginning and at its end.
  const found = locate(all, whole, tracked, wasUnique || !(isAtTop || isAtBottom));
  const isSame = found && !(isAtTop && found.start > 0) && !(isAtBottom && found.end < all.length);
  if (isSame) return found.start + above.length;
  return wasUnique && after.length > 0 ? locate(all, after, { start: -1, end: -1 }, true)?.start : undefined;
}

function readDocument(stored: unknown): readonly StoredDocument[] {
  const { uri, at, hunks } = asObject(stored) ?? {};
  const [address, time] = [asText(uri), asCount(at)];
  if (address === undefined || time === undefined) return [];
  return [{ uri: address, at: time, hunks: asArray(hunks).flatMap(readHunk) }];
}

function readHunk(stored: unknown): readonly StoredHunk[] {
  const { answer, before, after, wasUnique, start, above, below } = asObject(stored) ?? {};
  const [id, line] = [asText(answer), asCount(start)];
  if (id === undefined || line === undefined || typeof wasUnique !== "boolean") return [];
  if (!areLines(before) || !areLines(after) || !areLines(above) || !areLines(below)) return [];
  const isPlaced = above.length + after.length + below.length > 0 && Math.max(above.length, below.length) <= around;
  return isPlaced && above.length <= line ? [{ answer: id, before, after, wasUnique, start: line, above, below }] : [];
}

function areLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === "string" && !/[\r\n]/.test(line));
}
