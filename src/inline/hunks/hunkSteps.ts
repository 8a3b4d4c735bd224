import { isAt, type LineReader, restore, type Snapshot, type TrackedHunk } from "./trackedHunk.ts";

/** A change by the extension: the state before and after it. */
interface Step {
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Maximum number of changes that are recognized. */
const mostSteps = 20;

/** The extension's own changes of a document, to recognize when the editor undoes or redoes them. */
export class HunkSteps {
  readonly #document: LineReader;
  /** In the order they were made. */
  #done: readonly Step[] = [];
  /** Steps that the editor has undone, in the same order. */
  #undone: readonly Step[] = [];

  constructor(document: LineReader) {
    this.#document = document;
  }

  /** The hunks that the editor may bring back or take back. */
  get hunks(): ReadonlySet<TrackedHunk> {
    return new Set(this.#done.flatMap(({ after }) => after.places.map(({ hunk }) => hunk)));
  }

  add(step: Step): void {
    this.#done = [...this.#done, step].slice(-mostSteps);
    this.#undone = [];
  }

  /** Forgets what could be redone: VS Code does the same after an edit. */
  forgetUndone(): void {
    if (this.#undone.length > 0) this.#undone = [];
  }

  /** Restores the hunks if the editor has undone changes, possibly several at once. Returns whether it has. */
  undo(): boolean {
    const index = this.#done.findLastIndex(({ before }) => isAt(this.#document, before));
    const step = this.#done[index];
    if (!step) return false;
    this.#undone = [...this.#done.slice(index), ...this.#undone];
    this.#done = this.#done.slice(0, index);
    restore(step.before);
    return true;
  }

  /** The same for redo. */
  redo(): boolean {
    const index = this.#undone.findLastIndex(({ after }) => isAt(this.#document, after));
    const step = this.#undone[index];
    if (!step) return false;
    this.#done = [...this.#done, ...this.#undone.slice(0, index + 1)];
    this.#undone = this.#undone.slice(index + 1);
    restore(step.after);
    return true;
  }
}
