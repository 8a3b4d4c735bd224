import type { Uri } from "vscode";
import { openDocument } from "../ui/openDocument.ts";

/** What saving a file will write, where it has unsaved changes: `unreadable` if that is not UTF-8. */
export function unsavedBytes(uri: Uri): Uint8Array | "unreadable" | undefined {
  const document = openDocument(uri);
  if (!document?.isDirty) return undefined;
  // The names of encodings are those of `encoding.ts` in VS Code 1.139.1.
  if (document.encoding !== "utf8" && document.encoding !== "utf8bom") return "unreadable";
  return new TextEncoder().encode((document.encoding === "utf8bom" ? "\uFEFF" : "") + document.getText());
}
