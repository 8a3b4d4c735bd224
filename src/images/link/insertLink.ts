import { type TextDocument, type Uri, workspace } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { imageLink, pathFrom } from "./imageLink.ts";
import type { LastDocument } from "./lastDocument.ts";

/** Inserts a link to an image into the last edited document, in its language's syntax. */
export async function insertLink(last: LastDocument, image: Uri, prompt: string): Promise<void> {
  const document = last.get();
  if (document === undefined) throw new UserError("noDocument");
  const subject = workspace.asRelativePath(document.uri);
  if (!shareFolder(document, image)) throw new UserError("linkOutside", { subject });
  const link = imageLink(document.languageId, pathFrom(document.uri.path, image.path), prompt);
  const editor = await last.show();
  const isInserted = await editor?.edit((edit) => {
    edit.insert(editor.selection.end, link);
  });
  if (!isInserted) throw new UserError("documentReadOnly", { subject });
}

function shareFolder({ uri }: TextDocument, image: Uri): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  return folder !== undefined && folder === workspace.getWorkspaceFolder(image);
}
