import { type CancellationToken, RelativePattern, type Uri, workspace } from "vscode";
import type { ContextPart } from "./fitContext.ts";
import { readFile } from "./readFile.ts";

/** How many files of a folder are looked at, and how large each may be in bytes. */
const limits = { files: 200, size: 100_000 };

/** No reading for a model: what others have written or made. */
const excluded = "**/{node_modules,.git,dist,out,build}/**";

/** A folder: the list of its files, then the files. */
export async function readFolder(
  uri: Uri,
  token: CancellationToken,
): Promise<{ readonly parts: readonly ContextPart[]; readonly unreadable: readonly string[] }> {
  const pattern = new RelativePattern(uri, "**/*");
  const files = (await workspace.findFiles(pattern, excluded, limits.files, token)).toSorted((one, other) =>
    one.path.localeCompare(other.path),
  );
  const names = files.map((file) => workspace.asRelativePath(file));
  const list = { name: `${workspace.asRelativePath(uri)}/`, language: "", text: names.join("\n") };
  const read = await Promise.all(files.map((file) => readFile(file, limits.size)));
  return {
    parts: [list, ...read.filter((part) => part !== undefined)],
    unreadable: names.filter((_, index) => read[index] === undefined),
  };
}
