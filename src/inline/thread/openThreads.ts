import { commands, type TextDocument, window } from "vscode";
import { prefix } from "../../manifest.ts";
import type { Answer } from "../answer/answer.ts";
import type { InlineThread } from "./inlineThread.ts";

/** The conversations that are open, those that still have a change, and the one that commands act on. */
export class OpenThreads implements Iterable<InlineThread> {
  readonly #open = new Set<InlineThread>();
  /** Closed conversations whose changes still have their buttons above the code. */
  readonly #closed = new Set<InlineThread>();
  /** The conversation used last. */
  #current: InlineThread | undefined;

  [Symbol.iterator](): Iterator<InlineThread> {
    return this.#open.values();
  }

  /** Makes a conversation the target of commands without an argument. */
  enter(thread: InlineThread): InlineThread {
    this.#open.add(thread);
    this.#current = thread;
    this.#tellMenus();
    return thread;
  }

  /** Closes a conversation. With `hasChanges`, its answers can still be found. */
  remove(thread: InlineThread, hasChanges: boolean): void {
    this.#open.delete(thread);
    if (hasChanges) this.#closed.add(thread);
    if (this.#current === thread) this.#current = [...this.#open].at(-1);
    thread.dispose();
    this.#tellMenus();
  }

  /** Forgets the closed conversations about a document. */
  forgetClosed(document: TextDocument): void {
    for (const thread of this.#closed) if (thread.document === document) this.#closed.delete(thread);
  }

  /** The open conversation that a command's argument belongs to; without one, that at the cursor or used last. */
  find(argument: unknown): InlineThread | undefined {
    if (argument !== undefined) return [...this.#open].find((thread) => thread.owns(argument));
    const editor = window.activeTextEditor;
    const line = editor?.selection.active.line ?? -1;
    const atCursor = this.in(editor?.document).find(({ lines }) => lines.start <= line && line < lines.end);
    return atCursor ?? this.#current;
  }

  /** The closed conversation that a command's argument belongs to. */
  findClosed(argument: unknown): InlineThread | undefined {
    return [...this.#closed].find((closed) => closed.owns(argument));
  }

  /** The open conversation of an answer. */
  of(answer: Answer): InlineThread | undefined {
    return [...this.#open].find((thread) => thread.owns(answer));
  }

  /** The open conversations about a document. */
  in(document: TextDocument | undefined): readonly InlineThread[] {
    return [...this.#open].filter((thread) => thread.document === document);
  }

  /** Updates the context key that shows inline chat commands in the Command Palette. */
  #tellMenus(): void {
    void commands.executeCommand("setContext", `${prefix}.inlineChat.isOpen`, this.#open.size > 0);
  }
}
