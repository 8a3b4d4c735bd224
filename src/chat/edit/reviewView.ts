import { commands, l10n, type TextDocumentContentProvider, Uri } from "vscode";
import { editScheme } from "../../manifest.ts";
import type { EditRecords } from "./editRecords.ts";
import { type ProposedFile, textOf } from "./proposedFiles.ts";

/** Shows edits as diffs of documents that exist only for this: the files before and after. */
export class ReviewView implements TextDocumentContentProvider {
  readonly #records: Pick<EditRecords, "filesOf">;

  constructor(records: Pick<EditRecords, "filesOf">) {
    this.#records = records;
  }

  async provideTextDocumentContent({ query }: Uri): Promise<string> {
    const [id = "", index = "", side = ""] = query.split("/");
    const file = (await this.#records.filesOf(id))?.[Number(index)];
    return textOf(side === "before" ? file?.before : file?.after);
  }

  /** Opens all files of an edit in VS Code's multi-file diff editor. */
  async showAll(id: string, files: readonly ProposedFile[]): Promise<void> {
    const resources = files.map((file, index) => {
      const { left, right } = sidesOf(id, file, index);
      return [right ?? left, left, right];
    });
    // Undocumented forms of the arguments: `vscode.changes` in extHostApiCommands.ts, VS Code 1.139.1.
    await commands.executeCommand("vscode.changes", l10n.t("Changes by Codex"), resources);
  }

  /** Opens one file of an edit in a diff editor. */
  async showOne(id: string, file: ProposedFile, index: number): Promise<void> {
    const [from, to] = [documentOf(id, file.uri, index, "before"), documentOf(id, targetOf(file), index, "after")];
    const name = Uri.parse(targetOf(file)).path.split("/").at(-1) ?? "";
    await commands.executeCommand("vscode.diff", from, to, l10n.t("{0} (change by Codex)", name));
  }
}

function sidesOf(
  id: string,
  file: ProposedFile,
  index: number,
): { readonly left: Uri | undefined; readonly right: Uri | undefined } {
  return {
    left: file.before && documentOf(id, file.uri, index, "before"),
    right: file.after && documentOf(id, targetOf(file), index, "after"),
  };
}

function targetOf({ uri, newUri = uri }: ProposedFile): string {
  return newUri;
}

/** The path decides the language of the document. */
function documentOf(id: string, uri: string, index: number, side: "before" | "after"): Uri {
  return Uri.from({ scheme: editScheme, path: Uri.parse(uri).path, query: `${id}/${index}/${side}` });
}
