import { type CancellationToken, RelativePattern, type Uri, workspace } from "vscode";
import { oneLine } from "../../text/lines.ts";
import type { ContextPart } from "./fitContext.ts";
import { judgeFile } from "./judgeFile.ts";
import { readFile } from "./readFile.ts";

/** How many files of a folder are looked at, and how large each may be in bytes. */
const limits = { files: 200, size: 100_000 };

/** No reading for a model: what others, or tools, have written. */
const excluded = "**/{node_modules,.git,dist,out,build}/**";

/** What a folder has to read, and the names of what it has besides. */
export interface FolderContents {
  readonly parts: readonly ContextPart[];
  readonly unreadable: readonly string[];
  /** Names of files that may hold secrets. */
  readonly secret: readonly string[];
  /** Names of links that lead out of the folder and the workspace. */
  readonly outside: readonly string[];
}

/** A folder: the list of its files, then the files. */
export async function readFolder(uri: Uri, token: CancellationToken): Promise<FolderContents> {
  const pattern = new RelativePattern(uri, "**/*");
  const found = (await workspace.findFiles(pattern, excluded, limits.files, token)).toSorted((one, other) =>
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
