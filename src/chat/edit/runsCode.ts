/**
 * Files that VS Code, a dev container, Git, or what reads a project once it is open obeys without being asked: build scripts
 * of Rust and MSBuild, and configurations of linters and formatters. VS Code's own agent asks about most of them as well
 * (`chat.tools.edits.autoApprove`, VS Code 1.139).
 */
const patterns: readonly RegExp[] = [
  /(?:^|\/)\.vscode\//i,
  /\.code-workspace$/i,
  /(?:^|\/)\.devcontainer(?:\/|\.json$)/i,
  /(?:^|\/)\.(?:husky|githooks|cargo)\//i,
  /(?:^|\/)(?:build\.rs|\.gitattributes)$/i,
  /\.(?:(?:cs|fs|vb|vcx)?proj|targets|props)$/i,
  /(?:^|\/)(?:eslint|prettier|stylelint)\.config\.[cm]?[jt]s$/i,
  /(?:^|\/)\.(?:eslint|prettier|stylelint)rc(?:\.[cm]?[jt]s)?$/i,
];

/** Whether changing a file can run code that nobody starts, by its path in the workspace. */
export function runsCode(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
