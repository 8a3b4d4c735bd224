import {
  type Comment,
  type CommentController,
  type CommentThread,
  CommentThreadCollapsibleState,
  type Disposable,
  l10n,
  Range,
  type TextDocument,
  type TextDocumentContentChangeEvent,
  type Uri,
} from "vscode";
import { type LineRange, shiftLines, crossesEnd } from "../../text/lineRange.ts";
import { Answer } from "../answer/answer.ts";
import { type Conversation, inlineChatModel, runAnswer, type ThreadServices } from "../answer/answerRun.ts";
import { rangeOf, showInTextEditor } from "../../ui/editors.ts";
import { allTexts, type CodeTarget, type Question } from "../ask/document.ts";
import { locate, onlyStart } from "../ask/locate.ts";
import { hasReply, InputComment, questionComment, StatusLine } from "./threadComments.ts";
import { showEnd } from "./threadInView.ts";

/** The events of a conversation. */
export interface ThreadEvents {
  /** A question is asked again, in a new conversation because its own is closed. */
  readonly reopen: (closed: InlineThread, answer: Answer) => Promise<void>;
  /** What a conversation shows has changed. */
  readonly shown: () => void;
  /** An answer is complete. */
  readonly answered: (thread: InlineThread, answer: Answer) => Promise<void>;
}

/** One conversation about some lines of a document, shown below them: questions, answers, the status line and an input. */
export class InlineThread implements Conversation, Disposable {
  /** While closed, it has its last text. */
  document: TextDocument;
  /** The current URI of its document. */
  uri: Uri;
  readonly name = crypto.randomUUID();
  /** The current range of the lines. */
  lines: LineRange;
  scrolling = new AbortController();
  readonly #controller: CommentController;
  readonly #services: ThreadServices;
  readonly #events: ThreadEvents;
  readonly #subject: CodeTarget;
  readonly #answers: Answer[] = [];
  #running: AbortController | undefined;
  /** Questions and answers, in turn. */
  readonly #comments: Comment[] = [];
  #thread: CommentThread | undefined;
  #status: StatusLine | undefined;
  #input: InputComment | undefined;
  #inputThread: CommentThread | undefined;
  /** The document that VS Code opens for the input, with what is typed. */
  #inputDocument: TextDocument | undefined;
  #isClosed = false;
  /** Whether the range still corresponds to what the user selected, even after edits. */
  #isSelected: boolean;
  /** Whether the user wants to see an answer although its change is applied. */
  #isExpanded = false;

  constructor(
    controller: CommentController,
    services: ThreadServices,
    subject: CodeTarget,
    events: ThreadEvents,
    earlier: readonly Answer[] = [],
  ) {
    this.#controller = controller;
    this.#services = services;
    this.#events = events;
    this.#subject = subject;
    this.document = subject.document;
    this.uri = subject.document.uri;
    this.lines = subject.lines;
    this.#isSelected = subject.isSelected === true;
    for (const answer of earlier) this.#add(answer);
  }

