import {
  type Comment,
  type CommentController,
  type CommentThread,
  CommentThreadCollapsibleState,
  type Disposable,
  l10n,
} from "vscode";
import type { Answer } from "./answer.ts";
import { rangeOf } from "./documentCode.ts";
import type { CodeTarget } from "./target.ts";
import { InputComment, questionComment, StatusLine } from "./threadComments.ts";

/** The conversation that a view shows, as it is at the moment. */
export interface ShownConversation extends Pick<CodeTarget, "document" | "lines" | "canEdit"> {
  readonly lastAnswer: Answer | undefined;
  readonly modelName: string;
}

/** Shows a conversation under its lines: questions, answers, the status of the last answer, and a place to type. */
export class ThreadView implements Disposable {
  readonly #controller: CommentController;
  readonly #conversation: ShownConversation;
  readonly #comments: Comment[] = [];
  #thread: CommentThread | undefined;
  #status: StatusLine | undefined;
  #input: InputComment | undefined;
  #inputThread: CommentThread | undefined;
  #isClosed = false;

  constructor(controller: CommentController, conversation: ShownConversation) {
    this.#controller = controller;
    this.#conversation = conversation;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether the argument of a command is a part of this view, other than a question or an answer. */
  owns(argument: unknown): boolean {
    const parts = [this.#thread, this.#inputThread, this.#status, this.#input];
    return parts.some((part) => part !== undefined && part === argument);
  }

  /** Whether the argument of a command is only the place to type a follow-up. */
  isInput(argument: unknown): boolean {
    return this.#inputThread !== undefined && argument === this.#inputThread;
  }

  /** Adds an answer below its question. The next refresh shows them. */
  add(answer: Answer): void {
    this.#comments.push(questionComment(answer.question.shown), answer);
  }

  /** Shows what has changed about the conversation. */
  refresh(): void {
    if (this.#isClosed) return;
    const { document, lines, lastAnswer, canEdit } = this.#conversation;
    const status = lastAnswer && new StatusLine(lastAnswer, canEdit);
    if (!status || !this.#status?.says(status)) this.#status = status;
    const input = this.#input && !this.#inputThread ? [this.#input] : [];
    const shown = [...this.#comments, ...(this.#status ? [this.#status] : []), ...input];
    this.#thread ??= this.#createThread(shown);
    this.#thread.range = rangeOf(document, lines);
    this.#thread.comments = shown;
    this.#thread.canReply = input.length === 0;
    this.#thread.label = this.#label();
  }

  /** Drops the thread, so that the next refresh creates a new one, in which no comment has the focus. */
  dropFocus(): void {
    this.#thread?.dispose();
    this.#thread = undefined;
  }

  /** Shows a place to type and moves the focus to it. */
  invite(): void {
    this.uninvite();
    this.#input = new InputComment(this.#invitation());
    // In the thread itself, VS Code would move the focus back to the input with every piece of the next answer.
    if (this.#conversation.lastAnswer) {
      this.#inputThread = this.#createThread([this.#input]);
      this.#inputThread.canReply = false;
      this.#inputThread.label = this.#label();
    }
    this.refresh();
  }

  /** Removes the place to type. */
  uninvite(): void {
    this.#inputThread?.dispose();
    this.#inputThread = undefined;
    this.#input = undefined;
  }

  dispose(): void {
    this.#isClosed = true;
    this.uninvite();
    this.#thread?.dispose();
  }

  /** A thread that is created without a comment would keep its reply box open for good. */
  #createThread(shown: readonly Comment[]): CommentThread {
    const { document, lines } = this.#conversation;
    const thread = this.#controller.createCommentThread(document.uri, rangeOf(document, lines), shown);
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  #invitation(): string {
    const { start, end } = this.#conversation.lines;
    if (this.#conversation.lastAnswer) return l10n.t("Ask a follow-up question");
    return end - start === 1
      ? l10n.t("Ask about line {0}, or say how to change it", end)
      : l10n.t("Ask about lines {0} to {1}, or say how to change them", start + 1, end);
  }

  #label(): string {
    return l10n.t("Codex ({0})", this.#conversation.modelName);
  }
}
