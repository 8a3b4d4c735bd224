import {
  type CancellationToken,
  FileType,
  languages,
  RelativePattern,
  TabInputText,
  Uri,
  window,
  workspace,
} from "vscode";
import type { FileGate } from "../../reading/fileGate.ts";
import { nameInRequests, pathOf, withoutRoots } from "../../reading/promptPaths.ts";
import { skippedFolders } from "../../reading/skippedFolders.ts";
import { maskText } from "../../text/maskSecrets.ts";
import type { Reference } from "../context/attachments.ts";
import type { ContextPart } from "../context/fitContext.ts";
import { sourceInEditor } from "../context/gatherContext.ts";
import type { EditRecords } from "./editRecords.ts";
import { stateText } from "./editTexts.ts";
import type { ProposedFile } from "./proposedFiles.ts";
import { writePatch } from "./writePatch.ts";

/** A workspace with at most this many files, of at most this many bytes together, is read as a whole. */
const smallWorkspace = { files: 60, bytes: 200_000 };
/** Maximum number of open editors that are read, and of problems that are quoted. */
const mostEditors = 20;
const mostProblems = 50;

/**
 * What `/edit` reads without being attached: a small workspace as a whole, or else the open editors. If the user does not
 * want context to be found, only the editor in front.
 */
export async function editReferences(findsContext: boolean, token: CancellationToken): Promise<readonly Reference[]> {
  if (!findsContext) return [sourceInEditor() ?? []].flat();
  const folders = await smallFolders(token);
  if (folders.length > 0) return folders.map((value) => ({ id: "", value, origin: "earlier" }));
  const visible = window.visibleTextEditors.map(({ document }) => document.uri);
  const inTabs = window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : []));
  const open = new Map([...visible, ...inTabs].map((uri) => [uri.toString(), uri]));
  return [...open.values()]
    .filter((uri) => pathOf(uri) !== undefined)
    .slice(0, mostEditors)
    .map((value) => ({ id: "", value, origin: "implicit" }));
}

async function smallFolders(token: CancellationToken): Promise<readonly Uri[]> {
  const folders = workspace.workspaceFolders ?? [];
  let [files, bytes] = [0, 0];
  for (const { uri } of folders) {
    const found = await workspace.findFiles(
      new RelativePattern(uri, "**/*"),
      skippedFolders,
      smallWorkspace.files + 1,
      token,
    );
    files += found.length;
    if (files > smallWorkspace.files) return [];
    for (const file of found) bytes += await sizeOf(file);
    if (bytes > smallWorkspace.bytes) return [];
  }
  return folders.map(({ uri }) => uri);
}

async function sizeOf(uri: Uri): Promise<number> {
  try {
    const { type, size } = await workspace.fs.stat(uri);
    return (type & FileType.File) === 0 ? 0 : size;
  } catch {
    return 0;
  }
}

/** The problems that VS Code reports in the files of a question. */
export function problemsPart(parts: readonly ContextPart[]): readonly ContextPart[] {
  const rows = [...new Map(parts.flatMap(({ uri }) => (uri ? [[uri.toString(), uri] as const] : []))).values()].flatMap(
    (uri) =>
      languages
        .getDiagnostics(uri)
        .map(
          ({ range, message }) => `${nameInRequests(uri)}:${range.start.line + 1}: ${maskText(withoutRoots(message))}`,
        ),
  );
  if (rows.length === 0) return [];
  return [{ name: "Problems reported in these files", language: "", text: rows.slice(0, mostProblems).join("\n") }];
}

/** What became of the edits that this chat has proposed; of the last one, the changes as well. */
export async function earlierEditsPart(
  records: EditRecords,
  gate: FileGate,
  ids: readonly string[],
): Promise<{ readonly parts: readonly ContextPart[]; readonly references: readonly Reference[] }> {
  const references: Reference[] = [];
  const texts: string[] = [];
  for (const [index, id] of ids.entries()) {
    const states = await records.fileStates(id);
    if (states.length === 0) continue;
    const rows = states.map((one) => `- ${nameOf(one.file.uri)}: ${stateText(one)}`);
    const isLast = index === ids.length - 1;
    const uris = states.flatMap(({ file }) => urisOf(file));
    const closed = new Set((await gate.closed(uris)).keys().map(String));
    const open = states.filter(
      ({ file, state }) =>
        (state === "proposed" || state === "skipped" || state === "undone") &&
        !urisOf(file).some((uri) => closed.has(uri.toString())),
    );
    const patch =
      isLast && open.length > 0
        ? [
            writePatch(
              open.map(({ file }) => file),
              nameOf,
            ),
          ]
        : [];
    texts.push([`Edit ${index + 1}:`, ...rows, ...patch].join("\n"));
    references.push(...uris.map((value) => ({ id: "", value, origin: "earlier" as const })));
  }
  if (texts.length === 0) return { parts: [], references: [] };
  const text = [
    ...texts,
    "All files are quoted as they are now. A new patch has to contain everything that is still to be changed; what was not applied, or was undone, is not in the files.",
  ].join("\n\n");
  const existing: Reference[] = [];
  for (const reference of references) if (await isThere(reference.value)) existing.push(reference);
  return { parts: [{ name: "What became of the edits in this chat", language: "", text }], references: existing };
}

async function isThere(value: unknown): Promise<boolean> {
  if (!(value instanceof Uri)) return false;
  try {
    return ((await workspace.fs.stat(value)).type & FileType.File) !== 0;
  } catch {
    return false;
  }
}

function urisOf({ uri, newUri }: ProposedFile): readonly Uri[] {
  return [uri, ...(newUri === undefined ? [] : [newUri])].map((text) => Uri.parse(text, true));
}

function nameOf(uri: string): string {
  return nameInRequests(Uri.parse(uri, true));
}
