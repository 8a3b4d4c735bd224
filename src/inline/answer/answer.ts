import { type Comment, CommentMode, MarkdownString } from "vscode";
import type { EntryName } from "../../gateway/types.ts";
import type { LineRange } from "../../text/lineRange.ts";
import type { Shown } from "../../text/markdown.ts";
import type { CodedDiagnostic } from "../../problems/diagnostics.ts";
import type { ErrorWatch } from "../../problems/errorWatch.ts";
import type { DenialReason } from "../../reading/fileGate.ts";
import { allTexts, type CodeTarget, pathOf, type Question } from "../ask/document.ts";
import { locate, onlyStart } from "../ask/locate.ts";
import { type AppliedHunk, isUndecided } from "../../apply/hunks.ts";
import type { Edit, PlacedHunk } from "../../apply/edit.ts";
import { type ChangeProgress, progressOf } from "./decisions.ts";
import { type AnswerEdit, type AnswerReading, propose } from "./proposal.ts";
import { showAnswer, showChange, type ShownChange } from "./shownAnswer.ts";

/** The progress of an answer, regardless of whether its change was applied. */
export type AnswerStage =
  // Retrying: a second request for edits that did not fit.
  | { readonly phase: "asking" | "thinking" | "answering" | "retrying" | "stopped" }
  | { readonly phase: "failed" | "cutOff"; readonly failure: string }
  | { readonly phase: "done"; readonly proposal: Proposal };

/** The progress of an answer and, from `done` on, of its change. */
export type AnswerProgress = AnswerStage["phase"] | ChangeProgress;

const isUnderWay: ReadonlySet<AnswerProgress> = new Set(["asking", "thinking", "answering", "retrying"]);

/** What an answer proposes for the document as it is. */
export interface Proposal extends AnswerEdit {
  /** The answer that it comes from: the first one, or the one to the repair request. */
  readonly reading: AnswerReading;
  /** The first answer, if `reading` is the second, of which only the change is shown. */
  readonly first?: AnswerReading;
  /** Set for a change only. */
  readonly shown: ShownChange | undefined;
}

/** An answer as a comment of its thread, with the data its actions need. */
export class Answer implements Comment {
  readonly mode = CommentMode.Preview;
  readonly author = { name: "Codex" };
  readonly id = crypto.randomUUID();
  readonly question: Question;
  /** All lines of the document, as the model read them. */
  readonly texts: readonly string[];
  /** The target lines, and their position then. */
  readonly code: readonly string[];
  readonly lines: LineRange;
  readonly #wasUnique: boolean;
  newDiagnostics: readonly CodedDiagnostic[] = [];
  stage: AnswerStage = { phase: "asking" };
  /** The answer's text so far. */
  text = "";
  /** The entry that answered; known once the answer has ended by itself. */
  entry: EntryName | undefined;
  /** Why only the target lines were sent. */
  denial: DenialReason | undefined;
  /** The hunks of its change once it is applied, in order, with their states. */
  hunks: readonly AppliedHunk[] = [];
  /** What it has changed. */
  edits: readonly Edit[] = [];

  /** `texts`: all lines of the document. `lines`: the target lines. */
  constructor(question: Question, texts: readonly string[] = [], lines: LineRange = { start: 0, end: 0 }) {
    this.question = question;
    this.texts = texts;
    this.lines = lines;
    this.code = texts.slice(lines.start, lines.end);
    this.#wasUnique = onlyStart(texts, this.code) !== undefined;
  }

