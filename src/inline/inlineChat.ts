import {
  commands,
  comments,
  Disposable,
  l10n,
  type TextDocument,
  type TextDocumentChangeEvent,
  window,
  workspace,
} from "vscode";
import { inlineControllerId, prefix } from "../manifest.ts";
import type { Answer, AnswerCommand } from "./answer.ts";
import { AnswerActions } from "./answerActions.ts";
import type { AnswerServices } from "./answerRun.ts";
import { allTexts } from "./documentCode.ts";
import { type ClosedQuestion, InlineThread } from "./inlineThread.ts";
import { locateOrTracked } from "./locate.ts";
import { showForThreads } from "./notebookCell.ts";
import { type CodeTarget, findCodeTarget, type Target } from "./target.ts";
import { InputComment, readInput } from "./threadComments.ts";
import { bringIntoView, focusEditor, isInView } from "./threadInView.ts";

/**
 * What changes code, or sends it. A button shows what it belongs to; what comes without one, from a key, the palette or a
 * task of the workspace, acts only on what the user sees, and shows it otherwise.
 */
const needsView: ReadonlySet<AnswerCommand> = new Set(["apply", "insertBelow", "undo", "askAgain"]);

/** All conversations in editors, and which of them a command is about. */
export class InlineChat implements Disposable {
  readonly #services: AnswerServices;
  readonly #controller = comments.createCommentController(inlineControllerId, "Codex");
  readonly #threads = new Set<InlineThread>();
  readonly #actions = new AnswerActions();
  readonly #listeners: Disposable;
  /** The conversation used last. */
  #current: InlineThread | undefined;

  constructor(services: AnswerServices) {
    this.#services = services;
    this.#controller.options = {
      prompt: l10n.t("Ask a follow-up question…"),
      placeHolder: l10n.t("Ask a follow-up question…"),
    };
    this.#listeners = Disposable.from(
      workspace.onDidChangeTextDocument((event) => {
        this.#follow(event);
      }),
      workspace.onDidCloseTextDocument((document) => {
        if (document.isClosed) this.#forget(document);
      }),
    );
  }

  /** Opens a conversation at the target, or the one that is there already. With a question it is asked at once. */
  async open(target: Target): Promise<void> {
    const subject = await findCodeTarget(target);
    const open = [...this.#threads].find(({ document, lines }) => {
      const { start, end } = subject.lines;
      return document === subject.document && lines.start <= start && end <= lines.end;
    });
    // A thread without a question may be gone: VS Code does not tell when its user has discarded it.
    if (open && !open.lastAnswer) this.#remove(open);
    const thread = this.#enter(open?.lastAnswer ? open : this.#createThread(subject));
    if (target.question) await thread.ask(target.question);
    else thread.view.invite();
  }

  /** Asks what stands in the input of a thread, or in its reply box. */
  async send(argument: unknown): Promise<void> {
    const { thread, text } = readInput(argument);
    const question = text.trim();
    const asked = this.#threadOf(thread);
    if (question !== "") await Promise.all([focusEditor(), asked?.ask({ shown: question, prompt: question })]);
    else if (argument instanceof InputComment) asked?.view.invite();
  }

  /** Gives up a question before it is asked. */
  cancel(argument: unknown): void {
    const thread = this.#threadOf(argument);
    if (thread?.lastAnswer) thread.view.uninvite();
    else if (thread) this.#remove(thread);
    void focusEditor();
  }

  stop(argument: unknown): void {
    this.#threadOf(argument)?.stop();
    void focusEditor();
  }

  /** Does something with an answer: the one that the argument stands for, else the last of the current conversation. */
  async act(command: AnswerCommand, argument?: unknown): Promise<void> {
    const thread = this.#threadOf(argument);
    const answer = thread?.answerOf(argument);
    if (!thread || !answer) return;
    if (argument === undefined && needsView.has(command) && !isInView(thread)) await bringIntoView(thread);
    else await this.#actions[command]({ thread, answer });
  }

  close(argument: unknown): void {
    const thread = this.#threadOf(argument);
    if (thread?.view.isInput(argument)) thread.view.uninvite();
    else if (thread) this.#remove(thread);
  }

  dispose(): void {
    for (const thread of this.#threads) thread.dispose();
    this.#listeners.dispose();
    this.#actions.dispose();
    this.#controller.dispose();
  }

  #createThread(subject: CodeTarget, earlier: readonly Answer[] = []): InlineThread {
    return new InlineThread(this.#controller, this.#services, subject, (closed) => this.#reopen(closed), earlier);
  }

  /** A notification outlives its thread: its Retry asks where the code is now, and the user sees it. */
  async #reopen({ subject, answer, earlier }: ClosedQuestion): Promise<void> {
    const document = await showForThreads(subject.document.uri);
    const lines = locateOrTracked(allTexts(document), answer.code, subject.lines, answer.wasUnique);
    await this.#enter(this.#createThread({ ...subject, document, lines }, earlier)).ask(answer.question);
  }

  /** Commands without an argument are about the conversation entered last. */
  #enter(thread: InlineThread): InlineThread {
    this.#threads.add(thread);
    this.#current = thread;
    this.#tellMenus();
    return thread;
  }

  #threadOf(argument: unknown): InlineThread | undefined {
    if (argument !== undefined) return [...this.#threads].find((thread) => thread.owns(argument));
    const editor = window.activeTextEditor;
    const line = editor?.selection.active.line ?? -1;
    const atCursor = [...this.#threads].find(
      ({ document, lines }) => document === editor?.document && lines.start <= line && line < lines.end,
    );
    return atCursor ?? this.#current;
  }

  #follow(event: TextDocumentChangeEvent): void {
    const concerned = [...this.#threads].filter(({ document }) => document === event.document);
    for (const thread of concerned) thread.follow(event.contentChanges);
    if (this.#actions.edits.follow(event)) for (const thread of concerned) thread.view.refresh();
  }

  #forget(document: TextDocument): void {
    this.#actions.edits.forget(document);
    for (const thread of this.#threads) if (thread.document === document) this.#remove(thread);
  }

  #remove(thread: InlineThread): void {
    this.#threads.delete(thread);
    if (this.#current === thread) this.#current = [...this.#threads].at(-1);
    thread.dispose();
    this.#tellMenus();
  }

  /** The palette offers what can be done with a conversation while there is one. */
  #tellMenus(): void {
    void commands.executeCommand("setContext", `${prefix}.inlineChat.isOpen`, this.#threads.size > 0);
  }
}
