import type { CommentController, Disposable, TextDocument, TextDocumentContentChangeEvent } from "vscode";
import { Answer, type Question } from "./answer.ts";
import { type AnswerServices, inlineChatModel, runAnswer } from "./answerRun.ts";
import { type LineRange, shiftLines } from "./lines.ts";
import type { CodeTarget } from "./target.ts";
import { type ShownConversation, ThreadView } from "./threadView.ts";

/** A question that is asked again after its conversation was closed. */
export interface ClosedQuestion {
  readonly subject: CodeTarget;
  readonly answer: Answer;
  /** The answers before it. */
  readonly earlier: readonly Answer[];
}

/** Asks a question of a closed conversation again, in a new one. */
type Reopen = (closed: ClosedQuestion) => Promise<void>;

/** One conversation about some lines of a document. */
export class InlineThread implements ShownConversation, Disposable {
  readonly document: TextDocument;
  readonly canEdit: boolean;
  readonly view: ThreadView;
  /** Where the lines are now. */
  lines: LineRange;
  readonly #services: AnswerServices;
  readonly #reopen: Reopen;
  readonly #selected: string | undefined;
  readonly #answers: Answer[];
  #running: AbortController | undefined;

  constructor(
    controller: CommentController,
    services: AnswerServices,
    { document, lines, selected, canEdit }: CodeTarget,
    reopen: Reopen,
    earlier: readonly Answer[] = [],
  ) {
    this.#services = services;
    this.#reopen = reopen;
    this.document = document;
    this.lines = lines;
    this.#selected = selected;
    this.canEdit = canEdit;
    this.#answers = [...earlier];
    this.view = new ThreadView(controller, this);
    for (const answer of earlier) this.view.add(answer);
  }

  get lastAnswer(): Answer | undefined {
    return this.#answers.at(-1);
  }

  get modelName(): string {
    return inlineChatModel(this.#services.settings()).name;
  }

  /** Whether the argument of a command is a part of this conversation. */
  owns(argument: unknown): boolean {
    return this.#find(argument) !== undefined || this.view.owns(argument);
  }

  /** The answer that the argument of a command stands for, by default the last one. */
  answerOf(argument: unknown): Answer | undefined {
    return this.#find(argument) ?? this.lastAnswer;
  }

  /** Asks, and streams the answer into the thread. An answer that is still arriving ends. */
  async ask(question: Question): Promise<void> {
    this.view.uninvite();
    const answer = new Answer(question);
    this.#answers.push(answer);
    this.view.add(answer);
    await this.#run(answer);
  }

  /** Replaces the last answer; an earlier question is asked again at the end. */
  async askAgain(answer: Answer): Promise<void> {
    if (this.view.isClosed) {
      await this.#reopen({ subject: this.#target(), answer, earlier: this.#answersBefore(answer) });
      return;
    }
    // A comment that was clicked would take the focus back with every piece of the answer.
    this.view.dropFocus();
    if (answer === this.lastAnswer) await this.#run(answer);
    else await this.ask(answer.question);
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Follows the lines through an edit of the document. */
  follow(changes: readonly TextDocumentContentChangeEvent[]): void {
    for (const change of changes) this.lines = shiftLines(this.lines, change);
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
      await runAnswer(this.#services, {
        answer,
        target: this.#target(),
        earlier: this.#answersBefore(answer),
        signal: controller.signal,
        refresh: () => {
          this.view.refresh();
        },
        retry: () => this.askAgain(answer),
        isSuperseded: () => this.#running !== controller && answer === this.lastAnswer,
      });
    } finally {
      if (this.#running === controller) this.#running = undefined;
      this.view.refresh();
    }
  }

  #target(): CodeTarget {
    return { document: this.document, lines: this.lines, selected: this.#selected, canEdit: this.canEdit };
  }

  #find(argument: unknown): Answer | undefined {
    return this.#answers.find((answer) => answer === argument || answer.id === argument);
  }

  #answersBefore(answer: Answer): readonly Answer[] {
    return this.#answers.slice(0, this.#answers.indexOf(answer));
  }
}
