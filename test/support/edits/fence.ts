/** A fence that no line of the content can close. */
export function fenceAround(content: string, character: "`" | "~" = "`"): string {
  const runs = content.match(character === "`" ? /`{3,}/g : /~{3,}/g) ?? [];
  return character.repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3));
}

const languages: Readonly<Record<string, string>> = {
  ts: "typescript", mts: "ts", cts: "ts", js: "javascript", mjs: "js", cjs: "js", py: "python", md: "markdown",
  yml: "yaml", h: "cpp", cc: "cpp", sh: "bash",
}; // prettier-ignore

/** The name of a file's language, as models write it behind a fence. */
export function languageOf(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return languages[extension] ?? extension;
}
