import { type Comment, CommentMode, MarkdownString } from "vscode";
import type { EntryName } from "../../gateway/types.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { longestShown } from "../../text/markdown.ts";
import { answerMarkdown, shownText, withClosingLine } from "./shownAnswer.ts";
import { allTexts, type CodeTarget, pathOf, type Question } from "../ask/document.ts";
import { type AnswerProgress, type Decision, isComplete, isUnderWay, progressAfter } from "./decisions.ts";
import { AskedCode } from "../ask/locate.ts";
import type { CodedDiagnostic } from "../ask/diagnostics.ts";
import { type AnswerEdit, type AnswerReading, propose, type ProposedHunk } from "./proposal.ts";
import { showChange, type ShownChange } from "./shownAnswer.ts";

/** What an answer proposes for the document as it is. */
export interface Proposal {
  /** What proposes it: the answer, or a second attempt at its edits. */
  readonly reading: AnswerReading;
  /** The answer, if that was a second attempt, of which only the change is shown. */
  readonly first?: AnswerReading;
  readonly edit: AnswerEdit;
  /** Set for a change only. */
  readonly shown: ShownChange | undefined;
}

/** An answer as a comment of its thread, with the data its actions need. */
export class Answer implements Comment {
  readonly mode = CommentMode.Preview;
  readonly author = { name: "Codex" };
  readonly id = crypto.randomUUID();
  readonly question: Question;
  newDiagnostics: readonly CodedDiagnostic[] = [];
  #progress: AnswerProgress = "asking";
  #text = "";
  #asked = new AskedCode([], { start: 0, end: 0 });
  #proposal: Proposal | undefined;
  #entry: EntryName | undefined;
  #failure = "";
  #applied: readonly ProposedHunk[] = [];
  #decisions: readonly Decision[] = [];
  #round = 0;

  constructor(question: Question) {
    this.question = question;
  }

  /**
   * Not named `state`: VS Code reserves that property for the proposed API `commentsDraftState` and rejects comments
   * that have it (`extHostComments.ts`, VS Code 1.139.1).
   */
  get progress(): AnswerProgress {
    return this.#progress;
  }

  /** The answer's text so far. */
  get text(): string {
    return this.#text;
  }

  /** The code in question, as the model read it. */
  get asked(): AskedCode {
    return this.#asked;
  }

  /** What the answer proposes, once it is complete. */
  get proposal(): Proposal | undefined {
    return this.#proposal;
  }

  /** The entry that answered; known once the answer has ended by itself. */
  get entry(): EntryName | undefined {
    return this.#entry;
  }

  /** Why the answer is truncated or missing. */
  get failure(): string {
    return this.#failure;
  }

  /** How often the question was asked. */
  get round(): number {
    return this.#round;
  }

  /** The hunks that were applied last. */
  get applied(): readonly ProposedHunk[] {
    return this.#applied;
  }

  /** What became of each hunk of the change, in order; empty until it is applied. */
  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  /**
   * The Markdown to show. VS Code reads it 100 ms after the last change (`ExtHostCommentThread`, VS Code 1.139.1), so
   * it includes text that arrived meanwhile.
   */
  get body(): MarkdownString | string {
    const shown = this.#proposal?.shown;
    if (shown) return new MarkdownString(shown.markdown);
    if (this.#failure === "") return new MarkdownString(answerMarkdown(this.#text));
    return this.#text === "" ? this.#failure : new MarkdownString(withClosingLine(this.#text, this.#failure));
  }

  /** The `contextValue` for the menus in package.json. */
  get contextValue(): string {
    if (this.isRunning) return "running";
    const offers = { text: this.#text !== "", edit: this.change, code: this.insertable };
    const words = Object.entries(offers).filter(([, offer]) => offer);
    return ["answer", ...words.map(([word]) => word)].join(" ");
  }

  /** Whether the answer has changed the document, so that its thread shrinks to one line. */
  get isApplied(): boolean {
    return this.#progress !== "done" && isComplete.has(this.#progress);
  }

  get isRunning(): boolean {
    return isUnderWay.has(this.#progress);
  }

  /** The change, if it can be applied. */
  get change(): readonly ProposedHunk[] | undefined {
    const edit = this.#proposal?.edit;
    return this.#progress === "done" && edit?.type === "change" ? edit.hunks : undefined;
  }

  /** The lines to copy, or to insert below the code: only what the thread shows. */
  get insertable(): readonly string[] | undefined {
    if (!this.#proposal || !isComplete.has(this.#progress)) return undefined;
    const { reading, edit, shown } = this.#proposal;
    const isOffered = edit.type === "none" || (edit.type === "change" && reading.hasReplacement && shown?.isWhole);
    return isOffered ? reading.code : undefined;
  }

  /** What Copy copies: the code, or else the whole answer as far as the thread shows it. */
  get copied(): string {
    const { first, shown } = this.#proposal ?? {};
    return (
      this.insertable?.join("\n") ?? (first && shown ? shown.markdown.slice(0, longestShown) : shownText(this.#text))
    );
  }

  /** Starts or restarts with an empty answer about the current lines of a document. */
  begin(document: readonly string[], lines: LineRange): void {
    this.#progress = "asking";
    this.#text = "";
    this.#asked = new AskedCode(document, lines);
    this.#proposal = undefined;
    this.#entry = undefined;
    this.#failure = "";
    this.#applied = [];
    this.#decisions = [];
    this.#round += 1;
  }

  /** Sets the progress until the first text. Afterwards, this changes nothing and returns `false`. */
  wait(progress: "asking" | "thinking"): boolean {
    if (this.#progress !== "asking" && this.#progress !== "thinking") return false;
    this.#progress = progress;
    return true;
  }

  append(text: string): void {
    this.#text += text;
    this.#progress = "answering";
  }

  stop(): void {
    this.#progress = "stopped";
  }

  /** Marks the answer as failed or truncated. */
  breakOff(failure: string, entry?: EntryName): void {
    this.#progress = this.#text === "" ? "failed" : "cutOff";
    this.#failure = failure;
    this.#entry = entry;
  }

  /** Marks the answer as complete, while a second attempt at its edit is under way. */
  adjust(): void {
    this.#progress = "adjusting";
  }

  finish(proposal: Proposal, entry: EntryName | undefined): void {
    this.#progress = "done";
    this.#entry = entry;
    this.#proposal = proposal;
  }

  /** Shows what the answer proposes for the current text of the document. */
  update(proposal: Proposal): void {
    this.#proposal = proposal;
  }

  apply(hunks: readonly ProposedHunk[]): void {
    this.#applied = hunks;
  }

  /** Records what became of each hunk of the change. A change that is undone as a whole can be applied again. */
  decide(decisions: readonly Decision[]): void {
    this.#decisions = decisions;
    if (isComplete.has(this.#progress)) this.#progress = progressAfter(decisions);
  }
}

/** Finds what an answer that was read proposes for the current text of its document, whose lines are `all`. */
export function proposeFor(
  { document, lines, scope, canEdit }: CodeTarget,
  asked: AskedCode,
  source: Pick<Proposal, "reading" | "first">,
  all = allTexts(document),
): Proposal {
  if (!canEdit) return { ...source, edit: { type: "none" }, shown: undefined };
  const place = { asked: asked.locate(all, lines) ?? lines, isCursor: scope === "cursor" };
  const edit = propose(source.reading, { path: pathOf(document), lines: all, ...place });
  const shown = edit.type === "change" ? showChange(source.first ?? source.reading, all, edit.hunks) : undefined;
  return { ...source, edit, shown };
}
