import {
  CodeLens,
  type CodeLensProvider,
  type Disposable,
  EventEmitter,
  OverviewRulerLane,
  type TextDocument,
  TextDocumentChangeReason,
  type TextDocumentChangeEvent,
  ThemeColor,
  window,
} from "vscode";
import { UserError } from "../failures/userError.ts";
import { prefix } from "../manifest.ts";
import type { Answer } from "./answer.ts";
import { actionTitles, appliedActions } from "./answerActionTitles.ts";
import { changeBetween } from "./changedLines.ts";
import { allTexts, rangeOf, replaceInDocument, textsOf } from "./documentCode.ts";
import { type LineRange, shiftLines } from "./lines.ts";
import { isUnique, locate } from "./locate.ts";

/** An applied edit that is neither kept nor undone yet. */
export interface AppliedEdit {
  readonly answer: Answer;
  readonly document: TextDocument;
  /** The lines that were there before. */
  readonly before: readonly string[];
  /** The lines that took their place. */
  readonly after: readonly string[];
  /** Whether the new lines occurred only once in the document when they were inserted. */
  readonly wasUnique: boolean;
  /** The current range of the new lines. */
  lines: LineRange;
}

/** Highlights applied edits and shows Keep, Undo and Show Diff above them until the user decides. */
export class AppliedEdits implements CodeLensProvider, Disposable {
  readonly #edits = new Set<AppliedEdit>();
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #highlight = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("diffEditor.insertedLineBackground"),
    overviewRulerColor: new ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
  });

  /** The answers whose edits they are. */
  get answers(): readonly Answer[] {
    return [...this.#edits].map(({ answer }) => answer);
  }

  of(answer: Answer): AppliedEdit | undefined {
    return [...this.#edits].find((edit) => edit.answer === answer);
  }

  /** Replaces lines of a document and remembers the previous ones. Changes only the lines that differ. */
  async replace(answer: Answer, document: TextDocument, lines: LineRange, texts: readonly string[]): Promise<void> {
    const change = changeBetween(textsOf(document, lines), texts);
    const touched = { start: lines.start + change.before.start, end: lines.start + change.before.end };
    const before = textsOf(document, touched);
    const after = texts.slice(change.after.start, change.after.end);
    if (!(await replaceInDocument(document, touched, after))) throw new UserError("notEditable");
    const placed = { start: touched.start, end: touched.start + after.length };
    const wasUnique = isUnique(allTexts(document), after);
    this.#edits.add({ answer, document, before, after, wasUnique, lines: placed });
    answer.markApplied();
    this.refresh();
  }

  /** Keeps an edit and removes its highlight. */
  keep(edit: AppliedEdit): void {
    edit.answer.markKept();
    this.#end(edit);
  }

  /** Restores the exact text from before the edit. */
  async undo(edit: AppliedEdit): Promise<void> {
    const location = locate(allTexts(edit.document), edit.after, edit.lines, edit.wasUnique);
    if (location.type !== "found") throw new UserError("editChanged", { subject: edit.answer.id });
    if (!(await replaceInDocument(edit.document, location.lines, edit.before))) throw new UserError("notEditable");
    this.#undone(edit);
  }

  /**
   * Updates the ranges of edits after a document change. Returns whether one was undone in the editor, which ends it.
   */
  follow({ document, contentChanges, reason }: TextDocumentChangeEvent): boolean {
    const concerned = [...this.#edits].filter((edit) => edit.document === document);
    if (concerned.length === 0) return false;
    for (const edit of concerned) {
      for (const change of contentChanges) edit.lines = shiftLines(edit.lines, change);
    }
    const undone = reason === TextDocumentChangeReason.Undo ? concerned.filter(isUndone) : [];
    for (const edit of undone) this.#undone(edit);
    this.refresh();
    return undone.length > 0;
  }

  forget(document: TextDocument): void {
    for (const edit of this.#edits) if (edit.document === document) this.#edits.delete(edit);
  }

  /** Updates the highlights in all visible editors. */
  refresh(): void {
    for (const editor of window.visibleTextEditors) {
      const highlighted = [...this.#edits].filter(
        ({ document, after }) => document === editor.document && after.length > 0,
      );
      editor.setDecorations(
        this.#highlight,
        highlighted.map(({ document, lines }) => rangeOf(document, lines)),
      );
    }
    this.#changed.fire();
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    return [...this.#edits]
      .filter((edit) => edit.document === document)
      .flatMap(({ answer, lines }) => {
        const range = rangeOf(document, { start: lines.start, end: lines.start + 1 });
        return appliedActions.map((name) => {
          const title = actionTitles[name]();
          return new CodeLens(range, { command: `${prefix}.${name}`, title, arguments: [answer.id] });
        });
      });
  }

  dispose(): void {
    this.#highlight.dispose();
    this.#changed.dispose();
  }

  #undone(edit: AppliedEdit): void {
    edit.answer.markUndone();
    this.#end(edit);
  }

  #end(edit: AppliedEdit): void {
    this.#edits.delete(edit);
    this.refresh();
  }
}

/** Whether the previous text is back in place of the edit. */
function isUndone({ document, before, after, lines: { start } }: AppliedEdit): boolean {
  const stands = (texts: readonly string[]): boolean =>
    start + texts.length <= document.lineCount &&
    textsOf(document, { start, end: start + texts.length }).every((text, index) => text === texts[index]);
  return (after.length === 0 || !stands(after)) && stands(before);
}
