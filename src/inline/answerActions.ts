import { Disposable, env, l10n, languages, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { diffScheme } from "../manifest.ts";
import { withUnseenMarked } from "../text/unseen.ts";
import type { Answer, AnswerCommand } from "./answer.ts";
import { AppliedEdits } from "./appliedEdits.ts";
import { changeBetween } from "./changedLines.ts";
import { DiffView } from "./diffView.ts";
import { allTexts } from "./documentCode.ts";
import type { InlineThread } from "./inlineThread.ts";
import type { LineRange } from "./lines.ts";
import { locate, locateOrTracked } from "./locate.ts";
import { fitIndentation } from "./replacement.ts";
import { focusEditor } from "./threadInView.ts";

/** The thread and answer that a command acts on. */
export interface AnswerTarget {
  readonly thread: InlineThread;
  readonly answer: Answer;
}

/** All commands of an answer. A command missing here does not compile. */
type AnswerCommands = Readonly<Record<AnswerCommand, (target: AnswerTarget) => Promise<void>>>;

/** The actions behind the buttons of an answer. */
export class AnswerActions implements AnswerCommands, Disposable {
  readonly edits = new AppliedEdits();
  readonly #diffs = new DiffView();
  readonly #listeners = Disposable.from(
    languages.registerCodeLensProvider("*", this.edits),
    workspace.registerTextDocumentContentProvider(diffScheme, this.#diffs),
    window.onDidChangeVisibleTextEditors(() => {
      this.edits.refresh();
    }),
  );

  /** Applies the change, if the code is still what the model read. */
  async apply({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const { replacement } = answer;
    if (!replacement) return;
    const all = allTexts(thread.document);
    const location = locate(all, answer.code, thread.lines, answer.wasUnique);
    if (location.type !== "found") throw new UserError("codeChanged", { subject: answer.id });
    const lines = fitIndentation(answer.code, replacement);
    if (isSame(answer.code, lines)) {
      void window.showInformationMessage(l10n.t("The code already matches the answer."));
      return;
    }
    const proposal = replaced(all, location.lines, lines);
    // The code or the answer has changed since: the user has not seen this change yet.
    if (this.#diffs.isOutdated(thread.document, proposal)) {
      await this.#diffs.showProposal(thread.document, proposal);
      return;
    }
    await this.edits.replace(answer, thread.document, location.lines, lines);
    thread.view.refresh();
  }

  /** Inserts the answer's code below the code it is about. */
  async insertBelow({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const code = answer.insertable;
    if (!code) return;
    if (!thread.canEdit) throw new UserError("notEditable");
    const { end } = locateOrTracked(allTexts(thread.document), answer.code, thread.lines, answer.wasUnique);
    const lines = ["", ...fitIndentation(answer.code, code)];
    await this.edits.replace(answer, thread.document, { start: end, end }, lines);
    thread.view.refresh();
  }

  /** Shows a diff: the document and the proposed change or, once applied, the earlier version and the document. */
  async showDiff({ thread, answer }: AnswerTarget): Promise<void> {
    const all = allTexts(thread.document);
    const applied = this.edits.of(answer);
    if (applied) {
      const lines = locateOrTracked(all, applied.after, applied.lines, applied.wasUnique);
      await this.#diffs.showApplied(thread.document, replaced(all, lines, applied.before));
    } else if (answer.replacement) {
      const lines = locateOrTracked(all, answer.code, thread.lines, answer.wasUnique);
      const proposal = replaced(all, lines, fitIndentation(answer.code, answer.replacement));
      await this.#diffs.showProposal(thread.document, proposal);
    }
  }

  /** Copies the answer's code, or the whole answer if it has none, with marks for invisible characters. */
  async copy({ answer }: AnswerTarget): Promise<void> {
    await env.clipboard.writeText(answer.insertable?.join("\n") ?? withUnseenMarked(answer.text));
  }

  /** Asks the question again. */
  async askAgain({ thread, answer }: AnswerTarget): Promise<void> {
    await Promise.all([focusEditor(), thread.askAgain(answer)]);
  }

  /** Keeps the applied change. */
  async keep({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const edit = this.edits.of(answer);
    if (edit) this.edits.keep(edit);
    thread.view.refresh();
  }

  /** Restores the exact text from before the change. */
  async undo({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const edit = this.edits.of(answer);
    if (edit) await this.edits.undo(edit);
    thread.view.refresh();
  }

  dispose(): void {
    this.#listeners.dispose();
    this.edits.dispose();
    this.#diffs.dispose();
  }
}

function replaced(all: readonly string[], { start, end }: LineRange, lines: readonly string[]): readonly string[] {
  return [...all.slice(0, start), ...lines, ...all.slice(end)];
}

function isSame(code: readonly string[], lines: readonly string[]): boolean {
  const { before, after } = changeBetween(code, lines);
  return before.start === before.end && after.start === after.end;
}
