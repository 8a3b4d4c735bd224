import {
  Disposable,
  EndOfLine,
  EventEmitter,
  type Memento,
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
import { ErrorWatch } from "../../reading/errorWatch.ts";
import { replaceLines } from "../../text/lineRange.ts";
import { Answer } from "../answer/answer.ts";
import { withHunks } from "../answer/proposal.ts";
import { allTexts } from "../ask/document.ts";
import { locate } from "../ask/locate.ts";
import { HunkMemory, storedHunk } from "./hunkMemory.ts";
import { HunkTracker, inOrder, newHunk, type TrackedHunk } from "./hunkTracker.ts";

export interface AnswerHunk extends TrackedHunk {
  readonly answer: Answer;
  readonly document: TextDocument;
}

/** How long typing that moves hunks is collected before their places are stored, in milliseconds. */
const collecting = 500;

/** The changes that answers have made to documents, hunk by hunk, until the user keeps or undoes them. */
export class AppliedEdits implements Disposable {
  readonly #memory: HunkMemory;
  readonly #trackers = new Map<TextDocument, HunkTracker<AnswerHunk>>();
  readonly #changed = new EventEmitter<void>();
  readonly #decided = new EventEmitter<Answer>();
  readonly #errors: ErrorWatch<Answer>;
  /** Hunks were added, decided or reshaped, or a document with hunks was closed. */
  readonly onDidChange = this.#changed.event;
  /** A hunk of this answer was accepted, undone or brought back. */
  readonly onDidDecide = this.#decided.event;
  /** An answer, the `change`, has other errors now. */
  readonly onDidFindErrors: ErrorWatch<Answer>["onDidChange"];
  readonly #listeners: Disposable;
  #timer: NodeJS.Timeout | undefined;

  /** `state` is that of the workspace: the hunks that it has are open again where their documents still have them. */
  constructor(state: Memento, now: () => number = Date.now) {
    this.#memory = new HunkMemory(state);
    this.#errors = new ErrorWatch(now);
    this.onDidFindErrors = this.#errors.onDidChange;
    this.#listeners = Disposable.from(
      workspace.onDidOpenTextDocument(this.#recall),
      this.onDidChange(() => {
        this.#errors.end((answer) => this.openOf(answer).length === 0);
        this.#store();
      }),
      this.onDidFindErrors(({ change: answer }) => {
        answer.newDiagnostics = this.#errors.of(answer);
      }),
      this.#errors,
    );
    for (const document of workspace.textDocuments) this.#recall(document);
  }

  /** Opens the hunks again that an earlier window left in a document. */
  readonly #recall = (document: TextDocument): void => {
    const recalled = this.#memory.recall(document.uri.toString(), () => allTexts(document));
    if (recalled.length === 0 || this.#trackers.has(document)) return;
    const tracker = new HunkTracker<AnswerHunk>(document);
    for (const ofAnswer of Map.groupBy(recalled, (hunk) => hunk.answer).values()) {
      const answer = new Answer({ shown: "", prompt: "" });
      answer.phase = "done";
      const hunks = ofAnswer.map((hunk): AnswerHunk => {
        return { ...hunk, id: crypto.randomUUID(), decision: "open", answer, document };
      });
      answer.hunks = hunks;
      tracker.add(hunks);
    }
    this.#trackers.set(document, tracker);
    this.#changed.fire();
  };

  readonly #store = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const stored = [...this.#trackers].map(([document, { open }]) => {
      const hunks = open.flatMap((hunk) => storedHunk(document, hunk, hunk.answer.id));
      return [document.uri.toString(), hunks] as const;
    });
    this.#memory.store(stored);
  };

  /** The open hunks of all documents; those of one document from top to bottom. */
  get open(): readonly AnswerHunk[] {
    return [...this.#trackers.values()].flatMap(({ open }) => open);
  }

  /** The open hunks of a document from top to bottom. */
  openIn(document: TextDocument): readonly AnswerHunk[] {
    return this.#trackers.get(document)?.open ?? [];
  }

  openOf(answer: Answer): readonly AnswerHunk[] {
    return this.open.filter((hunk) => hunk.answer === answer);
  }

  /** Applies an answer's exact hunks as one undo step, and watches for new errors until they are decided. `false` for none. */
  async apply(answer: Answer, document: TextDocument, edits: readonly LineEdit[]): Promise<boolean> {
    const hunks = edits.map((edit) => ({ ...newHunk(document, edit), answer, document }));
    if (hunks.length === 0) return false;
    const file = { uri: document.uri, lines: () => this.openOf(answer).map(({ lines }) => lines) };
    await this.#errors.during(answer, [document.uri], async () => {
      await this.#replace(answer, document, hunks, "open");
      answer.hunks = [...answer.hunks.filter(({ decision }) => decision === "open"), ...hunks];
      this.#tell([answer]);
      return [file];
    });
    return true;
  }

  /** Keeps hunks and removes their highlights. */
  keep(hunks: readonly AnswerHunk[]): void {
    for (const hunk of hunks) hunk.decision = "accepted";
    this.#tell(hunks.map(({ answer }) => answer));
  }

  /** Restores the exact text from before hunks of one document, or changes nothing if one of them was edited since. */
  async undo(hunks: readonly AnswerHunk[]): Promise<void> {
    const [first] = hunks;
    if (!first) return;
    const { document, answer } = first;
    const all = allTexts(document);
    for (const hunk of hunks) {
      const lines = locate(all, hunk.after, hunk.lines, hunk.wasUnique);
      if (!lines) throw new UserError("editChanged", { subject: answer.id });
      hunk.lines = lines;
    }
    const ordered = inOrder(hunks);
    if (ordered.some(({ lines }, index) => lines.start < (ordered[index - 1]?.lines.end ?? 0))) {
      throw new UserError("editChanged", { subject: answer.id });
    }
    await this.#replace(answer, document, ordered, "undone");
    this.#tell(hunks.map((hunk) => hunk.answer));
  }

  /** The lines of a document as they would be without the open hunks of an answer. */
  textsBefore(document: TextDocument, answer: Answer): readonly string[] {
    const all = allTexts(document);
    const open = this.openIn(document).filter((hunk) => hunk.answer === answer);
    const edits = open.map(({ after, before, lines, wasUnique }) => {
      return { ...(locate(all, after, lines, wasUnique) ?? lines), lines: before };
    });
    return withHunks(all, edits);
  }

  /** Updates the hunks of a document after a change. */
  follow({ document, contentChanges, reason }: TextDocumentChangeEvent): void {
    const tracker = this.#trackers.get(document);
    if (!tracker || contentChanges.length === 0) return;
    this.#timer ??= setTimeout(this.#store, collecting);
    const followed = tracker.follow(contentChanges, reason && reasons[reason]);
    if (followed === "decided") this.#tell(tracker.all.map(({ answer }) => answer));
    else if (followed === "reshaped") this.#changed.fire();
  }

  forget(document: TextDocument): void {
    if (!this.#trackers.delete(document)) return;
    this.#memory.store([[document.uri.toString(), []]]);
    this.#changed.fire();
  }

  dispose(): void {
    if (this.#timer) this.#store();
    Disposable.from(this.#listeners, this.#changed, this.#decided).dispose();
  }

  async #replace(
    { id: subject }: Answer,
    document: TextDocument,
    hunks: readonly AnswerHunk[],
    decision: "open" | "undone",
  ): Promise<void> {
    const tracker = this.#trackers.get(document) ?? new HunkTracker<AnswerHunk>(document);
    this.#trackers.set(document, tracker);
    const { version } = document;
    const { edits, done } = tracker.replacing(hunks, decision);
    if (await replaceHunks(document, edits, done)) return;
    if (document.version === version) throw new UserError("notEditable");
    throw new UserError(decision === "open" ? "codeChanged" : "editChanged", { subject });
  }

  #tell(answers: readonly Answer[]): void {
    for (const answer of new Set(answers)) {
      this.#errors.note(answer);
      this.#decided.fire(answer);
    }
    this.#changed.fire();
  }
}

