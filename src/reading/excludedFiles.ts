import { languages, RelativePattern, type TextDocument, type Uri, workspace } from "vscode";
import { asObject } from "../base/json.ts";

/** Whether an `exclude` setting, such as `files.exclude`, hides a file or its folder. Globs with `when` are ignored. */
export function isExcluded(uri: Uri, ...sections: readonly ("files" | "search")[]): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return false;
  // `languages.match` needs a document, but reads only these properties (VS Code 1.139).
  const file = { uri, languageId: "" } as TextDocument;
  return sections.some((section) => {
    const globs = asObject(workspace.getConfiguration(section, uri).get("exclude")) ?? {};
    return Object.entries(globs).some(([glob, value]) => {
      if (value !== true) return false;
      const patterns = [glob, `${glob}/**`].map((pattern) => ({ pattern: new RelativePattern(folder, pattern) }));
      return languages.match(patterns, file) > 0;
    });
  });
}

/** Folders with dependencies, build output, or Git's own data. */
const names: readonly string[] = ["node_modules", ".git", "dist", "out", "build"];

/** Matches files in folders that are neither listed nor searched. */
export const skippedFolders = `**/{${names.join(",")}}/**`;

/** Whether a file is in such a folder. */
export function isInSkippedFolder(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => names.includes(name));
}
