import {
  commands,
  comments,
  Disposable,
  env,
  l10n,
  languages,
  type TextDocument,
  type TextDocumentChangeEvent,
  window,
  workspace,
} from "vscode";
import { diffScheme, inlineControllerId, prefix } from "../manifest.ts";
import { UserError } from "../ui/userError.ts";
import type { Answer } from "./answer.ts";
import { AppliedEdits } from "./appliedEdits.ts";
import { changeBetween } from "./changedLines.ts";
import { DiffView } from "./diffView.ts";
import { allTexts } from "./documentCode.ts";
import { findSubject, type Target } from "./findSubject.ts";
import { InputComment } from "./threadComments.ts";
import { type ClosedQuestion, InlineThread, type Subject, type ThreadServices } from "./inlineThread.ts";
import type { LineRange } from "./lines.ts";
import { locate } from "./locate.ts";
import { fitIndentation } from "./replacement.ts";

/** All conversations in editors, and what their buttons do. */
export class InlineChat implements Disposable {
  private readonly services: ThreadServices;
  private readonly controller = comments.createCommentController(inlineControllerId, "Codex");
  private readonly threads = new Set<InlineThread>();
  private readonly edits = new AppliedEdits();
  private readonly diffs = new DiffView();
  private readonly listeners: Disposable;
  /** The conversation used last. */
  private current: InlineThread | undefined;

  constructor(services: ThreadServices) {
    this.services = services;
    this.controller.options = {
      prompt: l10n.t("Ask a follow-up question…"),
      placeHolder: l10n.t("Ask a follow-up question…"),
    };
    this.listeners = Disposable.from(
      languages.registerCodeLensProvider("*", this.edits),
      workspace.registerTextDocumentContentProvider(diffScheme, this.diffs),
      workspace.onDidChangeTextDocument((event) => {
        this.follow(event);
      }),
      workspace.onDidCloseTextDocument((document) => {
        if (document.isClosed) this.forget(document);
      }),
      window.onDidChangeVisibleTextEditors(() => {
        this.edits.refresh();
      }),
    );
  }

  /** Opens a conversation at the target, or the one that is there already. With a question it is asked at once. */
  async open(target: Target): Promise<void> {
    const subject = await findSubject(target);
    const open = [...this.threads].find(({ document, lines }) => {
      const { start, end } = subject.lines;
      return document === subject.document && lines.start <= start && end <= lines.end;
    });
    // A thread without a question may be gone: VS Code does not tell when its user has discarded it.
    if (open && !open.lastAnswer) this.remove(open);
    const thread = this.enter(open?.lastAnswer ? open : this.createThread(subject));
    if (target.question) await thread.ask(target.question);
    else thread.invite();
  }

  /** Asks what stands in the input of a thread, or in its reply box. */
  async send(argument: unknown): Promise<void> {
    const { thread, text } = readInput(argument);
    const question = text.trim();
    const asked = this.threadOf(thread);
    if (question !== "") await Promise.all([focusEditor(), asked?.ask({ shown: question, prompt: question })]);
    else if (argument instanceof InputComment) asked?.invite();
  }

  /** Gives up a question before it is asked. */
  cancel(argument: unknown): void {
    const thread = this.threadOf(argument);
    if (thread?.lastAnswer) thread.uninvite();
    else if (thread) this.remove(thread);
    void focusEditor();
  }

  stop(argument: unknown): void {
    this.threadOf(argument)?.stop();
    void focusEditor();
  }

  async askAgain(argument: unknown): Promise<void> {
    const found = this.find(argument);
    await Promise.all([focusEditor(), found?.thread.askAgain(found.answer)]);
  }

  /** Puts the answer's change in place of the code it is about, if that is still what the model read. */
  async apply(argument: unknown): Promise<void> {
    const found = this.find(argument);
    if (!found) return;
    const { thread, answer } = found;
    await focusEditor();
    const { replacement } = answer;
    if (!replacement) return;
    const location = locate(allTexts(thread.document), answer.code, thread.lines, answer.wasUnique);
    if (location.type !== "found") throw new UserError("codeChanged", { subject: answer.id });
    const lines = fitIndentation(answer.code, replacement);
    if (isSame(answer.code, lines)) {
      void window.showInformationMessage(l10n.t("The code is already as the answer wants it."));
      return;
    }
    await this.edits.apply(answer, thread.document, location.lines, lines);
    thread.refresh();
  }

  /** Inserts the answer's code below the code it is about. */
  async insertBelow(argument: unknown): Promise<void> {
    const found = this.find(argument);
    if (!found) return;
    const { thread, answer } = found;
    await focusEditor();
    const code = answer.insertable;
    if (!code) return;
    if (!thread.canEdit) throw new UserError("notEditable");
    const location = locate(allTexts(thread.document), answer.code, thread.lines, answer.wasUnique);
    const { end } = location.type === "found" ? location.lines : thread.lines;
    const lines = ["", ...fitIndentation(answer.code, code)];
    await this.edits.apply(answer, thread.document, { start: end, end }, lines);
    thread.refresh();
  }

