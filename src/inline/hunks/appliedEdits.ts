import {
  Disposable,
  EventEmitter,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
} from "vscode";
import type { LineHunk } from "./lineHunks.ts";
import { UserError } from "../../failures/userError.ts";
import type { Answer } from "../answer.ts";
import { allTexts } from "../documentCode.ts";
import { isUnique, locate, locateOrTracked } from "../locate.ts";
import { exactHunks } from "./exactHunks.ts";
import { type HunkSwap, HunkTracker } from "./hunkTracker.ts";
import { replaceHunks } from "./replaceHunks.ts";
import type { TrackedHunk } from "./trackedHunk.ts";

/** A hunk of an answer that is neither kept nor undone yet. */
export interface OpenHunk {
  readonly answer: Answer;
  readonly document: TextDocument;
  readonly hunk: TrackedHunk;
  /** Which text of the answer it is from: the question may have been asked again since. */
  readonly round: number;
}

/** The changes that answers have made to documents, hunk by hunk, until the user keeps or undoes them. */
export class AppliedEdits implements Disposable {
  readonly #trackers = new Map<TextDocument, HunkTracker>();
  /** All hunks of an answer, in the order they were applied. */
  readonly #hunks = new Map<Answer, readonly OpenHunk[]>();
  readonly #changed = new EventEmitter<void>();
  readonly #decided = new EventEmitter<Answer>();
  /** Hunks were added, decided or reshaped, or a document with hunks was closed. */
  readonly onDidChange = this.#changed.event;
  /** A hunk of this answer was kept, undone or brought back. */
  readonly onDidDecide = this.#decided.event;

