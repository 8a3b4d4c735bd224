import {
  comments,
  Disposable,
  l10n,
  type TextDocument,
  type TextDocumentChangeEvent,
  TextEditorSelectionChangeKind,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { EditStore } from "../apply/editStore.ts";
import { inlineControllerId } from "../manifest.ts";
import { touchedLines } from "../text/lineRange.ts";
import { ContextKeys } from "../ui/contextKeys.ts";
import { revealLines, codeEditor, focusEditor, isInView, showInTextEditor } from "../ui/editors.ts";
import { openDocument } from "../ui/openDocument.ts";
import { AnswerActions } from "./actions/answerActions.ts";
import type { Answer } from "./answer/answer.ts";
import type { ThreadServices } from "./answer/answerRun.ts";
import { TypingPauses } from "./answer/refreshThrottle.ts";
import { allTexts, type CodeTarget, denialOf, findCodeTarget, requireSelected, type Target } from "./ask/document.ts";
import { isHunkCommand, runOnHunks } from "../hunks/hunkCommands.ts";
import { InlineThread, type ThreadEvents } from "./thread/inlineThread.ts";
import { type AnswerCommand, InputComment, isInputDocument, readInput } from "./thread/threadComments.ts";
import { makeRoom, showEnd, showLines } from "./thread/threadInView.ts";

/** Commands that wait for the one before, because that may be the same one, clicked twice. So do those on hunks. */
const changesCode: ReadonlySet<AnswerCommand> = new Set(["apply", "insertBelow", "replaceSelection"]);

/** All inline chat conversations, and what happens in them. */
export class InlineChat implements Disposable {
  readonly #services: ThreadServices;
  readonly #controller = comments.createCommentController(inlineControllerId, "Codex");
  /** The open conversations; the one used last is the last. */
  readonly #threads = new Set<InlineThread>();
  readonly #edits: EditStore;
  /** The answers that have made edits, by the ids of these. */
  readonly #answers = new Map<string, Answer>();
  readonly #actions: AnswerActions;
  readonly #keys = new ContextKeys();
  /** Answers to apply once they are complete, unless they are out of view then. */
  readonly #awaited = new WeakSet<Answer>();
  readonly #listeners: Disposable;

  constructor(services: Omit<ThreadServices, "typing">, edits: EditStore) {
    this.#services = { ...services, typing: new TypingPauses() };
    this.#edits = edits;
    this.#actions = new AnswerActions(edits, services.secrets, (answer, { id }) => {
      this.#answers.set(id, answer);
      this.#noteEdit(id);
    });
    this.#controller.options = {
      prompt: l10n.t("Ask a follow-up question…"),
      placeHolder: l10n.t("Ask a follow-up question… (Enter sends)"),
    };
    this.#listeners = Disposable.from(
      workspace.onDidChangeTextDocument(this.#follow),
      window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === TextEditorSelectionChangeKind.Keyboard) this.#services.typing.note();
        this.#updateContextKeys();
      }),
      window.onDidChangeActiveTextEditor(this.#updateContextKeys),
      workspace.onDidOpenTextDocument(this.#adopt),
      workspace.onDidCloseTextDocument((document) => {
        // Its content cannot be opened again.
        if (document.isUntitled && document.isClosed) for (const thread of this.#openIn(document)) this.#remove(thread);
      }),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#rename(oldUri, newUri);
      }),
      edits.onDidDecide(({ id }) => {
        this.#noteEdit(id);
      }),
      edits.errors.inline.onDidChange(({ id, delta }) => {
        this.#noteEdit(id, delta !== 0);
      }),
    );
    this.#updateContextKeys();
  }

  /** Shows the new state of an edit, if an answer has made it. */
  #noteEdit(id: string, isShown = true): void {
    const answer = this.#answers.get(id);
    answer?.followEdits(this.#edits.errors.inline);
    if (!answer || !isShown) return;
    this.#find(answer)?.decided(answer);
    answer.question.applied?.(answer.isApplied);
  }

  readonly #follow = (event: TextDocumentChangeEvent): void => {
    const { document, contentChanges } = event;
    // The user may be typing in the active editor or in the input of a comment.
    const mayBeTyped = document === window.activeTextEditor?.document || document.uri.scheme === "comment";
    if (contentChanges.length > 0 && mayBeTyped) this.#services.typing.note();
    for (const thread of this.#openIn(document)) thread.follow(contentChanges);
  };

  /** Updates the context keys of conversations: whether one is open, and the state of the one at the cursor. */
  readonly #updateContextKeys = (): void => {
    this.#keys.set("inlineChat.isOpen", this.#threads.size > 0);
    this.#keys.set("inlineChat.atCursor", this.#atCursor?.state ?? "");
  };

  /** Opens a conversation at the target or reuses an open one. Asks the question if there is one, or else shows the input. */
  async open(target: Target): Promise<void> {
    if (!target.question) this.#services.gateway.preconnect(this.#services.settings().inlineChatModel);
    const subject = await findCodeTarget(target);
    const denial = await denialOf(this.#services.gate, subject);
    const { start, end } = subject.lines;
    // Without a selection, Inline Chat continues the conversation at the cursor, however little of the symbol that is about.
    const open =
      subject.scope === "selection" || target.range
        ? this.#openIn(subject.document).findLast(({ lines, lastAnswer }) => {
            const isSame = lines.start === start && end === lines.end;
            return isSame || (!lastAnswer && lines.start <= start && end <= lines.end);
          })
        : this.#atCursor;
    // Checked before the user types a question, and again when each one is asked.
    if (!open?.lastAnswer) requireSelected(subject, denial);
    // A thread without a question may be gone: the comments API has no event for a discarded thread (VS Code 1.139).
    const typed = open?.typed;
    if (open && !open.lastAnswer) this.#remove(open);
    const thread = this.#enter(open?.lastAnswer ? open : this.#createThread(subject));
    if (!open?.lastAnswer) makeRoom(thread);
    if (target.question) await thread.ask(target.question);
    else this.#invite(thread, typed);
  }

  /** Sends the text from the thread's input or reply box. */
  async send(argument: unknown): Promise<void> {
    const { thread, text } = readInput(argument);
    const question = text.trim();
    const asked = this.#find(thread);
    if (question !== "") await Promise.all([focusEditor(), asked?.ask({ shown: question, prompt: question })]);
    else if (argument instanceof InputComment && asked) this.#invite(asked);
  }

  /** Discards a question before it is asked. */
  async cancel(argument: unknown): Promise<void> {
    const thread = argument === undefined ? this.#withInput() : this.#find(argument);
    if (thread?.lastAnswer) thread.closeInput();
    else if (thread) this.#remove(thread);
    await focusEditor();
  }

  async stop(argument: unknown): Promise<void> {
    this.#find(argument)?.stop();
    await focusEditor();
  }

  /**
   * Runs a command on the answer given by the argument, or else on the last answer of the current conversation. Without a
   * button as their argument, from a keybinding, the palette or a task, commands act only on a conversation in view, and
   * otherwise reveal it. The commands on applied hunks find these themselves, because they outlive their conversation.
   */
  async act(command: AnswerCommand, argument?: unknown): Promise<void> {
    const thread = this.#find(argument);
    const answer = thread?.answerOf(argument);
    if (isHunkCommand(command)) {
      return this.#edits.queue.run(() => {
        const services = { edits: this.#edits, conversation: thread, ofAnswer: answer?.undecided };
        return runOnHunks(services, command, argument);
      });
    }
    if (command === "apply" && answer?.isRunning) {
      this.#awaited.add(answer);
      return;
    }
    if (argument === undefined && command === "apply" && !answer?.change) {
      void window.showInformationMessage(l10n.t("There is no change to apply."));
    }
    if (command === "showDiff" && !thread) return this.#actions.showApplied(argument);
    if (!thread || !answer) return;
    // Before the focus moves, as the editor may scroll in the meantime.
    const isSeen = argument !== undefined || isInView(thread);
    await focusEditor();
    if (!isSeen) await revealLines(thread);
    else {
      const run = async (): Promise<void> => this.#actions[command]({ thread, answer });
      await (changesCode.has(command) ? this.#edits.queue.run(run) : run());
    }
  }

  close(argument: unknown): void {
    const thread = this.#find(argument);
    if (thread?.isInput(argument)) thread.closeInput();
    else if (thread) this.#remove(thread);
  }

  dispose(): void {
    const parts = [...this.#threads, this.#listeners, this.#actions, this.#controller];
    for (const part of parts) part.dispose();
  }

  #createThread(subject: CodeTarget, earlier: readonly Answer[] = []): InlineThread {
    const events: ThreadEvents = {
      // Asks about the code at its current position, and reveals it.
      reopen: async (closed, answer) => {
        const document = await showInTextEditor(closed.document.uri);
        const found = answer.locate(allTexts(document), closed.lines);
        const isSelected = found !== undefined && closed.target.isSelected === true;
        const target = { ...closed.target, document, lines: found ?? closed.lines, isSelected };
        const thread = this.#createThread(target, closed.answersBefore(answer));
        await this.#enter(thread).ask(answer.question);
      },
      shown: this.#updateContextKeys,
      answered: async (thread, answer) => {
        const { inlineChatApply } = this.#services.settings();
        const isAwaited = this.#awaited.has(answer);
        if (isAwaited ? !isInView(thread) : inlineChatApply !== "automatically") return;
        const command = isAwaited ? "apply" : "applyAutomatically";
        await this.#edits.queue.run(() => this.#actions[command]({ thread, answer }));
      },
    };
    return new InlineThread(this.#controller, this.#services, subject, events, earlier);
  }

  #invite(thread: InlineThread, typed?: string): void {
    thread.invite(typed);
    void showEnd(thread);
  }

  /** Continues conversations in a document that is opened again, in which VS Code shows their threads again. */
  readonly #adopt = (document: TextDocument): void => {
    const threads = [...this.#threads];
    if (isInputDocument(document)) threads.findLast((thread) => thread.takeInput(document));
    for (const thread of threads) if (String(thread.uri) === String(document.uri)) thread.adopt(document);
  };

  /** Of a file or a folder. */
  #rename(from: Uri, to: Uri): void {
    for (const thread of this.#threads) {
      const { path } = thread.uri;
      const isIn = thread.uri.with({ path: from.path }).toString() === from.toString();
      if (!isIn || (path !== from.path && !path.startsWith(`${from.path}/`))) continue;
      thread.uri = to.with({ path: to.path + path.slice(from.path.length) });
      const document = openDocument(thread.uri);
      if (document) thread.adopt(document);
    }
  }

  #openIn(document: TextDocument | undefined): readonly InlineThread[] {
    return [...this.#threads].filter((thread) => thread.document === document);
  }

  /** The conversation that a command's argument belongs to; without one, the open one at the cursor or used last. */
  #find(argument: unknown): InlineThread | undefined {
    if (argument !== undefined) return [...this.#threads].findLast((thread) => thread.owns(argument));
    return this.#atCursor ?? [...this.#threads].at(-1);
  }

  /** The open conversation about the line of the cursor, or about one that is selected. */
  get #atCursor(): InlineThread | undefined {
    const editor = codeEditor();
    if (!editor) return undefined;
    const { start, end } = touchedLines(editor.selection);
    return this.#openIn(editor.document).findLast(({ lines }) => lines.start < end && start < lines.end);
  }

  /** The conversation whose input was opened last. */
  #withInput(): InlineThread | undefined {
    const atCursor = this.#atCursor;
    return atCursor?.hasInput ? atCursor : [...this.#threads].findLast(({ hasInput }) => hasInput);
  }

  #enter(thread: InlineThread): InlineThread {
    this.#threads.delete(thread);
    this.#threads.add(thread);
    this.#updateContextKeys();
    return thread;
  }

  #remove(thread: InlineThread): void {
    const { lines } = thread;
    // VS Code does not scroll back, and the area after the end of a file may be empty (seen in 1.139.1).
    if (isInView(thread)) void showLines(thread, { start: Math.max(lines.start, lines.end - 1), end: lines.end });
    thread.dispose();
    this.#threads.delete(thread);
    this.#updateContextKeys();
  }
}
