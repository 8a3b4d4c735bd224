import { execFileSync } from "node:child_process";
import { root } from "../../../scripts/paths.ts";
import type { LineEdit } from "../../../src/edits/types.ts";
import { mergeHunks, readFileText, type RealEdit } from "./edit.ts";

const kinds = ["*.ts", "*.md", "*.json", "*.mjs", "*.css", "*.yml", "*.html"];

interface FileVersion {
  readonly path: string;
  readonly blob: string;
  readonly hunks: readonly LineEdit[];
}

/**
 * Changes of one to six hunks from the history of this repository, oldest first, so that new commits change no test. A
 * checkout may have no history; then there are none, and the reason.
 */
export function historyEdits(count: number): { readonly edits: readonly RealEdit[]; readonly missing?: string } {
  try {
    if (git(["rev-parse", "--is-shallow-repository"]).trim() !== "false")
      return { edits: [], missing: "shallow clone" };
    const options = ["--no-merges", "--reverse", "--diff-filter=M", "-U0", "--no-color", "--no-renames"];
    const format = ["--no-ext-diff", "--no-textconv", "--full-index", "--format=", "-p"];
    const log = git(["-c", "core.quotePath=true", "log", ...options, ...format, "--", ...kinds]);
    const versions = chosen(log.split(/^diff --git /m).flatMap(readVersion), count * 2);
    const texts = readBlobs(versions.map(({ blob }) => blob));
    const edits = versions.flatMap(({ path, blob, hunks }): RealEdit[] => {
      const file = readFileText(texts.get(blob) ?? "");
      const isFitting = file && hunks.every(({ end }) => end <= file.lines.length);
      return isFitting ? [{ path, ...file, hunks }] : [];
    });
    return edits.length < count ? { edits, missing: "short history" } : { edits: edits.slice(0, count) };
  } catch (cause) {
    return { edits: [], missing: String(cause) };
  }
}

/** The file, the text before, and the changes of one section of the log. */
function readVersion(section: string): readonly FileVersion[] {
  const [, path] = /^--- a\/(.+)$/m.exec(section) ?? [];
  const [, blob] = /^index ([0-9a-f]{40})\.\./m.exec(section) ?? [];
  if (path === undefined || blob === undefined || section.includes("\n\\ No newline")) return [];
  const hunks = section
    .split(/^(?=@@ )/m)
    .slice(1)
    .map(readHunk);
  const isSmall = hunks.length > 0 && hunks.length <= 6 && hunks.every(({ lines }) => lines.length <= 40);
  return isSmall ? [{ path, blob, hunks: mergeHunks(hunks) }] : [];
}

function readHunk(text: string): LineEdit {
  const [, line = "0", length = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(text) ?? [];
  const start = length === "0" ? Number(line) : Number(line) - 1;
  const added = text.split("\n").filter((row) => row.startsWith("+"));
  return { start, end: start + Number(length), lines: added.map((row) => row.slice(1)) };
}

/** At most three changes of each file, so that no file decides the result. */
function chosen(versions: readonly FileVersion[], count: number): readonly FileVersion[] {
  const seen = new Map<string, number>();
  const isNew = ({ path }: FileVersion): boolean => {
    seen.set(path, (seen.get(path) ?? 0) + 1);
    return (seen.get(path) ?? 0) <= 3;
  };
  return versions.filter(isNew).slice(0, count);
}

/** The texts of blobs, by their names, in one call of git. */
function readBlobs(blobs: readonly string[]): ReadonlyMap<string, string> {
  const output = execFileSync("git", ["cat-file", "--batch"], {
    cwd: root,
    input: blobs.join("\n"),
    maxBuffer: 2 ** 28,
  });
  const texts = new Map<string, string>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [name = "", , size = "0"] = output.toString("latin1", at, end).split(" ");
    texts.set(name, output.toString("utf8", end + 1, end + 1 + Number(size)));
    at = end + Number(size) + 2;
  }
  return texts;
}

function git(options: readonly string[]): string {
  return execFileSync("git", options, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
