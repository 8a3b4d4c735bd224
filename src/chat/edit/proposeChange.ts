import { Uri, workspace } from "vscode";
import { modeOf } from "../../apply/diskFiles.ts";
import type { FileChange } from "../../apply/fileChange.ts";
import type { FileChange as TextChange } from "../../edits/resolveEdits.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { uriOf } from "../../reading/promptPaths.ts";
import { openDocument } from "../../ui/openDocument.ts";
import { type Place, refusedPlaces } from "./mayChange.ts";
import type { Refusal } from "./resolveAnswer.ts";

/** What an edit writes; nothing if there are files that it must not change. */
export interface ProposedChange {
  readonly changes: readonly FileChange[];
  readonly refusals: readonly Refusal[];
}

/** Turns changes of texts into changes of files, unless one of them must not be changed. `bytes` are by path. */
export async function proposeChange(
  changes: readonly TextChange[],
  bytes: ReadonlyMap<string, Uint8Array>,
  gate: FileGate,
): Promise<ProposedChange> {
  const refusals: Refusal[] = [];
  const places: (Place & { readonly path: string })[] = [];
  const located = changes.flatMap((change) => {
    const { path, kind, newPath } = change;
    const [uri, newUri] = [uriOf(path), newPath === undefined ? undefined : uriOf(newPath)];
    if (!uri || (newPath !== undefined && !newUri)) {
      refusals.push({ kind: "outsideWorkspace", path: uri ? (newPath ?? path) : path });
      return [];
    }
    places.push({ path, uri, isRemoved: kind === "delete" || kind === "rename" });
    if (newUri && newPath !== undefined) places.push({ path: newPath, uri: newUri, isRemoved: false });
    const before = bytes.get(path);
    if (kind !== "delete" && !canHold(newUri ?? uri, before, change.text)) refusals.push({ kind: "encoding", path });
    return [() => changesOf(change, uri, newUri, before)];
  });
  const refused = await refusedPlaces(places, gate);
  refusals.unshift(
    ...places.flatMap(({ path, uri }) => {
      const kind = refused.get(uri);
      return kind === undefined ? [] : [{ kind, path }];
    }),
  );
  return { changes: refusals.length > 0 ? [] : (await Promise.all(located.map((read) => read()))).flat(), refusals };
}

/**
 * Whether a file can have a text as UTF-8. One that has only ASCII so far, or is not there yet, is read in the encoding
 * that the user has set.
 */
function canHold(uri: Uri, before: Uint8Array | undefined, text: string): boolean {
  const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);
  if (isAscii(Buffer.from(text)) || (before && !isAscii(before))) return true;
  const encoding = openDocument(uri)?.encoding ?? workspace.getConfiguration("files", uri).get<string>("encoding");
  return encoding === undefined || encoding === "utf8" || encoding === "utf8bom";
}

async function changesOf(
  { kind, text }: TextChange,
  uri: Uri,
  newUri: Uri | undefined,
  before: Uint8Array | undefined,
): Promise<readonly FileChange[]> {
  const id = uri.toString();
  const mode = await modeOf(id);
  const old = { uri: id, before, mode };
  if (kind === "delete") return [old];
  const after = new TextEncoder().encode(text);
  if (!newUri) return [{ ...old, after }];
  return [old, { uri: newUri.toString(), after, renamedFrom: id, mode }];
}

/** The places that a change writes to, to check them again before it is applied. */
export function placesOf(changes: readonly FileChange[]): readonly Place[] {
  return changes.map(({ uri, after }) => ({ uri: Uri.parse(uri, true), isRemoved: after === undefined }));
}