  /** Shows the conversation as it is now. */
  readonly refresh = (): void => {
    if (this.#isClosed) return;
    const { lastAnswer } = this;
    const isShrunk = this.#isShrunk;
    const status = lastAnswer && new StatusLine(lastAnswer, this.target, isShrunk);
    if (!status || !this.#status?.equals(status)) this.#status = status;
    const input = this.#input && !this.#inputThread ? [this.#input] : [];
    const shown = [...(isShrunk ? [] : this.#comments), ...(this.#status ? [this.#status] : []), ...input];
    this.#thread ??= this.#createThread(shown);
    this.#thread.range = this.#range();
    this.#thread.comments = shown;
    this.#thread.canReply = !this.#input && (!isShrunk || hasReply());
    this.#thread.label = this.#label();
    this.#events.shown();
  };

  /** The code of the conversation as it is now. */
  get target(): CodeTarget {
    return { ...this.#subject, document: this.document, lines: this.lines, isSelected: this.#isSelected };
  }

  get lastAnswer(): Answer | undefined {
    return this.#answers.at(-1);
  }

  get hasInput(): boolean {
    return this.#input !== undefined;
  }

  /** What the user can decide now, as keybindings in package.json name it. */
  get state(): "question" | "answer" | "change" | "applied" | "close" {
    const { lastAnswer } = this;
    if (this.hasInput || !lastAnswer) return "question";
    if (lastAnswer.isRunning) return "answer";
    if (lastAnswer.progress === "applied") return "applied";
    return lastAnswer.change && this.#subject.canEdit ? "change" : "close";
  }

  /** Whether a command's argument belongs to this conversation. */
  owns(argument: unknown): boolean {
    const parts: readonly unknown[] = [this.#thread, this.#inputThread, this.#status, this.#input];
    return this.#find(argument) !== undefined || (argument !== undefined && parts.includes(argument));
  }

  /** Whether a command's argument is the input for a follow-up. */
  isInput(argument: unknown): boolean {
    return this.#inputThread !== undefined && argument === this.#inputThread;
  }

  /** The answer that a command's argument refers to; by default the last one. */
  answerOf(argument: unknown): Answer | undefined {
    return this.#find(argument) ?? this.lastAnswer;
  }

  answersBefore(answer: Answer): readonly Answer[] {
    return this.#answers.slice(0, this.#answers.indexOf(answer));
  }

  /** Asks a question and streams the answer into the thread. Stops an answer that is still arriving. */
  async ask(question: Question): Promise<void> {
    this.closeInput();
    await this.#start(question);
  }

  /** Asks again: replaces the last answer, or appends an earlier question at the end. */
  async askAgain(answer: Answer): Promise<void> {
    if (this.#isClosed) return this.#events.reopen(this, answer);
    if (this.document.isClosed) this.adopt(await showInTextEditor(this.document.uri));
    // A clicked comment would take the focus back with every update (seen in VS Code 1.139). The next one creates a thread.
    this.#thread?.dispose();
    this.#thread = undefined;
    if (answer.question === this.lastAnswer?.question) {
      this.#answers.pop();
      this.#comments.splice(-2);
    }
    await this.#start(answer.question);
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Updates the range after an edit of the document. */
  follow(changes: readonly TextDocumentContentChangeEvent[]): void {
    for (const change of changes) {
      this.#isSelected &&= !crossesEnd(this.lines, change);
      this.lines = shiftLines(this.lines, change);
    }
  }

  /** Continues in its document, which was opened again, and may have been renamed or changed in the meantime. */
  adopt(document: TextDocument): void {
    if (document === this.document) return;
    const [before, now] = [this.document, document].map(allTexts);
    const isMoved = document.uri.toString() !== this.document.uri.toString();
    const code = before?.slice(this.lines.start, this.lines.end) ?? [];
    const found = locate(now ?? [], code, this.lines, onlyStart(before ?? [], code) !== undefined);
    this.#isSelected &&= found !== undefined;
    this.lines = found ?? this.lines;
    [this.document, this.uri] = [document, document.uri];
    if (isMoved) this.#thread?.dispose();
    if (isMoved) this.#thread = undefined;
    if (this.#input) this.invite();
    else this.refresh();
  }

  /** Updates the thread after a decision about an answer's hunks, and its range if the change was undone as a whole. */
  decided(answer: Answer): void {
    if (answer.progress === "done" && answer === this.lastAnswer) {
      this.lines = answer.locate(allTexts(this.document), this.lines) ?? this.lines;
    }
    this.refresh();
  }

  /** Shows the whole conversation, although its change is applied. */
  expand(): void {
    this.#isExpanded = true;
    this.refresh();
  }

  /** The text in the input. */
  get typed(): string {
    return this.#inputDocument?.getText() ?? this.#input?.body ?? "";
  }

  /** Takes a document that VS Code opened for an input, if it may be for the input of this conversation. */
  takeInput(document: TextDocument): boolean {
    if (!this.#input || this.#inputDocument?.isClosed === false) return false;
    this.#inputDocument = document;
    return true;
  }

  /** Shows an input and focuses it. Text typed in an earlier one is kept. */
  invite(typed = this.typed): void {
    this.closeInput();
    this.#input = new InputComment(`${this.#invitation()} · ${l10n.t("Enter sends, Esc cancels")}`, typed);
    // As a comment of the thread, the input would get the focus again with every update (seen in VS Code 1.139).
    if (this.lastAnswer) {
      this.#inputThread = this.#createThread([this.#input]);
      this.#inputThread.canReply = false;
      this.#inputThread.label = this.#label();
    }
    this.refresh();
  }

  closeInput(): void {
    if (!this.#input) return;
    this.#inputThread?.dispose();
    [this.#inputThread, this.#inputDocument, this.#input] = [undefined, undefined, undefined];
    this.refresh();
  }

  /** Closes the thread and ends the request. */
  dispose(): void {
    this.#isClosed = true;
    this.closeInput();
    this.#thread?.dispose();
    this.stop();
  }

  async #start(question: Question): Promise<void> {
    this.stop();
    const answer = new Answer(question, allTexts(this.document), this.lines);
    this.#add(answer);
    const controller = new AbortController();
    this.#running = controller;
    try {
      await runAnswer({ services: this.#services, conversation: this, answer, signal: controller.signal });
    } finally {
      if (this.#running === controller) this.#running = undefined;
      this.refresh();
    }
    if (answer.progress === "done" && !controller.signal.aborted) await this.#events.answered(this, answer);
    if (this.#running === undefined && !this.#isClosed && !answer.isApplied) void showEnd(this);
  }

  #find(argument: unknown): Answer | undefined {
    return this.#answers.find((answer) => answer === argument || answer.id === argument);
  }

  /** Adds a question and its answer. They appear with the next refresh. */
  #add(answer: Answer): void {
    this.#isExpanded = false;
    this.#answers.push(answer);
    this.#comments.push(questionComment(answer.question.shown), answer);
  }

  /** A thread that is created without comments can never collapse its reply box (seen in VS Code 1.139). */
  #createThread(shown: readonly Comment[]): CommentThread {
    const thread = this.#controller.createCommentThread(this.document.uri, this.#range(), shown);
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  /** Whether the thread is only one line, because its change is applied. */
  get #isShrunk(): boolean {
    return !this.#isExpanded && this.lastAnswer?.isApplied === true;
  }

  /** Empty while hunks are open, because its color would cover their highlights (VS Code 1.139), and while it is one line. */
  #range(): Range {
    const range = rangeOf(this.document, this.lines);
    const isOpen = this.#answers.some(({ progress }) => progress === "applied");
    return isOpen || this.#isShrunk ? new Range(range.end, range.end) : range;
  }

  #invitation(): string {
    const { start, end } = this.lines;
    if (this.lastAnswer) return l10n.t("Ask a follow-up question");
    if (this.#subject.scope === "cursor") return l10n.t("Ask about this file, or say how to change it");
    return end - start === 1
      ? l10n.t("Ask about line {0}, or say how to change it", end)
      : l10n.t("Ask about lines {0} to {1}, or say how to change them", start + 1, end);
  }

  #label(): string {
    return l10n.t("Codex ({0})", inlineChatModel(this.#services.settings()).name);
  }
}
