import { hasMask, maskLines, maskText } from "../text/maskSecrets.ts";
import { FileText } from "./change/fileText.ts";
import type { EditReading } from "./read/readEdits.ts";
import { resolveReading } from "./resolveEdits.ts";
import type { AskedLines, FileChange, LineEdit, PlacedEdit, Resolution } from "./types.ts";

/**
 * Resolves edits in files as a model sees them, so that lines with placeholders are found. A line with a placeholder is
 * the line of the file that it replaces, at most indented otherwise. Any other such line is a problem, so that no
 * placeholder is ever written.
 */
export function resolveMasked(
  reading: Pick<EditReading, "operations" | "broken">,
  files: ReadonlyMap<string, string>,
  asked?: AskedLines,
): Resolution {
  const masked = new Map([...files].map(([path, text]) => [path, maskText(text)]));
  const { changes, problems } = resolveReading(reading, masked, asked);
  const found = [...problems];
  const unmasked: FileChange[] = [];
  for (const change of changes) {
    const own = unmaskChange(change, files.get(change.path));
    if (own) unmasked.push(own);
    else found.push({ kind: "masked", path: change.path });
  }
  return { changes: unmasked, problems: found };
}

/** A change with the secrets of its file; `undefined` if it has a placeholder in a new line. */
function unmaskChange(change: FileChange, text: string | undefined): FileChange | undefined {
  if (change.kind === "create" || text === undefined) return hasMask(change.text) ? undefined : change;
  if (change.kind === "delete") return change;
  const file = new FileText(text);
  const masked = maskLines(file.lines);
  const hunks: PlacedEdit[] = [];
  for (const hunk of change.hunks) {
    const lines = unmaskLines(hunk, file.lines, masked);
    if (!lines) return undefined;
    hunks.push({ ...hunk, lines });
  }
  return { ...change, hunks, text: file.replace(hunks) };
}

function unmaskLines(
  { start, end, lines }: LineEdit,
  old: readonly string[],
  masked: readonly string[],
): readonly string[] | undefined {
  // Each old line comes back once.
  const left = Map.groupBy(old.slice(start, end), (_, at) => (masked[start + at] ?? "").trim());
  const result: string[] = [];
  for (const line of lines) {
    const own = hasMask(line) ? left.get(line.trim())?.shift() : line;
    if (own === undefined) return undefined;
    result.push(own === line ? line : `${/^\s*/.exec(line)?.[0] ?? ""}${own.trim()}${/\s*$/.exec(line)?.[0] ?? ""}`);
  }
  return result;
}
