import { Disposable, EventEmitter, type TextDocument } from "vscode";
import { ErrorWatch } from "../../reading/errorWatch.ts";
import type { Answer } from "../answer/answer.ts";
import type { AppliedEdits } from "../hunks/appliedEdits.ts";

/** Tells answers which errors their applied changes have brought, until these are kept or undone. */
export class DiagnosticWatch implements Disposable {
  readonly #edits: AppliedEdits;
  readonly #errors: ErrorWatch<Answer>;
  readonly #changed = new EventEmitter<Answer>();
  /** An answer has more or fewer new problems. */
  readonly onDidChange = this.#changed.event;
  readonly #listeners: Disposable;

  constructor(edits: AppliedEdits, now: () => number = Date.now) {
    this.#edits = edits;
    this.#errors = new ErrorWatch(now);
    this.#listeners = Disposable.from(
      this.#errors.onDidChange(({ change: answer, more }) => {
        answer.newDiagnostics = this.#errors.of(answer);
        if (more !== 0) this.#changed.fire(answer);
      }),
      edits.onDidDecide((answer) => {
        this.#errors.note(answer);
      }),
      edits.onDidChange(() => {
        this.end((answer) => edits.openOf(answer).length === 0);
      }),
    );
  }

  /** Applies an answer's change and watches for its errors from then on. Returns whether anything was changed. */
  async during(answer: Answer, { uri }: TextDocument, apply: () => Promise<boolean>): Promise<boolean> {
    const file = { uri, lines: () => this.#edits.openOf(answer).map(({ lines }) => lines) };
    return (await this.#errors.during(answer, [uri], async () => ((await apply()) ? [file] : []))).length > 0;
  }

  /** Stops watching for some answers. */
  end(isMeant: (answer: Answer) => boolean): void {
    this.#errors.end(isMeant);
  }

  dispose(): void {
    Disposable.from(this.#listeners, this.#errors, this.#changed).dispose();
  }
}
