/**
 * Lines as rows of a diff. VS Code's Markdown makes four blanks of each tab that begins a line, but leaves the tabs after a
 * sign, which are eight wide (marked 14, VS Code 1.139), so that changed lines would not stand below unchanged ones.
 */
export function diffRows(sign: " " | "-" | "+", lines: readonly string[], tab = "    "): readonly string[] {
  return lines.map((line) => sign + withTabs(line, tab));
}

/** How a tab is shown in these lines: with an arrow if some of them differ only in tabs. */
export function shownTab(lines: readonly string[]): string {
  const shown = new Set(lines.map((line) => withTabs(line, "    ")));
  return shown.size === new Set(lines).size ? "    " : "→   ";
}

function withTabs(line: string, tab: string): string {
  return line.replace(/^[ \t]+/, (indentation) => indentation.replaceAll("\t", tab));
}
