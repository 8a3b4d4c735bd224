import {
  Disposable,
  EndOfLine,
  EventEmitter,
  Position,
  Range,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextDocumentChangeReason,
  TextEdit,
  workspace,
  WorkspaceEdit,
} from "vscode";
import type { LineEdit } from "../../edits/types.ts";
import { UserError } from "../../failures/userError.ts";
import { type LineSource, replaceLines } from "../../text/lineRange.ts";
import type { Answer } from "../answer/answer.ts";
import { allTexts } from "../ask/document.ts";
import { isUnique, locate } from "../ask/locate.ts";
import { type HunkSwap, HunkTracker } from "./hunkTracker.ts";
import { stands, type TrackedHunk } from "./trackedHunk.ts";

/** A hunk of an answer that is neither accepted nor undone yet. */
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
  /** A hunk of this answer was accepted, undone or brought back. */
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

  /** Applies an answer's exact hunks to its document as one undo step. Returns `false` if there are none. */
  async apply(answer: Answer, document: TextDocument, hunks: readonly LineEdit[]): Promise<boolean> {
    if (hunks.length === 0) return false;
    const { round } = answer;
    const swaps = this.#trackerOf(document).swapsFor(hunks);
    await this.#swap(document, swaps, "codeChanged", answer);
    const others = (this.#hunks.get(answer) ?? []).filter(isOpen);
    this.#hunks.set(answer, [...others, ...swaps.map(({ hunk }) => ({ answer, document, hunk, round }))]);
    this.#tell([answer]);
    return true;
  }

  /** Keeps hunks and removes their highlights. */
  keep(hunks: readonly OpenHunk[]): void {
    for (const { hunk } of hunks) hunk.decision = "accepted";
    this.#tell(hunks.map(({ answer }) => answer));
  }

  /** Restores the exact text from before hunks of one document, or changes nothing if one of them was edited since. */
  async undo(hunks: readonly OpenHunk[]): Promise<void> {
    const [first] = hunks;
    if (!first) return;
    const { document, answer } = first;
    const undone = hunks.map(({ hunk }) => hunk);
    await this.#swap(document, undoSwaps(document, undone, answer.id), "editChanged", answer);
    this.#tell(hunks.map((open) => open.answer));
  }

  /** The lines of a document as they would be without the open hunks of an answer. */
  textsBefore(document: TextDocument, answer: Answer): readonly string[] {
    const all = [...allTexts(document)];
    const open = this.openIn(document).filter((one) => one.answer === answer);
    for (const { hunk } of open.toReversed()) {
      const { start, end } = locate(all, hunk.after, hunk.lines, hunk.wasUnique) ?? hunk.lines;
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
    for (const [answer, [first]] of this.#hunks) if (first?.document === document) this.#hunks.delete(answer);
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
      const range = locate(all, hunk.after, hunk.lines, hunk.wasUnique);
      if (!range) throw new UserError("editChanged", { subject });
      return { hunk, range, lines: hunk.before, decision: "undone" };
    })
    .toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  for (const [index, { range }] of swaps.entries()) {
    const next = swaps[index + 1];
    if (next && next.range.start < range.end) throw new UserError("editChanged", { subject });
  }
  return swaps;
}

/** Maximum wait for a document to change after VS Code reported that it did, in milliseconds. */
const patience = 5_000;

/**
 * Replaces whole lines of a document, ordered and without overlaps, in one undo step, and waits until the document has
 * changed: then, while it is exactly as it is after the replacement, `whenDone` is called. Returns `false` if it cannot be
 * edited, or has changed in the meantime.
 */
async function replaceHunks(
  document: TextDocument,
  hunks: readonly LineEdit[],
  whenDone: () => void,
): Promise<boolean> {
  const source = lineSource(document);
  const edits = hunks.map((hunk) => {
    const { start, end, text } = replaceLines(source, hunk, hunk.lines);
    const range = new Range(new Position(start.line, start.character), new Position(end.line, end.character));
    return TextEdit.replace(range, text);
  });
  const edit = new WorkspaceEdit();
  edit.set(document.uri, edits);
  const change = changeTo(document, hunks, whenDone);
  try {
    return (await workspace.applyEdit(edit)) && (await change.isDone());
  } finally {
    change.dispose();
  }
}

/** Waits for the document to have the new lines: `applyEdit` can resolve before that (seen in VS Code 1.139). */
function changeTo(
  document: TextDocument,
  hunks: readonly LineEdit[],
  whenDone: () => void,
): { readonly isDone: () => Promise<boolean>; readonly dispose: () => void } {
  let delta = 0;
  const placed = hunks.map(({ start, end, lines }) => {
    const place = { start: start + delta, lines };
    delta += lines.length - (end - start);
    return place;
  });
  const lineCount = document.lineCount + delta;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let timer: NodeJS.Timeout | undefined;
  const listener = workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || event.contentChanges.length === 0) return;
    if (document.lineCount !== lineCount || !placed.every(({ start, lines }) => stands(document, start, lines))) return;
    listener.dispose();
    whenDone();
    resolve(true);
  });
  return {
    isDone: () => {
      timer = setTimeout(resolve, patience, false);
      return promise;
    },
    dispose: () => {
      clearTimeout(timer);
      listener.dispose();
    },
  };
}

function lineSource(document: TextDocument): LineSource {
  return {
    lineCount: document.lineCount,
    eol: document.eol === EndOfLine.CRLF ? "\r\n" : "\n",
    lineLength: (line) => document.lineAt(line).text.length,
  };
}
