import { Disposable, EventEmitter, type TextDocument } from "vscode";
import type { Edit, OpenEdits, PlacedHunk } from "../../apply/openEdits.ts";
import type { LineEdit } from "../../edits/types.ts";
import { ErrorWatch } from "../../reading/errorWatch.ts";
import type { Answer } from "../answer/answer.ts";
import { isUndecided } from "../answer/decisions.ts";
import type { LineRange } from "../../text/lineRange.ts";

/** What answers have changed, and the errors that came with it. */
export class AnswerEdits implements Disposable {
  readonly #open: OpenEdits;
  readonly #answers = new WeakMap<Edit, Answer>();
  readonly #decided = new EventEmitter<Answer>();
  readonly #errors: ErrorWatch<Answer>;
  /** A hunk of this answer was applied, accepted, undone or brought back. */
  readonly onDidDecide = this.#decided.event;
  /** An answer, the `change`, has other errors now. */
  readonly onDidFindErrors: ErrorWatch<Answer>["onDidChange"];
  readonly #listeners: Disposable;

  constructor(open: OpenEdits, now: () => number = Date.now) {
    this.#open = open;
    this.#errors = new ErrorWatch(now);
    this.onDidFindErrors = this.#errors.onDidChange;
    this.#listeners = Disposable.from(
      open.onDidDecide((edit) => {
        const answer = this.#answers.get(edit);
        if (answer) this.#update(answer);
      }),
      this.onDidFindErrors(({ change: answer }) => {
        answer.newDiagnostics = this.#errors.of(answer);
      }),
      this.#errors,
    );
  }

  /** The hunks of an answer, with what became of them. */
  hunksOf({ edits }: Answer): readonly PlacedHunk[] {
    return edits.flatMap((edit) => this.#open.hunksOf(edit));
  }

  /** Those that are neither kept nor undone. */
  undecidedOf(answer: Answer): readonly PlacedHunk[] {
    return this.hunksOf(answer).filter(isUndecided);
  }

  /** Applies an answer's exact hunks as one undo step, and watches for new errors until they are decided. `false` for none. */
  async apply(answer: Answer, document: TextDocument, hunks: readonly LineEdit[]): Promise<boolean> {
    if (hunks.length === 0) return false;
    const lines = (): readonly LineRange[] => this.undecidedOf(answer).map((hunk) => hunk.lines);
    await this.#errors.during(answer, [document.uri], async () => {
      // Before the change, which may be one that was undone.
      const open = answer.edits.filter((one) => this.#open.hunksOf(one).some(isUndecided));
      const edit = await this.#open.apply(document, hunks, answer.id);
      answer.edits = [...open, edit];
      this.#answers.set(edit, answer);
      this.#update(answer);
      return [{ uri: document.uri, lines }];
    });
    return true;
  }

  dispose(): void {
    Disposable.from(this.#listeners, this.#decided).dispose();
  }

  #update(answer: Answer): void {
    answer.hunks = this.hunksOf(answer);
    if (answer.hunks.some(isUndecided)) this.#errors.note(answer);
    else this.#errors.end((one) => one === answer);
    this.#decided.fire(answer);
  }
}
