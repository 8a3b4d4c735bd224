import { Disposable, env, l10n, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { diffScheme } from "../manifest.ts";
import { withUnseenMarked } from "../text/unseen.ts";
import type { Answer, AnswerCommand } from "./answer.ts";
import { DiffView } from "./diffView.ts";
import { allTexts } from "./documentCode.ts";
import type { AppliedEdits } from "./hunks/appliedEdits.ts";
import { stands } from "./hunks/trackedHunk.ts";
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
  readonly #edits: AppliedEdits;
  readonly #diffs = new DiffView();
  readonly #contents = workspace.registerTextDocumentContentProvider(diffScheme, this.#diffs);

  constructor(edits: AppliedEdits) {
    this.#edits = edits;
  }

  /** Applies the change, if the code is still what the model read. */
  async apply({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const { replacement } = answer;
    if (!replacement) return;
    const all = allTexts(thread.document);
    const location = locate(all, answer.code, thread.lines, answer.wasUnique);
    if (location.type !== "found") throw new UserError("codeChanged", { subject: answer.id });
    const lines = fitIndentation(answer.code, replacement);
    const proposal = replaced(all, location.lines, lines);
    // The code or the answer has changed since: the user has not seen this change yet.
    if (this.#diffs.isOutdated(thread.document, proposal)) {
      await this.#diffs.showProposal(thread.document, proposal);
      return;
    }
    if (!(await this.#edits.apply(answer, thread.document, [{ ...location.lines, lines }]))) {
      void window.showInformationMessage(l10n.t("The code already matches the answer."));
      return;
    }
    const { start } = location.lines;
    if (stands(thread.document, start, lines)) thread.lines = { start, end: start + lines.length };
  }

  /** Inserts the answer's code below the code it is about. */
  async insertBelow({ thread, answer }: AnswerTarget): Promise<void> {
    await focusEditor();
    const code = answer.insertable;
    if (!code) return;
    if (!thread.canEdit) throw new UserError("notEditable");
    const { end } = locateOrTracked(allTexts(thread.document), answer.code, thread.lines, answer.wasUnique);
    const lines = ["", ...fitIndentation(answer.code, code)];
    await this.#edits.apply(answer, thread.document, [{ start: end, end, lines }]);
  }

  /** Shows a diff: the document and the proposed change or, once applied, the earlier version and the document. */
  async showDiff({ thread, answer }: AnswerTarget): Promise<void> {
    const [applied] = this.#edits.openOf(answer);
    if (applied) {
      await this.#diffs.showApplied(applied.document, this.#edits.textsBefore(applied.document, answer));
    } else if (answer.replacement) {
      const all = allTexts(thread.document);
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

  dispose(): void {
    Disposable.from(this.#contents, this.#diffs).dispose();
  }
}

function replaced(all: readonly string[], { start, end }: LineRange, lines: readonly string[]): readonly string[] {
  return [...all.slice(0, start), ...lines, ...all.slice(end)];
}
