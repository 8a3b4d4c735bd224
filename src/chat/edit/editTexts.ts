import { basename } from "node:path/posix";
import { l10n, Uri, workspace } from "vscode";
import { quote } from "../../text/safeText.ts";
import { refusalTexts } from "../../apply/refusalTexts.ts";
import type { FileState } from "../../apply/fileStates.ts";
import { changedLines, type DiskChange, kindOf, urisOf } from "../../apply/diskChange.ts";
import type { Refusal } from "./resolveAnswer.ts";

/** Why an edit is refused, with its file and line, or else its line in the answer. */
export function refusalText({ kind, path, fileLine, line }: Refusal): string {
  const file = path === undefined ? "" : `${quotePath(path)}${fileLine === undefined ? "" : `:${fileLine + 1}`}: `;
  const text = file + refusalTexts[kind]();
  return fileLine === undefined && line !== undefined ? l10n.t("{0} (line {1} of the answer)", text, line + 1) : text;
}

const kindTexts: Record<ReturnType<typeof kindOf>, () => string> = {
  update: () => "",
  create: () => l10n.t("new"),
  delete: () => l10n.t("deleted"),
  rename: () => l10n.t("renamed"),
};

/** What happens to a file if it is not only changed, and the numbers of added and removed lines. */
export function changeFacts(change: DiskChange): readonly string[] {
  let [added, removed] = [0, 0];
  for (const { start, end, newStart, newEnd } of changedLines(change)) {
    added += newEnd - newStart;
    removed += end - start;
  }
  return [kindTexts[kindOf(change)](), `+${added} −${removed}`].filter((fact) => fact !== "");
}

/** The name of a file for users; of a renamed file, both names. */
export function shownPaths(change: DiskChange): string {
  return urisOf(change).map(shownPath).join(" → ");
}

const stateWords: Record<FileState["state"], string> = {
  proposed: "not applied yet",
  skipped: "left out by the user",
  applied: "applied",
  accepted: "applied, and kept by the user",
  undone: "undone by the user",
  notUndone: "applied, and not undone by the user's Undo, because it was changed in between",
};

/** The state of a file, for the model. */
export function stateText({ state, isChanged }: FileState): string {
  return isChanged && state !== "notUndone" ? `${stateWords[state]}; changed since` : stateWords[state];
}

/** The name of a file for users. `uri` is its URI as text. */
export function shownPath(uri: string): string {
  return quotePath(workspace.asRelativePath(Uri.parse(uri, true)));
}

/** The last part of that name, short enough for a notification of one line with links after it (seen in VS Code 1.139). */
export function shownName(uri: string): string {
  return shorten(basename(shownPath(uri)), 10, 14);
}

/** A path made safe to show. A long one is cut in the middle, because its end is the name of the file. */
function quotePath(path: string): string {
  return shorten(quote(path, Infinity), 100, 200);
}

/** Keeps at most these numbers of characters at the start and at the end of a text. */
function shorten(text: string, start: number, end: number): string {
  const characters = Array.from(text);
  if (characters.length <= start + end) return text;
  return `${characters.slice(0, start).join("")}…${characters.slice(-end).join("")}`;
}
