import { type Disposable, env, l10n, window } from "vscode";
import type { Edit } from "../../apply/edit.ts";
import type { EditStore } from "../../apply/editStore.ts";
import { isUndecided } from "../../apply/hunks.ts";
import { fitIndentation } from "../../edits/place/reindent.ts";
import type { LineEdit } from "../../edits/types.ts";
import { UserError } from "../../failures/userError.ts";
import { withHunks } from "../../text/lineHunks.ts";
import { hasMask } from "../../text/secrets/placeholders.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { filesThatRunCode } from "../../ui/filesThatRunCode.ts";
import { type Answer, proposeFor } from "../answer/answer.ts";
import { isSameChange, replacementBy } from "../answer/proposal.ts";
import { diagnosticList, withoutQuotes } from "../../problems/diagnostics.ts";
import { showMessage } from "../../ui/showMessage.ts";
import { allTexts, type CodeTarget } from "../ask/document.ts";
import type { InlineThread } from "../thread/inlineThread.ts";
import { canReplace, misfitText } from "../thread/threadComments.ts";
import { collapseSelection, showLines } from "../thread/threadInView.ts";
import { DiffView } from "./diffView.ts";

/** The thread and answer that a command acts on. */
export interface AnswerTarget {
  readonly thread: InlineThread;
  readonly answer: Answer;
}

/** The actions behind the buttons of an answer, by the names of their commands. */
export class AnswerActions implements Disposable {
  readonly #edits: EditStore;
  readonly #onDidApply: (answer: Answer, edit: Edit) => void;
  readonly #secrets: Pick<WindowSecrets, "linesIn">;
  readonly #diffs = new DiffView();

  constructor(
    edits: EditStore,
    secrets: Pick<WindowSecrets, "linesIn">,
    onDidApply: (answer: Answer, edit: Edit) => void,
  ) {
    this.#edits = edits;
    this.#onDidApply = onDidApply;
    this.#secrets = secrets;
  }

  /** Applies the change where its code is now, or only shows it if it differs from what the user has seen in full. */
  async apply({ thread, answer }: AnswerTarget): Promise<void> {
    const { change } = answer;
    if (!change) return;
    const { document } = thread;
    const all = allTexts(document);
    // The target lines are replaced as a whole only if they are unchanged; other edits are located by their old lines.
    if (change.reading.hasReplacement) requireUnchanged(thread, answer, all);
    const proposal = proposeFor(thread.target, answer, change, all);
    const { hunks, misfits } = proposal;
    if (hunks.length === 0) {
      const isThere = misfits.some((misfit) => misfitText(misfit) === undefined);
      if (!isThere) throw new UserError("codeChanged", { subject: answer.id });
      return this.#change({ thread, answer }, hunks);
    }
    const lines = withHunks(all, hunks);
    const diff = this.#diffs.proposed(document);
    const isSeen = proposal.shown?.isWhole === true || diff === lines.join("\n");
    const isNew = !isSameChange(change.hunks, hunks) || (diff !== undefined && diff !== lines.join("\n"));
    answer.stage = { phase: "done", proposal };
    if (isNew || !isSeen) {
      thread.refresh();
      await this.#diffs.show(document, "proposed", lines);
      return;
    }
    await this.#replace({ thread, answer }, hunks);
  }

  /**
   * Applies a complete change automatically, but only one that the thread shows as a whole, only if the user has not
   * changed the target lines, and not to a file that can run code without being started.
   */
  async applyAutomatically({ thread, answer }: AnswerTarget): Promise<void> {
    const { change } = answer;
    if (!change?.shown?.isWhole || change.misfits.length > 0 || thread.document.isClosed) return;
    if ((await filesThatRunCode([thread.document.uri.toString()])).length > 0) return;
    const all = allTexts(thread.document);
    if (!answer.locate(all, thread.lines)) return;
    const { hunks } = proposeFor(thread.target, answer, change, all);
    if (!isSameChange(change.hunks, hunks)) return;
    await this.#replace({ thread, answer }, hunks);
  }

  /** Replaces the target lines with the only block of an answer, which is not marked as their replacement. */
  async replaceSelection({ thread, answer }: AnswerTarget): Promise<void> {
    const code = answer.insertable;
    if (!code || !canReplace(answer, thread.target)) return;
    const all = allTexts(thread.document);
    requireUnchanged(thread, answer, all);
    const target: CodeTarget = { ...thread.target, scope: "selection" };
    const reading = replacementBy(code, answer.proposal?.reading.restore);
    const { hunks, misfits } = proposeFor(target, answer, { reading }, all);
    const refusal = misfits[0] && misfitText(misfits[0]);
    if (refusal !== undefined) void showMessage("Information", refusal);
    else await this.#replace({ thread, answer }, hunks);
  }

