import {
  type Comment,
  CommentThreadCollapsibleState,
  type CommentController,
  type CommentThread,
  type Disposable,
  l10n,
  type TextDocument,
  type TextDocumentContentChangeEvent,
} from "vscode";
import type { Notice, FailedAction } from "../failures/notice.ts";
import { UserError } from "../failures/userError.ts";
import type { ChatRequest, EntryName, FinishReason, Gateway } from "../gateway/types.ts";
import { unknownModel } from "../settings/models.ts";
import type { Settings } from "../settings/settings.ts";
import { Answer, type Question } from "./answer.ts";
import { allTexts, rangeOf, readCodeContext, textsOf } from "./documentCode.ts";
import { fenceFor, readEdit } from "./editBlock.ts";
import { type LineRange, shiftLines } from "./lines.ts";
import { isUnique } from "./locate.ts";
import { buildMessages } from "./prompt.ts";
import { RefreshThrottle } from "./refreshThrottle.ts";
import { InputComment, questionComment, StatusLine } from "./threadComments.ts";

/** What a conversation needs of the outside. */
export interface ThreadServices {
  readonly gateway: Pick<Gateway, "ask">;
  readonly notifier: { report(error: unknown, operation: FailedAction): Pick<Notice, "text"> | undefined };
  readonly settings: () => Settings;
}

/** What a conversation is about. */
export interface CodeTarget {
  readonly document: TextDocument;
  readonly lines: LineRange;
  /** The selected text, where it is only a part of the lines. */
  readonly selected: string | undefined;
  readonly canEdit: boolean;
}

/** What is to be asked once more when its conversation is closed. */
export interface ClosedQuestion {
  readonly subject: CodeTarget;
  readonly answer: Answer;
  /** The answers before it. */
  readonly earlier: readonly Answer[];
}

/** Asks a question of a closed conversation once more, in a new one. */
type Reopen = (closed: ClosedQuestion) => Promise<void>;

/** One conversation about some lines of a document, shown under them. */
export class InlineThread implements Disposable {
  readonly document: TextDocument;
  readonly canEdit: boolean;
  /** Where the lines are now. */
  lines: LineRange;
  readonly #services: ThreadServices;
  readonly #reopen: Reopen;
  readonly #selected: string | undefined;
  readonly #controller: CommentController;
  #thread: CommentThread | undefined;
  readonly #answers: Answer[];
  #status: StatusLine | undefined;
  #comments: readonly Comment[];
  #input: InputComment | undefined;
  #inputThread: CommentThread | undefined;
  #running: AbortController | undefined;
  #isClosed = false;

  constructor(
    controller: CommentController,
    services: ThreadServices,
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
    this.#controller = controller;
    this.#answers = [...earlier];
    this.#comments = earlier.flatMap((answer) => [questionComment(answer.question.shown), answer]);
  }

  get lastAnswer(): Answer | undefined {
    return this.#answers.at(-1);
  }

  /** Whether VS Code means this conversation by an argument of a command. */
  owns(argument: unknown): boolean {
    return (
      this.#answers.some((answer) => answer === argument || answer.id === argument) ||
      [this.#thread, this.#inputThread, this.#status, this.#input].some(
        (part) => part !== undefined && part === argument,
      )
    );
  }

  /** Whether an argument of a command is no more than the place to type a follow-up. */
  isInput(argument: unknown): boolean {
    return this.#inputThread !== undefined && argument === this.#inputThread;
  }

  answerOf(argument: unknown): Answer | undefined {
    return this.#answers.find((answer) => answer === argument || answer.id === argument) ?? this.lastAnswer;
  }

  /** Asks, and streams the answer into the thread. An answer that is still being given ends. */
  async ask(question: Question): Promise<void> {
    this.uninvite();
    const answer = new Answer(question);
    this.#answers.push(answer);
    this.#comments = [...this.#comments, questionComment(question.shown), answer];
    await this.#run(answer);
  }

