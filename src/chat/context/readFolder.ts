import { type CancellationToken, RelativePattern, type Uri, workspace } from "vscode";
import { oneLine } from "../../text/lines.ts";
import type { ContextPart } from "./fitContext.ts";
import { judgeFile } from "./judgeFile.ts";
import { readFile } from "./readFile.ts";
import { skippedFolders } from "./skippedFolders.ts";

/** Maximum number of files, and maximum size of each in bytes. */
const limits = { files: 200, size: 100_000 };

/** The content of a folder, and the names of files that were left out. */
export interface FolderContents {
  readonly parts: readonly ContextPart[];
  readonly unreadable: readonly string[];
  /** Names of files that may hold secrets. */
  readonly secret: readonly string[];
  /** Names of links that point outside the folder and the workspace. */
  readonly outside: readonly string[];
}

/** Reads a folder: its file list first, then its files. */
export async function readFolder(uri: Uri, token: CancellationToken): Promise<FolderContents> {
  const pattern = new RelativePattern(uri, "**/*");
  const found = (await workspace.findFiles(pattern, skippedFolders, limits.files, token)).toSorted((one, other) =>
    one.path.localeCompare(other.path),
  );
  const files = await Promise.all(
    found.map(async (file) => {
      const verdict = await judgeFile(file, { folder: uri });
      const part = verdict === "sent" ? await readFile(file, limits.size) : undefined;
      return { name: workspace.asRelativePath(file), verdict, part };
    }),
  );
  const list = files.map(({ name }) => oneLine(name)).join("\n");
  return {
    parts: [
      { name: `${workspace.asRelativePath(uri)}/`, language: "", text: list },
      ...files.flatMap(({ part }) => (part ? [part] : [])),
    ],
    unreadable: files.filter(({ verdict, part }) => verdict === "sent" && !part).map(({ name }) => name),
    secret: files.filter(({ verdict }) => verdict === "secret").map(({ name }) => name),
    outside: files.filter(({ verdict }) => verdict === "outside").map(({ name }) => name),
  };
}
