import { type CancellationToken, RelativePattern, type Uri, workspace } from "vscode";
import type { Closed, FileGate } from "../../reading/fileGate.ts";
import { nameInRequests } from "../../reading/promptPaths.ts";
import type { ReadAllowance } from "../../reading/readAllowance.ts";
import { skippedFolders } from "../../reading/skippedFolders.ts";
import { oneLine } from "../../text/lines.ts";
import type { ContextPart } from "./fitContext.ts";
import { readFile, sizeOf } from "./readFile.ts";

/** Maximum number of files, and maximum size of each in bytes. */
const limits = { files: 200, size: 100_000 };

/** The content of a folder, and the names of files that were left out. */
export interface FolderContents {
  readonly parts: readonly ContextPart[];
  readonly unreadable: readonly string[];
  /** Names of files that the prompt has no room for. */
  readonly tooMuch: readonly string[];
  readonly closed: readonly (readonly [name: string, reason: Closed])[];
}

/** How to read a folder: through which gate, and how much of it. */
export interface FolderReading {
  readonly gate: FileGate;
  readonly allowance: ReadAllowance;
  /** Whether the user attached the folder, so that it may be outside the workspace. */
  readonly isAttached: boolean;
  readonly token: CancellationToken;
}

/** Reads a folder: the list of its files that may be sent, then these files. */
export async function readFolder(
  uri: Uri,
  { gate, allowance, isAttached, token }: FolderReading,
): Promise<FolderContents> {
  const pattern = new RelativePattern(uri, "**/*");
  const found = (await workspace.findFiles(pattern, skippedFolders, limits.files, token)).toSorted((one, other) =>
    one.path.localeCompare(other.path),
  );
  const closed = await gate.closed(found, isAttached ? { folder: uri } : {});
  const open = found.filter((file) => !closed.has(file)).map((file) => ({ file, name: nameInRequests(file, uri) }));
  const parts: ContextPart[] = [];
  const unreadable: string[] = [];
  const tooMuch: string[] = [];
  for (const { file, name } of open) {
    const size = await sizeOf(file);
    if (size !== undefined && !allowance.take(size)) tooMuch.push(name);
    else {
      const part = await readFile(file, limits.size, { folder: uri });
      if (part) parts.push(part);
      else unreadable.push(name);
    }
  }
  const list = open.map(({ name }) => oneLine(name)).join("\n");
  return {
    parts: [{ name: `${nameInRequests(uri)}/`, language: "", text: list }, ...parts],
    unreadable,
    tooMuch,
    closed: [...closed].map(([file, reason]) => [nameInRequests(file, uri), reason]),
  };
}