  /** The last answer is given anew; an earlier question is asked once more. */
  async askAgain(answer: Answer): Promise<void> {
    if (this.#isClosed) {
      const { document, lines, canEdit } = this;
      const earlier = this.#answersBefore(answer);
      await this.#reopen({ subject: { document, lines, selected: this.#selected, canEdit }, answer, earlier });
      return;
    }
    // A comment that was clicked would pull the keyboard back with every piece of the answer.
    this.#thread?.dispose();
    this.#thread = undefined;
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

  /** Shows what has changed about the answers. */
  refresh(): void {
    if (this.#isClosed) return;
    const { lastAnswer } = this;
    const status = lastAnswer && new StatusLine(lastAnswer, this.canEdit);
    if (!status || !this.#status?.says(status)) this.#status = status;
    const input = this.#input && !this.#inputThread ? [this.#input] : [];
    const shown = [...this.#comments, ...(this.#status ? [this.#status] : []), ...input];
    this.#thread ??= this.#createThread(shown);
    this.#thread.range = rangeOf(this.document, this.lines);
    this.#thread.comments = shown;
    this.#thread.canReply = input.length === 0;
    this.#thread.label = this.#label();
  }

  /** Gives the user a place to type, with the keyboard in it. */
  invite(): void {
    this.uninvite();
    this.#input = new InputComment(this.#invitation());
    // In the thread itself VS Code would pull the keyboard back to it with every piece of the next answer.
    if (this.lastAnswer) {
      this.#inputThread = this.#createThread([this.#input]);
      this.#inputThread.canReply = false;
      this.#inputThread.label = this.#label();
    }
    this.refresh();
  }

  /** Takes the place to type away. */
  uninvite(): void {
    this.#inputThread?.dispose();
    this.#inputThread = undefined;
    this.#input = undefined;
  }

  /** Closes the thread and ends its request. */
  dispose(): void {
    this.#isClosed = true;
    this.stop();
    this.uninvite();
    this.#thread?.dispose();
  }

  async #run(answer: Answer): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#running = controller;
    const code = textsOf(this.document, this.lines);
    answer.begin(code, isUnique(allTexts(this.document), code));
    this.refresh();
    const painter = new RefreshThrottle(() => {
      this.refresh();
    });
    try {
      await this.#receive(answer, painter, controller.signal);
    } catch (error) {
      const isAskedAnew = this.#running !== controller && answer === this.lastAnswer;
      if (!isAskedAnew) this.#fail(answer, error);
    } finally {
      painter.stop();
      if (this.#running === controller) this.#running = undefined;
      this.refresh();
    }
  }

  async #receive(answer: Answer, painter: RefreshThrottle, signal: AbortSignal): Promise<void> {
    const { gateway, settings } = this.#services;
    let entry: EntryName | undefined;
    let reason: FinishReason = "stop";
    const observe = ({ type }: { readonly type: "thinking" | "unresponsive" | "retrying" }): void => {
      if (answer.state !== "asking" && answer.state !== "thinking") return;
      answer.state = type === "thinking" ? "thinking" : "asking";
      this.refresh();
    };
    for await (const part of gateway.ask({ ...this.#request(answer), api: settings().chatApi }, signal, observe)) {
      if (part.type === "start") entry = part.entry;
      if (part.type === "finish") reason = part.reason;
      if (part.type !== "text") continue;
      answer.text += part.text;
      answer.state = "answering";
      painter.add(part.text.length);
    }
    answer.entry = entry;
    if (reason === "length") answer.breakOff(l10n.t("cut off at the longest length of an answer"));
    else if (reason === "contentFilter") answer.breakOff(l10n.t("cut off by the gateway's content filter"));
    else answer.finish(readEdit(answer.text, fenceFor(answer.code, this.document.languageId), answer.code));
  }

  #request(answer: Answer): ChatRequest {
    const { id, name, maxInputTokens } = this.#model();
    const code = readCodeContext(this.document, this.lines, { selected: this.#selected, canEdit: this.canEdit });
    const earlier = this.#answersBefore(answer)
      .filter(({ text }) => text !== "")
      .map(({ question, text }) => ({ question: question.prompt, answer: text }));
    const messages = buildMessages(code, answer.question.prompt, earlier, maxInputTokens);
    if (messages === undefined) throw new UserError("selectionTooLong", { subject: name });
    return { model: id, messages };
  }

  #answersBefore(answer: Answer): readonly Answer[] {
    return this.#answers.slice(0, this.#answers.indexOf(answer));
  }

  #fail(answer: Answer, error: unknown): void {
    const retry = (): Promise<void> => this.askAgain(answer);
    const operation = { name: "inline chat", keyGroup: "codex", retry, modelFrom: "inlineChat.model" } as const;
    const notice = this.#services.notifier.report(error, operation);
    if (notice) answer.breakOff(notice.text);
    else answer.state = "stopped";
  }

  /** A thread that is made without a comment would keep its reply box open for good. */
  #createThread(shown: readonly Comment[]): CommentThread {
    const thread = this.#controller.createCommentThread(this.document.uri, rangeOf(this.document, this.lines), shown);
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  #invitation(): string {
    const { start, end } = this.lines;
    if (this.lastAnswer) return l10n.t("Ask a follow-up question");
    return end - start === 1
      ? l10n.t("Ask about line {0}, or say how to change it", end)
      : l10n.t("Ask about lines {0} to {1}, or say how to change them", start + 1, end);
  }

  #label(): string {
    return l10n.t("Codex ({0})", this.#model().name);
  }

  #model(): { readonly id: string; readonly name: string; readonly maxInputTokens: number } {
    const { inlineChatModel: id, models } = this.#services.settings();
    return models.find((model) => model.id === id) ?? { id, name: id, ...unknownModel };
  }
}