  /** The open hunks of all documents; those of one document from top to bottom. */
  get open(): readonly OpenHunk[] {
    return [...this.#trackers.keys()].flatMap((document) => this.openIn(document));
  }

  /** The open hunks of a document from top to bottom. */
  openIn(document: TextDocument): readonly OpenHunk[] {
    const known = new Map([...this.#hunks.values()].flat().map((open) => [open.hunk, open]));
    return (this.#trackers.get(document)?.open ?? []).flatMap((hunk) => known.get(hunk) ?? []);
  }

  openOf(answer: Answer): readonly OpenHunk[] {
    return (this.#hunks.get(answer) ?? []).filter(({ hunk }) => hunk.decision === "open");
  }

  /**
   * Applies an answer's hunks to a document as one undo step. Changes only the lines that differ. Returns `false` if none
   * do.
   */
  async apply(answer: Answer, document: TextDocument, hunks: readonly LineHunk[]): Promise<boolean> {
    const exact = exactHunks(document, hunks);
    if (!exact) throw new UserError("codeChanged", { subject: answer.id });
    if (exact.length === 0) return false;
    const { round } = answer;
    const swaps = this.#trackerOf(document).swapsFor(exact);
    await this.#swap(document, swaps, "codeChanged", answer);
    const others = (this.#hunks.get(answer) ?? []).filter((other) => other.document !== document || isOpen(other));
    this.#hunks.set(answer, [...others, ...swaps.map(({ hunk }) => ({ answer, document, hunk, round }))]);
    this.#tell([answer]);
    return true;
  }

  /** Keeps hunks and removes their highlights. */
  keep(hunks: readonly OpenHunk[]): void {
    for (const { hunk } of hunks) hunk.decision = "kept";
    this.#tell(hunks.map(({ answer }) => answer));
  }

  /** Restores the exact text from before these hunks, or changes nothing if one of them was edited since. */
  async undo(hunks: readonly OpenHunk[]): Promise<void> {
    const changes = [...Map.groupBy(hunks, ({ document }) => document)].flatMap(([document, group]) => {
      const [first] = group;
      const undone = group.map(({ hunk }) => hunk);
      return first ? [{ document, answer: first.answer, swaps: undoSwaps(document, undone, first.answer.id) }] : [];
    });
    for (const { document, answer, swaps } of changes) await this.#swap(document, swaps, "editChanged", answer);
    this.#tell(hunks.map(({ answer }) => answer));
  }

  /** The lines of a document as they would be without the open hunks of an answer. */
  textsBefore(document: TextDocument, answer: Answer): readonly string[] {
    const all = [...allTexts(document)];
    const open = this.openIn(document).filter((one) => one.answer === answer);
    for (const { hunk } of open.toReversed()) {
      const { start, end } = locateOrTracked(all, hunk.after, hunk.lines, hunk.wasUnique);
      all.splice(start, end - start, ...hunk.before);
    }
    return all;
  }

  /** Updates the hunks of a document after a change. */
  follow({ document, contentChanges, reason }: TextDocumentChangeEvent): void {
    const tracker = this.#trackers.get(document);
    if (!tracker || contentChanges.length === 0) return;
    const { isDecided, isReshaped } = tracker.follow(contentChanges, reason && reasons[reason]);
    if (isDecided) this.#tell([...this.#hunks.keys()]);
    else if (isReshaped) this.#changed.fire();
  }

  forget(document: TextDocument): void {
    if (!this.#trackers.delete(document)) return;
    for (const [answer, hunks] of this.#hunks) {
      const others = hunks.filter((hunk) => hunk.document !== document);
      if (others.length > 0) this.#hunks.set(answer, others);
      else this.#hunks.delete(answer);
    }
    this.#changed.fire();
  }

  dispose(): void {
    Disposable.from(this.#changed, this.#decided).dispose();
  }

  #trackerOf(document: TextDocument): HunkTracker {
    const tracker = this.#trackers.get(document) ?? new HunkTracker(document);
    this.#trackers.set(document, tracker);
    return tracker;
  }

  async #swap(
    document: TextDocument,
    swaps: readonly HunkSwap[],
    whenMoved: "codeChanged" | "editChanged",
    { id }: Answer,
  ): Promise<void> {
    const tracker = this.#trackerOf(document);
    const { version } = document;
    const before = tracker.snapshot(swaps);
    const hunks = swaps.map(({ range, lines }) => ({ ...range, lines }));
    const isDone = await replaceHunks(document, hunks, () => {
      tracker.replaced(before, swaps);
      if (whenMoved === "editChanged") return;
      const all = allTexts(document);
      for (const { hunk } of swaps) hunk.wasUnique = isUnique(all, hunk.after);
    });
    if (isDone) return;
    if (document.version !== version) throw new UserError(whenMoved, { subject: id });
    throw new UserError("notEditable");
  }

  /** Tells the answers what was decided. */
  #tell(answers: readonly Answer[]): void {
    for (const answer of new Set(answers)) {
      const hunks = (this.#hunks.get(answer) ?? []).filter(({ round }) => round === answer.round);
      answer.decide(hunks.map(({ hunk }) => hunk.decision));
      this.#decided.fire(answer);
    }
    this.#changed.fire();
  }
}

const reasons = { [TextDocumentChangeReason.Undo]: "undo", [TextDocumentChangeReason.Redo]: "redo" } as const;

function isOpen({ hunk }: OpenHunk): boolean {
  return hunk.decision === "open";
}

/** What puts back the lines from before hunks of one document. `subject`: the id of the answer for the failure. */
function undoSwaps(document: TextDocument, hunks: readonly TrackedHunk[], subject: string): readonly HunkSwap[] {
  const all = allTexts(document);
  const swaps = hunks
    .map((hunk): HunkSwap => {
      const location = locate(all, hunk.after, hunk.lines, hunk.wasUnique);
      if (location.type !== "found") throw new UserError("editChanged", { subject });
      return { hunk, range: location.lines, lines: hunk.before, decision: "undone" };
    })
    .toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  for (const [index, { range }] of swaps.entries()) {
    const next = swaps[index + 1];
    if (next && next.range.start < range.end) throw new UserError("editChanged", { subject });
  }
  return swaps;
}
