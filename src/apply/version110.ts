import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Memento } from "vscode";
import { FileText } from "../edits/change/fileText.ts";
import type { LineEdit } from "../edits/types.ts";
import { asArray, asCount, asObject, asText, parseJson } from "../base/json.ts";
import { unlessMissing } from "../files/fileErrors.ts";
import { splitLines } from "../text/lines.ts";
import type { DiskChange } from "./diskChange.ts";

/**
 * The record of a change whose folder version 1.1.0 has written; `undefined` for another folder. Each property
 * was stored in a file of its own, and a rename as two files, of which the second refers to the first.
 */
export async function earlierRecord(folder: string): Promise<unknown> {
  const read = (name: string): Promise<string | undefined> => unlessMissing(readFile(join(folder, name), "utf8"));
  const [stage, list, leftOut] = [await read("stage"), await read("files.json"), await read("leftOut")];
  if (stage === undefined || list === undefined) return undefined;
  const positions = asArray(parseJson(leftOut ?? ""));
  // For a change that was undone, these are the files that Undo skipped; for any other, those that the user skips.
  const isReverted = stage === "reverted";
  const listed = asArray(parseJson(list)).map((value, index) => {
    const { uri, renamedFrom, ...file } = asObject(value) ?? {};
    return { ...file, uri, renamedFrom, stays: isReverted && positions.includes(index) };
  });
  const files = listed.flatMap((file) => {
    if (file.renamedFrom !== undefined) return [];
    const target = listed.find(({ renamedFrom }) => renamedFrom !== undefined && renamedFrom === file.uri);
    return [target ? { ...file, ...target, uri: file.uri, newUri: target.uri } : file];
  });
  return {
    stage: stage === "kept" ? "stored" : stage,
    at: (await stat(join(folder, "files.json"))).mtimeMs,
    files,
    skipped: isReverted ? [] : positions,
  };
}

/** State key of version 1.1.0: the hunks of inline chat that the user had not decided about. */
const stateKey = "openHunks";

/** A hunk as version 1.1.0 stored it. */
interface EarlierHunk {
  /** Its first line. */
  readonly start: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Up to three lines on each side. */
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/**
 * Adds the open hunks of version 1.1.0 as changes, so that they can still be kept and undone. Hunks whose lines are no
 * longer in their file, or occur several times, stay as they are, and so do all of a file if two overlap now. `read` gives
 * the text of a file.
 */
export async function adoptEarlierHunks(
  state: Memento,
  add: (change: DiskChange) => Promise<void>,
  read: (uri: string) => Promise<string>,
): Promise<void> {
  const stored = state.get<unknown>(stateKey);
  if (stored === undefined) return;
  for (const document of asArray(stored)) {
    const { uri, hunks } = asObject(document) ?? {};
    const [address, known] = [asText(uri), asArray(hunks).flatMap(readHunk)];
    const after = address === undefined ? undefined : await read(address).catch(() => undefined);
    if (address === undefined || after === undefined) continue;
    const text = new FileText(after);
    // The lines are those of a document, in which an empty line follows a final newline.
    const lines = splitLines(after);
    const edits = known
      .flatMap((hunk) => placeOf(hunk, lines))
      .toSorted((one, other) => one.start - other.start || one.end - other.end);
    // Of two hunks with equal lines, those of one may be gone.
    const overlap = edits.some(({ start }, index) => start < (edits[index - 1]?.end ?? 0));
    if (edits.length === 0 || overlap) continue;
    const [old, own] = [text.replace(edits), after].map((side) => new TextEncoder().encode(side));
    await add({ uri: address, before: old, after: own });
  }
  await state.update(stateKey, undefined);
}

/**
 * The edit that undoes a hunk. None unless its new lines, with the lines around them, are at the stored line or in exactly one
 * other place.
 */
function placeOf({ start, before, after, above, below }: EarlierHunk, lines: readonly string[]): readonly LineEdit[] {
  const whole = [...above, ...after, ...below];
  const isAt = (first: number): boolean => whole.every((line, index) => lines[first + index] === line);
  const first = start - above.length;
  const places = isAt(first) ? [first] : [...lines.keys()].filter(isAt);
  const [found] = places;
  if (found === undefined || places.length > 1) return [];
  const place = found + above.length;
  return [{ start: place, end: place + after.length, lines: before }];
}

function readHunk(stored: unknown): readonly EarlierHunk[] {
  const { before, after, start, above, below } = asObject(stored) ?? {};
  const line = asCount(start);
  if (line === undefined || !areLines(before) || !areLines(after) || !areLines(above) || !areLines(below)) return [];
  const isPlaced = above.length + after.length + below.length > 0 && above.length <= line;
  return isPlaced ? [{ start: line, before, after, above, below }] : [];
}

function areLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === "string" && !/[\r\n]/.test(line));
}
