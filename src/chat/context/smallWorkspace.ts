import { type CancellationToken, type Uri, workspace } from "vscode";
import { skippedFolders } from "../../reading/excludedFiles.ts";
import { estimateTokens } from "../../prompts/estimateTokens.ts";
import { sizeOf } from "./readFile.ts";

/** An edit reads all files of a workspace within these limits. */
const forEdit = { files: 60, bytes: 200_000 };

/** The limits of what a question finds by itself. All of a workspace within them may be sent. */
export const forQuestion = { files: 40, tokens: 8_000 };

/** The folders of the workspace if it is small enough for an edit; otherwise none. */
export async function smallFolders(token: CancellationToken): Promise<readonly Uri[]> {
  const files = await workspace.findFiles("**/*", skippedFolders, forEdit.files + 1, token);
  if (files.length > forEdit.files) return [];
  const sizes = await Promise.all(files.map(sizeOf));
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  return bytes > forEdit.bytes ? [] : (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}

/** Whether the files of a workspace are small enough for a question. */
export function isSmall(files: readonly { readonly path: string; readonly text: string }[]): boolean {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  if (files.length > forQuestion.files || length >= 8 * forQuestion.tokens) return false;
  return estimateTokens(files.map(({ path, text }) => path + text).join("\n")) <= forQuestion.tokens;
}
