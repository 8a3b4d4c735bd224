import { type LineChange, diffLines } from "../../text/diffLines.ts";
import { maskLines } from "../../text/maskSecrets.ts";
import { linesOf, type ProposedFile } from "./proposedFiles.ts";

/** Lines above and below each change. */
const around = 3;

/** An edit in the form in which the model wrote it, to go on from it, without secrets. `nameOf` gives the path of a URI. */
export function writePatch(files: readonly ProposedFile[], nameOf: (uri: string) => string): string {
  return ["*** Begin Patch", ...files.flatMap((file) => section(file, nameOf)), "*** End Patch"].join("\n");
}

function section(
  { kind, uri, newUri, before, after }: ProposedFile,
  nameOf: (uri: string) => string,
): readonly string[] {
  if (kind === "delete") return [`*** Delete File: ${nameOf(uri)}`];
  const lines = maskLines(linesOf(after));
  if (kind === "create") return [`*** Add File: ${nameOf(uri)}`, ...lines.map((line) => `+${line}`)];
  const old = maskLines(linesOf(before));
  const moved = newUri === undefined ? [] : [`*** Move to: ${nameOf(newUri)}`];
  return [`*** Update File: ${nameOf(uri)}`, ...moved, ...hunks(old, lines)];
}

function hunks(old: readonly string[], lines: readonly string[]): readonly string[] {
  const rows: string[] = [];
  let last = -1;
  const changes = diffLines(old, lines);
  for (const [index, change] of changes.entries()) {
    const { start, end, newStart, newEnd } = change;
    const from = Math.max(last < 0 ? 0 : last, start - around);
    if (last < 0 || from > last) rows.push("@@");
    rows.push(...old.slice(from, start).map((line) => ` ${line}`));
    rows.push(...old.slice(start, end).map((line) => `-${line}`));
    rows.push(...lines.slice(newStart, newEnd).map((line) => `+${line}`));
    last = Math.min(end + around, nextStart(changes, index, old.length));
    rows.push(...old.slice(end, last).map((line) => ` ${line}`));
  }
  return rows;
}

function nextStart(changes: readonly LineChange[], index: number, length: number): number {
  return changes[index + 1]?.start ?? length;
}