  /** Shows the document beside what the change would make of it or, once applied, beside what it was. */
  async showDiff(argument: unknown): Promise<void> {
    const found = this.find(argument);
    if (!found) return;
    const { thread, answer } = found;
    const all = allTexts(thread.document);
    const applied = this.edits.of(answer);
    if (applied) {
      const location = locate(all, applied.after, applied.lines, applied.wasUnique);
      const lines = location.type === "found" ? location.lines : applied.lines;
      await this.diffs.showApplied(thread.document, replaced(all, lines, applied.before));
    } else if (answer.replacement) {
      const location = locate(all, answer.code, thread.lines, answer.wasUnique);
      const lines = location.type === "found" ? location.lines : thread.lines;
      const proposal = replaced(all, lines, fitIndentation(answer.code, answer.replacement));
      await this.diffs.showProposal(thread.document, proposal);
    }
  }

  /** Copies the answer's code, or the answer where it has none. */
  async copy(argument: unknown): Promise<void> {
    const answer = this.find(argument)?.answer;
    if (answer) await env.clipboard.writeText(answer.insertable?.join("\n") ?? answer.text);
  }

  keep(argument: unknown): void {
    const found = this.find(argument);
    const edit = found && this.edits.of(found.answer);
    if (edit) this.edits.keep(edit);
    found?.thread.refresh();
    void focusEditor();
  }

  async undo(argument: unknown): Promise<void> {
    const found = this.find(argument);
    await focusEditor();
    const edit = found && this.edits.of(found.answer);
    if (edit) await this.edits.undo(edit);
    found?.thread.refresh();
  }

  close(argument: unknown): void {
    const thread = this.threadOf(argument);
    if (thread?.isInput(argument)) thread.uninvite();
    else if (thread) this.remove(thread);
  }

  dispose(): void {
    for (const thread of this.threads) thread.dispose();
    this.listeners.dispose();
    this.edits.dispose();
    this.diffs.dispose();
    this.controller.dispose();
  }

  private createThread(subject: Subject, earlier: readonly Answer[] = []): InlineThread {
    return new InlineThread(this.controller, this.services, subject, (closed) => this.reopen(closed), earlier);
  }

  /** A notification outlives its thread: its Retry asks where the code is now, and the user sees it. */
  private async reopen({ subject, answer, earlier }: ClosedQuestion): Promise<void> {
    const { document } = await window.showTextDocument(subject.document.uri);
    const location = locate(allTexts(document), answer.code, subject.lines, answer.wasUnique);
    const lines = location.type === "found" ? location.lines : subject.lines;
    await this.enter(this.createThread({ ...subject, document, lines }, earlier)).ask(answer.question);
  }

  /** Commands without an argument are about the conversation entered last. */
  private enter(thread: InlineThread): InlineThread {
    this.threads.add(thread);
    this.current = thread;
    this.tellMenus();
    return thread;
  }

  /** The conversation and answer that a command is about: what was clicked, else the last of the current conversation. */
  private find(argument: unknown): { readonly thread: InlineThread; readonly answer: Answer } | undefined {
    const thread = this.threadOf(argument);
    const answer = thread?.answerOf(argument);
    return thread && answer && { thread, answer };
  }

  private threadOf(argument: unknown): InlineThread | undefined {
    if (argument !== undefined) return [...this.threads].find((thread) => thread.owns(argument));
    const editor = window.activeTextEditor;
    const line = editor?.selection.active.line ?? -1;
    const atCursor = [...this.threads].find(
      ({ document, lines }) => document === editor?.document && lines.start <= line && line < lines.end,
    );
    return atCursor ?? this.current;
  }

  private follow(event: TextDocumentChangeEvent): void {
    const concerned = [...this.threads].filter(({ document }) => document === event.document);
    for (const thread of concerned) thread.follow(event.contentChanges);
    if (this.edits.follow(event)) for (const thread of concerned) thread.refresh();
  }

  private forget(document: TextDocument): void {
    this.edits.forget(document);
    for (const thread of this.threads) if (thread.document === document) this.remove(thread);
  }

  private remove(thread: InlineThread): void {
    this.threads.delete(thread);
    if (this.current === thread) this.current = [...this.threads].at(-1);
    thread.dispose();
    this.tellMenus();
  }

  /** The palette offers what can be done with a conversation while there is one. */
  private tellMenus(): void {
    void commands.executeCommand("setContext", `${prefix}.inlineChat.isOpen`, this.threads.size > 0);
  }
}

/** The keyboard goes back to the code, since what it was in is gone. Code is to be read afterwards: users type meanwhile. */
async function focusEditor(): Promise<void> {
  await commands.executeCommand("workbench.action.focusActiveEditorGroup");
}

/** What VS Code hands over with a question: the reply box with its thread, or the input with the text as its body. */
function readInput(argument: unknown): { readonly thread: unknown; readonly text: string } {
  if (argument instanceof InputComment) return { thread: argument, text: argument.body };
  const isReply = typeof argument === "object" && argument !== null && "thread" in argument && "text" in argument;
  return isReply ? { thread: argument.thread, text: String(argument.text) } : { thread: undefined, text: "" };
}

function replaced(all: readonly string[], { start, end }: LineRange, lines: readonly string[]): readonly string[] {
  return all.toSpliced(start, end - start, ...lines);
}

function isSame(code: readonly string[], lines: readonly string[]): boolean {
  const { before, after } = changeBetween(code, lines);
  return before.start === before.end && after.start === after.end;
}
