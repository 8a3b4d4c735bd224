import { Disposable, env, l10n, window, workspace } from "vscode";
import { fitIndentation } from "../edits/place/replaceWhole.ts";
import { replaceMark } from "../edits/read/readEdits.ts";
import { UserError } from "../failures/userError.ts";
import { diffScheme } from "../manifest.ts";
import { hasMask } from "../text/maskSecrets.ts";
import { filesThatRunCode } from "../ui/filesThatRunCode.ts";
import type { Answer } from "./answer.ts";
import type { AnswerCommand } from "./answerActionTitles.ts";
import { collapseSelection } from "./collapseSelection.ts";
import { DiffView } from "./diffView.ts";
import { allTexts } from "./documentCode.ts";
import { readAgain, readProposal } from "./documentProposal.ts";
import { fenceFor } from "./editBlock.ts";
import type { AppliedEdits } from "./hunks/appliedEdits.ts";
import { stands } from "./hunks/trackedHunk.ts";
import type { InlineThread } from "./inlineThread.ts";
import { newProblemsQuestion } from "./problemQuestions.ts";
import type { ProblemWatch } from "./problemWatch.ts";
import { isSameChange, linesAfter, type ProposedHunk, withHunks } from "./proposal.ts";
import { canReplace } from "./threadComments.ts";
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
  readonly #edits: AppliedEdits;
  readonly #problems: ProblemWatch;
  readonly #diffs = new DiffView();
  readonly #contents = workspace.registerTextDocumentContentProvider(diffScheme, this.#diffs);

  constructor(edits: AppliedEdits, problems: ProblemWatch) {
    this.#edits = edits;
    this.#problems = problems;
  }

  /** Applies the change where its code is now. Shows it first if the user has not seen it like this, or not as a whole. */
  async apply({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const { change } = answer;
    if (!change) return;
    const { document } = thread;
    const all = allTexts(document);
    const proposal = readAgain(thread.target, answer, all);
    if (proposal.edit.type !== "change") {
      const problems = proposal.edit.type === "problem" ? proposal.edit.problems : [];
      if (!problems.some(({ kind }) => kind === "noChange" || kind === "alreadyApplied")) {
        throw new UserError("codeChanged", { subject: answer.id });
      }
      void window.showInformationMessage(l10n.t("The code already matches the answer."));
      return;
    }
    const { hunks } = proposal.edit;
    const lines = withHunks(all, hunks);
    const isSeen = proposal.shown?.isWhole === true || this.#diffs.shows(document, lines);
    const isNew = !isSameChange(change, hunks) || this.#diffs.isOutdated(document, lines);
    answer.update(proposal);
    if (isNew || !isSeen) {
      thread.view.refresh();
      await this.#diffs.showProposal(document, lines);
      return;
    }
    collapseSelection(document);
    await this.#replace(thread, answer, hunks, all);
  }

  /**
   * Applies a complete change without being asked to, but only one that the thread shows as a whole, only where the user
   * has not changed the code in question, and not to a file that can run code without being started.
   */
  async applyUnasked({ thread, answer }: AnswerTarget): Promise<void> {
    const { change } = answer;
    const { edit, shown, source } = answer.proposal;
    if (!change || edit.type !== "change" || edit.problems.length > 0 || shown?.isWhole !== true) return;
    const all = allTexts(thread.document);
    if (answer.asked.locate(all, thread.lines).type !== "found") return;
    if ((await filesThatRunCode([thread.document.uri.toString()])).length > 0) return;
    const proposal = readProposal(thread.target, answer, source, all);
    if (proposal.edit.type !== "change" || !isSameChange(change, proposal.edit.hunks)) return;
    collapseSelection(thread.document, thread.lines);
    await this.#replace(thread, answer, proposal.edit.hunks, all);
  }

  /** Replaces the selected lines with the only block of an answer, which is not marked as their replacement. */
  async replaceSelection({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const code = answer.insertable;
    if (!code || !canReplace(answer, thread.target)) return;
    const fence = fenceFor([...code, ...answer.asked.lines], thread.document.languageId);
    const source = [`${fence}text ${replaceMark}`, ...code, fence].join("\n");
    const all = allTexts(thread.document);
    if (answer.asked.locate(all, thread.lines).type !== "found") {
      throw new UserError("codeChanged", { subject: answer.id });
    }
    const { edit } = readProposal(thread.target, answer, source, all);
    collapseSelection(thread.document);
    await this.#replace(thread, answer, edit.type === "change" ? edit.hunks : [], all);
  }

  /** Inserts the answer's code below the code it is about. */
  async insertBelow({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const code = answer.insertable;
    if (!code) return;
    if (!thread.canEdit) throw new UserError("notEditable");
    if (code.some(hasMask)) {
      void window.showInformationMessage(
        l10n.t("The code has a placeholder in place of a secret and is not inserted."),
      );
      return;
    }
    const { end } = answer.asked.locateOrTracked(allTexts(thread.document), thread.lines);
    const lines = ["", ...fitIndentation(answer.asked.lines, code)];
    await this.#change(thread, answer, [{ start: end, end, lines, before: [] }]);
  }

  /**
   * Shows a diff: the document and the proposed change or, once applied, the earlier version and the document.
   */
  async showDiff({ thread, answer }: AnswerTarget): Promise<void> {
    const applied = [...new Set(this.#edits.openOf(answer).map((open) => open.document))];
    if (applied.length > 0) {
      await this.#diffs.showApplied(
        applied.map((changed) => ({ document: changed, lines: this.#edits.textsBefore(changed, answer) })),
      );
    } else if (answer.change) await this.#showProposal(thread, answer);
  }

  async copy({ answer }: AnswerTarget): Promise<void> {
    await env.clipboard.writeText(answer.copied);
  }

  /** Asks the question again. */
  async askAgain({ thread, answer }: AnswerTarget): Promise<void> {
    await Promise.all([focusEditor(), thread.askAgain(answer)]);
  }

  /** Shows the whole answer again once its change is applied. */
  async showAnswer({ thread }: AnswerTarget): Promise<void> {
    await focusEditor();
    thread.view.expand();
  }

  /** Asks for a fix of the errors that came with the change. */
  async fixNewProblems({ thread, answer: { newProblems } }: AnswerTarget): Promise<void> {
    if (newProblems.length > 0) {
      await Promise.all([focusEditor(), thread.ask(newProblemsQuestion(thread.document, newProblems))]);
      return;
    }
    await focusEditor();
    void window.showInformationMessage(l10n.t("The change has brought no new problems."));
  }

  async #showProposal(thread: InlineThread, answer: Answer): Promise<void> {
    const { document } = thread;
    const all = allTexts(document);
    const proposal = readProposal(thread.target, answer, answer.proposal.source, all);
    const { edit } = proposal;
    if (edit.type === "change") {
      await this.#diffs.showProposal(document, withHunks(all, edit.hunks));
    } else if (answer.change) {
      // Where the edits have no place any more, the whole text is compared with what the model read.
      await this.#diffs.showProposal(document, withHunks(answer.asked.document, answer.change));
    }
  }

  /** Changes the document, whose lines are `all`, and lets the thread be about the new lines. */
  async #replace(
    thread: InlineThread,
    answer: Answer,
    hunks: readonly ProposedHunk[],
    all: readonly string[],
  ): Promise<void> {
    const lines = linesAfter(answer.asked.locateOrTracked(all, thread.lines), hunks);
    const texts = withHunks(all, hunks).slice(lines.start, lines.end);
    await this.#change(thread, answer, hunks);
    if (stands(thread.document, lines.start, texts)) thread.lines = lines;
  }

  async #change({ document }: InlineThread, answer: Answer, hunks: readonly ProposedHunk[]): Promise<void> {
    answer.apply(hunks);
    if (await this.#problems.during(answer, document, () => this.#edits.apply(answer, document, hunks))) return;
    void window.showInformationMessage(l10n.t("The code already matches the answer."));
  }

  dispose(): void {
    Disposable.from(this.#contents, this.#diffs).dispose();
  }
}
