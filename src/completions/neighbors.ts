import { TabInputText, type TextDocument, window } from "vscode";
import type { FileGate } from "../reading/fileGate.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import { openDocument } from "../ui/openDocument.ts";
import { schemes, sendable } from "./allowedEditor.ts";
import { bestPiece } from "./bestPiece.ts";

/** Most open files that are looked at, and most pieces of them. */
const mostFiles = 12;
const mostPieces = 3;

/** The pieces of open files in the language of a document that share most names with the code at the cursor. */
export async function neighbors(
  gate: FileGate,
  { uri, languageId }: TextDocument,
  code: string,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const tabs = window.tabGroups.all.flatMap(({ tabs: all }) => all.map(({ input }) => input));
  const uris = tabs.flatMap((input) => (input instanceof TabInputText ? [input.uri] : []));
  const others = [...new Map(uris.map((other) => [other.toString(), other])).values()].filter(
    (other) =>
      other.toString() !== uri.toString() &&
      schemes.includes(other.scheme) &&
      openDocument(other)?.languageId === languageId,
  );
  const documents = await sendable(gate, others.slice(0, mostFiles));
  const pieces = [...documents.values()].flatMap((document) => {
    const piece = bestPiece(document.getText(), code);
    return piece === undefined ? [] : [{ ...piece, path: nameInRequests(document.uri) }];
  });
  return pieces.toSorted((one, other) => other.shared - one.shared).slice(0, mostPieces);
}
