import { type Disposable, Range, type TextDocument, type Uri, workspace } from "vscode";
import { nameInRequests } from "../ui/nameInRequests.ts";
import { openDocument } from "../ui/openDocument.ts";
import { isPrivate, schemes } from "./allowedEditor.ts";

/** A place that was edited. */
interface Edit {
  readonly uri: Uri;
  readonly line: number;
}

const mostEdits = 6;
const linesAround = 4;
/** Edits that are this near to each other, or to the cursor, are one place. */
const near = 20;

/** Remembers where the user edited a moment ago. */
export class RecentEdits {
  readonly #listener: Disposable;
  #edits: readonly Edit[] = [];

  constructor() {
    this.#listener = workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      const [change] = contentChanges;
      if (change === undefined || !schemes.includes(uri.scheme) || isElsewhere(uri)) return;
      const edit = { uri, line: change.range.start.line };
      this.#edits = [...this.#edits.filter((known) => !isNear(known, edit)), edit].slice(-mostEdits);
    });
  }

  /** The pieces of text around the edits, the oldest first, without those that are in view of the cursor. */
  texts(uri: Uri, line: number): readonly { readonly path: string; readonly text: string }[] {
    return this.#edits
      .filter((edit) => !isNear(edit, { uri, line }))
      .flatMap((edit) => {
        const document = openDocument(edit.uri);
        if (document === undefined || isPrivate(document)) return [];
        return [{ path: nameInRequests(edit.uri), text: textAround(document, edit.line) }];
      });
  }

  dispose(): void {
    this.#listener.dispose();
  }
}

/** Whether a file is none of the workspace, as the settings of VS Code, which VS Code edits itself. */
function isElsewhere(uri: Uri): boolean {
  return ["file", "vscode-remote"].includes(uri.scheme) && !workspace.getWorkspaceFolder(uri);
}

function isNear(one: Edit, other: Edit): boolean {
  return Math.abs(one.line - other.line) < near && one.uri.toString() === other.uri.toString();
}

function textAround(document: TextDocument, line: number): string {
  return document.getText(new Range(Math.max(0, line - linesAround), 0, line + linesAround + 1, 0));
}
