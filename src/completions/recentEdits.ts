import { type Disposable, Range, type Uri, workspace } from "vscode";
import type { FileGate } from "../reading/fileGate.ts";
import { nameInRequests } from "../reading/promptPaths.ts";
import { schemes, sendable } from "./allowedEditor.ts";

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

  readonly #gate: FileGate;

  constructor(gate: FileGate) {
    this.#gate = gate;
    this.#listener = workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
      const [change] = contentChanges;
      if (change === undefined || !schemes.includes(uri.scheme) || isElsewhere(uri)) return;
      const edit = { uri, line: change.range.start.line };
      this.#edits = [...this.#edits.filter((known) => !isNear(known, edit)), edit].slice(-mostEdits);
    });
  }

  /**
   * The pieces of text around the edits, the oldest first, without those that are in view of the cursor. Secrets in them
   * are the prompt's to mask.
   */
  async texts(uri: Uri, line: number): Promise<readonly { readonly path: string; readonly text: string }[]> {
    const edits = this.#edits.filter((edit) => !isNear(edit, { uri, line }));
    const documents = await sendable(
      this.#gate,
      edits.map((edit) => edit.uri),
    );
    return edits.flatMap((edit) => {
      const document = documents.get(edit.uri);
      if (document === undefined) return [];
      const around = new Range(Math.max(0, edit.line - linesAround), 0, edit.line + linesAround + 1, 0);
      return [{ path: nameInRequests(edit.uri), text: document.getText(around) }];
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