const reasons = { [TextDocumentChangeReason.Undo]: "undo", [TextDocumentChangeReason.Redo]: "redo" } as const;

/** Maximum wait for a document to change after VS Code reported that it did, in milliseconds. */
const patience = 5_000;

/**
 * Replaces whole lines of a document, ordered and without overlaps, in one undo step, and waits until the document has
 * changed, because `applyEdit` can resolve before that (seen in VS Code 1.139). While it is exactly as it is after the
 * replacement, `whenDone` is called. Returns `false` if it cannot be edited, or has changed in the meantime.
 */
async function replaceHunks(
  document: TextDocument,
  hunks: readonly LineEdit[],
  whenDone: () => void,
): Promise<boolean> {
  const eol = document.eol === EndOfLine.CRLF ? "\r\n" : "\n";
  const edits = hunks.map((hunk) => {
    const { range, text } = replaceLines(document, hunk, hunk.lines, eol);
    const { start, end } = range;
    return TextEdit.replace(new Range(start.line, start.character, end.line, end.character), text);
  });
  const edit = new WorkspaceEdit();
  edit.set(document.uri, edits);
  const replaced = withHunks(allTexts(document), hunks).join("\n");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listener = workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || allTexts(document).join("\n") !== replaced) return;
    listener.dispose();
    whenDone();
    resolve(true);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    if (!(await workspace.applyEdit(edit))) return false;
    timer = setTimeout(resolve, patience, false);
    return await promise;
  } finally {
    clearTimeout(timer);
    listener.dispose();
  }
}
