import { DiagnosticSeverity, Disposable, EventEmitter, languages, type TextDocument } from "vscode";
import type { Answer } from "../answer/answer.ts";
import type { AppliedEdits } from "../hunks/appliedEdits.ts";
import { type CodedDiagnostic, newDiagnostics, stillThere } from "../ask/diagnostics.ts";
import { described } from "../ask/document.ts";

/** How long after a change errors count as its own although the document has been edited since, in milliseconds. */
const patience = 3_000;

/** A document with an answer's change. */
interface Watch {
  readonly document: TextDocument;
  /** The errors from before the change. */
  readonly before: readonly CodedDiagnostic[];
  /** All errors that came with the change so far: a language service may withdraw and report them again. */
  known: readonly CodedDiagnostic[];
  /** When the answer's hunks last changed, and the document's version after that. */
  last: { readonly time: number; readonly version: number };
}

/** Tells answers which errors their applied changes have brought, until these are kept or undone. */
export class DiagnosticWatch implements Disposable {
  readonly #edits: AppliedEdits;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #watches = new Map<Answer, Watch>();
  readonly #changed = new EventEmitter<Answer>();
  /** An answer has more or fewer new problems. */
  readonly onDidChange = this.#changed.event;
  readonly #listeners: Disposable;

  constructor(edits: AppliedEdits, now: () => number = Date.now) {
    this.#edits = edits;
    this.#now = now;
    this.#listeners = Disposable.from(
      languages.onDidChangeDiagnostics(({ uris }) => {
        const reported = new Set(uris.map(String));
        const documents = [...this.#watches.values()].map(({ document }) => document);
        for (const document of new Set(documents)) if (reported.has(document.uri.toString())) this.#update(document);
      }),
      edits.onDidDecide((answer) => {
        const watch = this.#watches.get(answer);
        if (watch) watch.last = this.#stamp(watch.document);
      }),
      edits.onDidChange(() => {
        this.end((answer) => edits.openOf(answer).length === 0);
      }),
    );
  }

  /** Applies an answer's change and watches for its errors from then on. Returns whether anything was changed. */
  async during(answer: Answer, document: TextDocument, apply: () => Promise<boolean>): Promise<boolean> {
    const { before, known } = this.#watches.get(answer) ?? { before: errorsIn(document), known: [] };
    if (!(await apply())) return false;
    this.#watches.set(answer, { document, before, known, last: this.#stamp(document) });
    this.#update(document);
    return true;
  }

  /** Stops watching for some answers. */
  end(isMeant: (answer: Answer) => boolean): void {
    for (const answer of this.#watches.keys()) {
      if (!isMeant(answer)) continue;
      this.#watches.delete(answer);
      answer.newDiagnostics = [];
    }
  }

  dispose(): void {
    Disposable.from(this.#listeners, this.#changed).dispose();
  }

  #stamp({ version }: TextDocument): Watch["last"] {
    return { time: this.#now(), version };
  }

  /** An error belongs to the last change before which it was not there. */
  #update(document: TextDocument): void {
    let left: readonly CodedDiagnostic[] = errorsIn(document);
    for (const [answer, watch] of [...this.#watches].toReversed()) {
      if (watch.document !== document) continue;
      const hunks = this.#edits.openOf(answer).map(({ lines }) => lines);
      const added = new Set(newDiagnostics(watch.before, left, hunks));
      left = left.filter((problem) => !added.has(problem));
      this.#tell(answer, watch, [...added]);
    }
  }

  #tell(answer: Answer, watch: Watch, added: readonly CodedDiagnostic[]): void {
    const isOwn = watch.document.version === watch.last.version || this.#now() - watch.last.time < patience;
    if (isOwn) watch.known = [...watch.known, ...newDiagnostics(watch.known, added, [])];
    const { length } = answer.newDiagnostics;
    answer.newDiagnostics = stillThere(watch.known, added);
    if (answer.newDiagnostics.length !== length) this.#changed.fire(answer);
  }
}

/** The errors of a document, from top to bottom. */
function errorsIn({ uri }: TextDocument): readonly CodedDiagnostic[] {
  const errors = languages.getDiagnostics(uri).filter(({ severity }) => severity === DiagnosticSeverity.Error);
  return described(errors.toSorted((one, other) => one.range.start.compareTo(other.range.start)));
}
