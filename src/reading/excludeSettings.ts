import { languages, RelativePattern, type TextDocument, type Uri, workspace } from "vscode";
import { asObject } from "../base/json.ts";

/** Whether an `exclude` setting, such as `files.exclude`, hides a file or its folder. Globs with `when` are ignored. */
export function isExcluded(uri: Uri, ...sections: readonly ("files" | "search")[]): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  return folder !== undefined && excludedIn(folder.uri, ...sections)(uri);
}

/** As `isExcluded`, for many files of the same folder of the workspace. */
export function excludedIn(folder: Uri, ...sections: readonly ("files" | "search")[]): (uri: Uri) => boolean {
  const globs = sections.flatMap((section) => {
    const setting = asObject(workspace.getConfiguration(section, folder).get("exclude")) ?? {};
    return Object.keys(setting).filter((glob) => setting[glob] === true);
  });
  const patterns = globs.flatMap((glob) =>
    [glob, `${glob}/**`].map((pattern) => ({ pattern: new RelativePattern(folder, pattern) })),
  );
  // `languages.match` needs a document, but reads only these properties (VS Code 1.139).
  return (uri) => languages.match(patterns, { uri, languageId: "" } as TextDocument) > 0;
}

/** Folders with dependencies, build output, or Git's own data. */
export const skippedFolderNames: readonly string[] = ["node_modules", ".git", "dist", "out", "build"];

/** Matches files in folders that are neither listed nor searched. */
export const skippedFolders = `**/{${skippedFolderNames.join(",")}}/**`;

/** Whether a file is in such a folder. */
export function isInSkippedFolder(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => skippedFolderNames.includes(name));
}