  /** Inserts the answer's code below the code it is about. */
  async insertBelow({ thread, answer }: AnswerTarget): Promise<void> {
    const code = answer.insertable;
    if (!code || answer.progress === "applied") return;
    if (!thread.target.canEdit) throw new UserError("notEditable");
    if (code.some(hasMask)) {
      void showMessage("Information", l10n.t("The code contains a placeholder for a secret, so it was not inserted."));
      return;
    }
    const all = allTexts(thread.document);
    const { end } = answer.locate(all, thread.lines) ?? thread.lines;
    // An empty last line stands for the line break before it, which stays.
    const place = end === all.length && all.at(-1) === "" ? end - 1 : end;
    const separator = (all[place - 1] ?? "").trim() === "" ? [] : [""];
    const lines = [...separator, ...fitIndentation(answer.code, code)];
    await this.#change({ thread, answer }, [{ start: place, end: place, lines }]);
  }

  /** Shows a diff: the document and the proposed change or, once applied, the earlier version and the document. */
  async showDiff({ thread, answer }: AnswerTarget): Promise<void> {
    const { document } = thread;
    const { change } = answer;
    const [hunk] = answer.undecided;
    if (hunk) await this.showApplied(hunk.id);
    else if (change) {
      const all = allTexts(document);
      const { hunks } = proposeFor(thread.target, answer, change, all);
      // If the edits no longer fit, the whole text is compared with what the model read.
      const lines = hunks.length > 0 ? withHunks(all, hunks) : withHunks(answer.texts, change.hunks);
      await this.#diffs.show(document, "proposed", lines);
    }
  }

  /** Compares a document with what it was before an edit, given by the id of a hunk. */
  async showApplied(id: unknown): Promise<void> {
    const [hunk] = this.#edits.named(id);
    if (hunk) await this.#diffs.show(hunk.document, "previous", hunk.file.linesBefore(hunk.document));
  }

  async copy({ answer }: AnswerTarget): Promise<void> {
    await env.clipboard.writeText(answer.copied);
  }

  async askAgain({ thread, answer }: AnswerTarget): Promise<void> {
    await thread.askAgain(answer);
  }

  showAnswer({ thread }: AnswerTarget): void {
    thread.expand();
  }

  /** Asks for a fix of the errors that the change has caused. */
  async fixNewProblems({ thread, answer: { newDiagnostics } }: AnswerTarget): Promise<void> {
    if (newDiagnostics.length === 0) {
      void window.showInformationMessage(l10n.t("The change introduced no new problems."));
      return;
    }
    const shown = l10n.t("Fix the new problems.");
    const withSecrets = await this.#secrets.linesIn(allTexts(thread.document).join("\n"));
    const list = diagnosticList(withoutQuotes(newDiagnostics, withSecrets));
    const prompt = [shown, "", "Errors that the change has caused:", ...list].join("\n");
    await thread.ask({ shown, prompt });
  }

  /** Changes the document, and extends the range of the thread to changed lines beside it. */
  async #replace({ thread, answer }: AnswerTarget, hunks: readonly LineEdit[]): Promise<void> {
    thread.lines = answer.locate(allTexts(thread.document), thread.lines) ?? thread.lines;
    collapseSelection(thread);
    await this.#change({ thread, answer }, hunks);
    for (const { lines } of answer.undecided) {
      const { start, end } = thread.lines;
      const touches = lines.start <= end && lines.end >= start;
      if (touches) thread.lines = { start: Math.min(lines.start, start), end: Math.max(lines.end, end) };
    }
  }

  async #change({ thread, answer }: AnswerTarget, hunks: readonly LineEdit[]): Promise<void> {
    if (hunks.length === 0) {
      void window.showInformationMessage(l10n.t("The code already matches the answer."));
      return;
    }
    // Read before the change, which may apply undone hunks again.
    const open = answer.edits.filter((edit) => edit.hunks.some(isUndecided));
    const edit = await this.#edits.change(thread.document, hunks, answer.id);
    answer.edits = [...open, edit];
    this.#onDidApply(answer, edit);
    const [first] = answer.undecided;
    if (first) void showLines(thread, first.lines);
  }

  dispose(): void {
    this.#diffs.dispose();
  }
}

function requireUnchanged({ lines }: InlineThread, answer: Answer, all: readonly string[]): void {
  if (!answer.locate(all, lines)) throw new UserError("codeChanged", { subject: answer.id });
}
