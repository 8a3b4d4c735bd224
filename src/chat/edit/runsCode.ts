/**
 * Files that VS Code, a dev container, or Git obeys without being asked. VS Code's own agent asks about those of VS Code as
 * well (`chat.tools.edits.autoApprove`, VS Code 1.139).
 */
const patterns: readonly RegExp[] = [
  /(?:^|\/)\.vscode\//i,
  /\.code-workspace$/i,
  /(?:^|\/)\.devcontainer(?:\/|\.json$)/i,
  /(?:^|\/)\.(?:husky|githooks)\//i,
];

/** Whether changing a file can run code that nobody starts, by its path in the workspace. */
export function runsCode(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
