import { Uri, workspace } from "vscode";
import { quote } from "../../text/safeText.ts";

/** How much of a long path is shown at its start and, because it has the name of the file, at its end, in characters. */
const shownAtStart = 100;
const shownAtEnd = 200;

/** The name by which users see a file, of its URI as text. */
export function shownPath(uri: string): string {
  return quotePath(workspace.asRelativePath(Uri.parse(uri, true)));
}

/** A path made safe to show. A long one is shortened in the middle. */
export function quotePath(path: string): string {
  const characters = Array.from(quote(path, Infinity));
  if (characters.length <= shownAtStart + shownAtEnd) return characters.join("");
  return `${characters.slice(0, shownAtStart).join("")}…${characters.slice(-shownAtEnd).join("")}`;
}
