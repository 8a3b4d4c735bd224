import type { CommentController, Disposable, TextDocument, TextDocumentContentChangeEvent } from "vscode";
import { type LineRange, shiftLines } from "../../text/lineRange.ts";
import { Answer } from "../answer/answer.ts";
import { type Conversation, inlineChatModel, runAnswer, type ThreadServices } from "../answer/answerRun.ts";
import { allTexts, type CodeTarget, type Question } from "../ask/document.ts";
import { showEnd } from "./threadInView.ts";
import { type ShownConversation, ThreadView } from "./threadView.ts";

/** A question to ask again after its conversation was closed. */
export interface ClosedQuestion {
  readonly subject: CodeTarget;
  readonly answer: Answer;
  /** The earlier answers of its conversation. */
  readonly earlier: readonly Answer[];
}

/** What a conversation tells its owner. */
export interface ThreadEvents {
  /** Asks a question of a closed conversation again, in a new one. */
  readonly reopen: (closed: ClosedQuestion) => Promise<void>;
  /** The view of a conversation has changed. */
  readonly shown: () => void;
  /** An answer is complete. */
  readonly answered: (thread: InlineThread, answer: Answer) => Promise<void>;
}

/** One conversation about some lines of a document. */
export class InlineThread implements Conversation, ShownConversation, Disposable {
  readonly document: TextDocument;
  readonly view: ThreadView;
  /** The current range of the lines. */
  lines: LineRange;
  readonly #services: ThreadServices;
  readonly #events: ThreadEvents;
  readonly #subject: CodeTarget;
  readonly #answers: Answer[];
  #running: AbortController | undefined;

  constructor(
    controller: CommentController,
    services: ThreadServices,
    subject: CodeTarget,
    events: ThreadEvents,
    earlier: readonly Answer[] = [],
  ) {
    this.#services = services;
    this.#events = events;
    this.#subject = subject;
    this.document = subject.document;
    this.lines = subject.lines;
    this.#answers = [...earlier];
    this.view = new ThreadView(controller, this);
    for (const answer of earlier) this.view.add(answer);
  }

  /** The code of the conversation as it is now. */
  get target(): CodeTarget {
    return { ...this.#subject, lines: this.lines };
  }

  get lastAnswer(): Answer | undefined {
    return this.#answers.at(-1);
  }

  get modelName(): string {
    return inlineChatModel(this.#services.settings()).name;
  }

  /** What the user can decide now, as keybindings in package.json name it. */
  get awaits(): "question" | "answer" | "change" | "applied" | "close" {
    const { lastAnswer, view } = this;
    if (view.hasInput || !lastAnswer) return "question";
    if (lastAnswer.isRunning) return "answer";
    if (lastAnswer.progress === "applied") return "applied";
    return lastAnswer.change && this.#subject.canEdit ? "change" : "close";
  }

  refreshed(): void {
    this.#events.shown();
  }

  /** Whether a command's argument belongs to this conversation. */
  owns(argument: unknown): boolean {
    return this.#find(argument) !== undefined || this.view.owns(argument);
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
    this.view.uninvite();
    const answer = new Answer(question);
    this.#answers.push(answer);
    this.view.add(answer);
    await this.#run(answer);
  }

  /** Asks again: replaces the last answer, or appends an earlier question at the end. */
  async askAgain(answer: Answer): Promise<void> {
    if (this.view.isClosed) {
      await this.#events.reopen({ subject: this.target, answer, earlier: this.answersBefore(answer) });
      return;
    }
    // A clicked comment would take the focus back with every update (seen in VS Code 1.139).
    this.view.dropFocus();
    if (answer === this.lastAnswer) await this.#run(answer);
    else await this.ask(answer.question);
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Updates the range after an edit of the document. */
  follow(changes: readonly TextDocumentContentChangeEvent[]): void {
    for (const change of changes) this.lines = shiftLines(this.lines, change);
  }

  /** Updates the view, and the range where a change was undone as a whole, after a decision on an answer's hunks. */
  decided(answer: Answer): void {
    if (answer.progress === "done" && answer === this.lastAnswer) {
      this.lines = answer.asked.locate(allTexts(this.document), this.lines) ?? this.lines;
    }
    this.view.refresh();
  }

  /** Closes the view and ends the request. */
  dispose(): void {
    this.view.dispose();
    this.stop();
  }

  async #run(answer: Answer): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#running = controller;
    try {
      await runAnswer(this.#services, this, answer, controller.signal);
    } finally {
      if (this.#running === controller) this.#running = undefined;
      this.view.refresh();
    }
    if (answer.progress === "done" && !controller.signal.aborted) await this.#events.answered(this, answer);
    if (this.#running === undefined && !this.view.isClosed && !answer.isApplied) void showEnd(this);
  }

  #find(argument: unknown): Answer | undefined {
    return this.#answers.find((answer) => answer === argument || answer.id === argument);
  }
}
