import { type Uri, workspace } from "vscode";
import { basename } from "node:path/posix";

/**
 * The path by which requests and answers name a file: relative to the workspace, or else its name alone, since the folders
 * above it are nobody's business.
 */
export function nameInRequests(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) ? workspace.asRelativePath(uri) : basename(uri.path);
}
