import { commands, type TextDocument, window } from "vscode";

/** What has changed a document. */
type Reason = "undo" | "redo" | "edit";

/**
 * Goes on with an undo of the editor that has taken back only a part of what one undo takes back: VS Code cannot join
 * edits to one undo step once the cursor has moved (`pushStackElement`, VS Code 1.139.1). Another undo of the user
 * meanwhile takes back what comes next, as after a joined step. Anything else that the user does meanwhile would be what
 * is undone: it is then done again, and the rest of the change stays.
 */
export class JoinedUndo {
  /** The undos that are under way, with what has changed their document since they were sent. */
  readonly #sent = new Map<Reason[], TextDocument>();

  /** Notes a change of a document. Returns whether it was the undoing of something else. */
  note(document: TextDocument, reason: Reason): boolean {
    const sent = [...this.#sent].filter(([, undone]) => undone === document).map(([changes]) => changes);
    for (const changes of sent) changes.push(reason);
    return sent.some(isAstray);
  }

  async goOn(document: TextDocument): Promise<void> {
    if (!isInFront(document)) return;
    const changes: Reason[] = [];
    this.#sent.set(changes, document);
    // The changes that a command makes are known before it returns: VS Code keeps its messages in order.
    await commands.executeCommand("undo");
    this.#sent.delete(changes);
    if (isAstray(changes) && isInFront(document)) await commands.executeCommand("redo");
  }
}

function isAstray(changes: readonly Reason[]): boolean {
  return changes[0] !== "undo" && changes.at(-1) === "undo";
}

function isInFront(document: TextDocument): boolean {
  return window.activeTextEditor?.document === document;
}