  /** The current position of the target lines, if they can be found. */
  locate(now: readonly string[], tracked: LineRange): LineRange | undefined {
    return locate(now, this.code, tracked, this.#wasUnique);
  }

  /**
   * Not named `state`: VS Code reserves that property for the proposed API `commentsDraftState` and rejects comments
   * that have it (`extHostComments.ts`, VS Code 1.139.1). A change that is undone as a whole can be applied again.
   */
  get progress(): AnswerProgress {
    const { phase } = this.stage;
    return phase === "done" ? progressOf(this.hunks) : phase;
  }

  /** What the answer proposes for the text of its document, once it is complete. */
  get proposal(): Proposal | undefined {
    return this.stage.phase === "done" ? this.stage.proposal : undefined;
  }

  /** Why the answer is truncated or missing. */
  get failure(): string {
    return "failure" in this.stage ? this.stage.failure : "";
  }

  /** VS Code reads it 100 ms after the last change (`ExtHostCommentThread`, 1.139.1), with what has arrived by then. */
  get body(): MarkdownString | string {
    return this.text === "" && this.failure !== "" ? this.failure : new MarkdownString(this.#shown.markdown);
  }

  /** What its thread shows. */
  get #shown(): Shown {
    return this.proposal?.shown ?? showAnswer(this.text, this.failure);
  }

  /** The `contextValue` for the menus in package.json. */
  get contextValue(): string {
    if (this.isRunning) return "running";
    const code = this.progress !== "applied" && this.insertable;
    const offers = { text: this.text !== "", edit: this.change, code };
    const words = Object.entries(offers).filter(([, offer]) => offer);
    return ["answer", ...words.map(([word]) => word)].join(" ");
  }

  /** Whether the answer has changed the document, so that its thread shrinks to one line. */
  get isApplied(): boolean {
    return this.stage.phase === "done" && this.progress !== "done";
  }

  get isRunning(): boolean {
    return isUnderWay.has(this.stage.phase);
  }

  /** The change, if it can be applied. */
  get change(): Proposal | undefined {
    return this.progress === "done" && this.proposal?.shown ? this.proposal : undefined;
  }

  /** Whether the answer is complete and has no edit. */
  get isPlain(): boolean {
    return this.proposal?.hunks.length === 0 && this.proposal.misfits.length === 0;
  }

  /** The lines to copy, or to insert below the code: only what the thread shows. */
  get insertable(): readonly string[] | undefined {
    if (!this.proposal) return undefined;
    const { reading, shown } = this.proposal;
    return this.isPlain || (reading.hasReplacement && shown?.isWhole) ? reading.code : undefined;
  }

  /** What Copy copies: the code, or else what the thread shows. */
  get copied(): string {
    return this.insertable?.join("\n") ?? this.#shown.text;
  }

  /** The hunks of its edits in open documents that are neither kept nor undone. */
  get undecided(): readonly PlacedHunk[] {
    return this.edits.flatMap(({ hunks }) => hunks).filter(isUndecided);
  }

  /** Updates the states of its hunks in open documents, and the errors that they have caused. */
  followEdits(errors: Pick<ErrorWatch, "of">): void {
    const hunks = this.edits.flatMap((edit) => edit.hunks);
    if (hunks.length > 0) this.hunks = hunks;
    this.newDiagnostics = this.edits.flatMap(({ id }) => errors.of(id));
  }

  append(text: string): void {
    this.text += text;
    this.stage = { phase: "answering" };
  }

  /** Marks the answer as failed or truncated. */
  breakOff(failure: string): void {
    this.stage = { phase: this.text === "" ? "failed" : "cutOff", failure };
  }
}

/** What a reading of an answer proposes for a text of its document, whose lines are `all`. */
export function proposeFor(
  { document, lines, scope, canEdit }: CodeTarget,
  answer: Pick<Answer, "locate">,
  source: Pick<Proposal, "reading" | "first">,
  all = allTexts(document),
): Proposal {
  if (!canEdit) return { ...source, hunks: [], misfits: [], shown: undefined };
  const subject = { target: answer.locate(all, lines) ?? lines, isCursor: scope === "cursor" };
  const edit = propose(source.reading, { path: pathOf(document), lines: all, ...subject });
  const shown = edit.hunks.length > 0 ? showChange(source.first ?? source.reading, all, edit.hunks) : undefined;
  return { ...source, ...edit, shown };
}
