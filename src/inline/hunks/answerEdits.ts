import { Disposable, EventEmitter, type TextDocument } from "vscode";
import type { PlacedHunk } from "../../apply/edit.ts";
import type { Edits } from "../../apply/edits.ts";
import { isUndecided } from "../../apply/hunks.ts";
import type { LineEdit } from "../../edits/types.ts";
import type { Answer } from "../answer/answer.ts";

/** Which answers have made which edits. */
export class AnswerEdits implements Disposable {
  readonly #edits: Edits;
  /** By the ids of their edits. */
  readonly #answers = new Map<string, Answer>();
  readonly #changed = new EventEmitter<Answer>();
  /** The hunks of an answer have other states, or it has brought more or fewer errors. */
  readonly onDidChange = this.#changed.event;
  readonly #listeners: Disposable;

  constructor(edits: Edits) {
    this.#edits = edits;
    this.#listeners = Disposable.from(
      edits.onDidDecide(({ id }) => {
        const answer = this.#answers.get(id);
        if (answer) this.#update(answer);
      }),
      edits.errors.inline.onDidChange(({ change: id, more }) => {
        const answer = this.#answers.get(id);
        if (!answer) return;
        answer.newDiagnostics = answer.edits.flatMap((edit) => edits.errors.inline.of(edit.id));
        if (more !== 0) this.#changed.fire(answer);
      }),
    );
  }

  /** Applies an answer's exact hunks as one undo step. `false` for none. */
  async apply(answer: Answer, document: TextDocument, hunks: readonly LineEdit[]): Promise<boolean> {
    if (hunks.length === 0) return false;
    // Before the change, which may be one that was undone.
    const open = answer.edits.filter((edit) => edit.hunks.some(isUndecided));
    const edit = await this.#edits.change(document, hunks, answer.id);
    answer.edits = [...open, edit];
    this.#answers.set(edit.id, answer);
    answer.newDiagnostics = answer.edits.flatMap(({ id }) => this.#edits.errors.inline.of(id));
    this.#update(answer);
    return true;
  }

  dispose(): void {
    Disposable.from(this.#listeners, this.#changed).dispose();
  }

  #update(answer: Answer): void {
    answer.hunks = answer.edits.flatMap(({ hunks }) => hunks);
    this.#changed.fire(answer);
  }
}

/** The hunks of an answer in open documents that are neither kept nor undone. */
export function undecidedOf({ edits }: Answer): readonly PlacedHunk[] {
  return edits.flatMap(({ hunks }) => hunks).filter(isUndecided);
}
