import {
  type Comment,
  type CommentController,
  type CommentThread,
  CommentThreadCollapsibleState,
  type Disposable,
  l10n,
  Range,
} from "vscode";
import { Answer } from "../answer/answer.ts";
import { type CodeTarget, rangeOf } from "../ask/document.ts";
import { InputComment, questionComment, StatusLine } from "./threadComments.ts";

/** The current state of the conversation shown in a view. */
export interface ShownConversation {
  readonly target: CodeTarget;
  readonly lastAnswer: Answer | undefined;
  readonly modelName: string;
  /** Called after each refresh of the view. */
  readonly refreshed: () => void;
}

/** Shows a conversation below its lines: questions, answers, the status line and an input. */
export class ThreadView implements Disposable {
  readonly #controller: CommentController;
  readonly #conversation: ShownConversation;
  readonly #comments: Comment[] = [];
  #thread: CommentThread | undefined;
  #status: StatusLine | undefined;
  #input: InputComment | undefined;
  #inputThread: CommentThread | undefined;
  #isClosed = false;
  /** Whether the user wants to see an answer although its change is applied. */
  #isExpanded = false;

  constructor(controller: CommentController, conversation: ShownConversation) {
    this.#controller = controller;
    this.#conversation = conversation;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a command's argument belongs to this view, other than a question or an answer. */
  owns(argument: unknown): boolean {
    const parts = [this.#thread, this.#inputThread, this.#status, this.#input];
    return parts.some((part) => part !== undefined && part === argument);
  }

  get hasInput(): boolean {
    return this.#input !== undefined;
  }

  /** Whether a command's argument is the input for a follow-up. */
  isInput(argument: unknown): boolean {
    return this.#inputThread !== undefined && argument === this.#inputThread;
  }

  /** Adds a question and its answer. They appear with the next refresh. */
  add(answer: Answer): void {
    this.#isExpanded = false;
    this.#comments.push(questionComment(answer.question.shown), answer);
  }

  refresh(): void {
    if (this.#isClosed) return;
    const { lastAnswer, target } = this.#conversation;
    const isShrunk = this.#isShrunk;
    const status = lastAnswer && new StatusLine(lastAnswer, target, isShrunk);
    if (!status || !this.#status?.says(status)) this.#status = status;
    const input = this.#input && !this.#inputThread ? [this.#input] : [];
    const shown = [...(isShrunk ? [] : this.#comments), ...(this.#status ? [this.#status] : []), ...input];
    this.#thread ??= this.#createThread(shown);
    this.#thread.range = this.#range();
    this.#thread.comments = shown;
    this.#thread.canReply = !this.#input && !isShrunk;
    this.#thread.label = this.#label();
    this.#conversation.refreshed();
  }

  /** Drops the thread, so that the next refresh creates one without a focused comment. */
  dropFocus(): void {
    this.#thread?.dispose();
    this.#thread = undefined;
  }

  /** Shows the whole conversation, although its change is applied. */
  expand(): void {
    this.#isExpanded = true;
    this.refresh();
  }

  /** Shows an input and focuses it. */
  invite(): void {
    this.uninvite();
    this.#input = new InputComment(this.#invitation());
    // As a comment of the thread, the input would get the focus again with every update (seen in VS Code 1.139).
    if (this.#conversation.lastAnswer) {
      this.#inputThread = this.#createThread([this.#input]);
      this.#inputThread.canReply = false;
      this.#inputThread.label = this.#label();
    }
    this.refresh();
  }

  uninvite(): void {
    if (!this.#input) return;
    this.#inputThread?.dispose();
    this.#inputThread = undefined;
    this.#input = undefined;
    this.refresh();
  }

  dispose(): void {
    this.#isClosed = true;
    this.uninvite();
    this.#thread?.dispose();
  }

  /**
   * Creates the thread with its comments. Created without any, its reply box could never be collapsed (seen in VS Code
   * 1.139).
   */
  #createThread(shown: readonly Comment[]): CommentThread {
    const { document } = this.#conversation.target;
    const thread = this.#controller.createCommentThread(document.uri, this.#range(), shown);
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  /** Whether the thread is only one line, because its change is applied. */
  get #isShrunk(): boolean {
    return !this.#isExpanded && this.#conversation.lastAnswer?.isApplied === true && !this.#input;
  }

  /**
   * Empty while hunks are open: the color of a range would cover their highlights (seen in VS Code 1.139). It stays empty
   * once they are kept, so that nothing looks undecided.
   */
  #range(): Range {
    const { document, lines } = this.#conversation.target;
    const range = rangeOf(document, lines);
    const isOpen = this.#comments.some((comment) => comment instanceof Answer && comment.progress === "applied");
    return isOpen || this.#isShrunk ? new Range(range.end, range.end) : range;
  }

  #invitation(): string {
    const keys = l10n.t("Enter sends, Esc cancels");
    return `${this.#subject()} · ${keys}`;
  }

  #subject(): string {
    const { lines, scope } = this.#conversation.target;
    if (this.#conversation.lastAnswer) return l10n.t("Ask a follow-up question");
    if (scope === "cursor") return l10n.t("Ask about this file, or say how to change it");
    return lines.end - lines.start === 1
      ? l10n.t("Ask about line {0}, or say how to change it", lines.end)
      : l10n.t("Ask about lines {0} to {1}, or say how to change them", lines.start + 1, lines.end);
  }

  #label(): string {
    return l10n.t("Codex ({0})", this.#conversation.modelName);
  }
}
