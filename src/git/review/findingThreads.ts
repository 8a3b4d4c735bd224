import {
  commands,
  comments,
  type Disposable,
  l10n,
  Range,
  type TextDocumentChangeEvent,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from "vscode";
import { join } from "node:path";
import { prefix, reviewControllerId } from "../../manifest.ts";
import { FindingThread } from "./findingThread.ts";
import type { Review } from "./reviewChanges.ts";

/** The findings of the last review that are not dismissed, in their order. */
export class FindingThreads implements Disposable {
  readonly #controller = comments.createCommentController(reviewControllerId, l10n.t("Codex Review"));
  readonly #listener: Disposable;
  #threads: readonly FindingThread[] = [];
  /** The finding that was used last. */
  #current: FindingThread | undefined;

  constructor() {
    this.#listener = workspace.onDidChangeTextDocument((event) => {
      this.#follow(event);
    });
  }

  /** Shows the findings of a review in place of the former ones. */
  show({ placed, repository }: Pick<Review, "placed" | "repository">): void {
    this.clear();
    const { length } = placed;
    this.#threads = placed.map((finding, index) => {
      const uri = Uri.file(join(repository.root, finding.path));
      return new FindingThread(this.#controller, uri, finding, l10n.t("{0} of {1}", index + 1, length));
    });
    this.#tellMenus();
  }

  /** The finding that a button belongs to; without a button, the one at the cursor, or else the one used last. */
  of(argument: unknown): FindingThread | undefined {
    if (argument !== undefined) return this.#threads.find((thread) => thread.is(argument));
    const last = this.#current && isLeft(this.#current) ? this.#current : undefined;
    return this.#atCursor() ?? last ?? this.#threads.find(isLeft);
  }

  /** Marks a finding as being fixed, or ends that. */
  mark(thread: FindingThread, state: FindingThread["state"]): void {
    if (!this.#threads.includes(thread)) return;
    this.#current = thread;
    thread.state = state;
    this.#tellMenus();
  }

  remove(thread: FindingThread): void {
    const index = this.#threads.indexOf(thread);
    // The next one is then the one that followed.
    this.#current = this.#threads[index - 1];
    this.#threads = this.#threads.toSpliced(index, 1);
    thread.dispose();
    this.#tellMenus();
  }

  /** Goes to the finding after the given one or, without a button as the argument, after the one at the cursor. */
  async revealNext(argument: unknown): Promise<void> {
    const from = argument === undefined ? (this.#atCursor() ?? this.#current) : this.of(argument);
    const index = from ? this.#threads.indexOf(from) + 1 : 0;
    const next = [...this.#threads.slice(index), ...this.#threads.slice(0, index)].find(isLeft);
    if (next) await this.#reveal(next);
    else void window.showInformationMessage(l10n.t("There are no more findings."));
  }

  async revealFirst(): Promise<void> {
    const first = this.#threads.find(isLeft);
    if (first) await this.#reveal(first);
  }

  clear(): void {
    for (const thread of this.#threads) thread.dispose();
    this.#threads = [];
    this.#current = undefined;
    this.#tellMenus();
  }

  dispose(): void {
    for (const thread of this.#threads) thread.dispose();
    this.#listener.dispose();
    this.#controller.dispose();
  }

  #atCursor(): FindingThread | undefined {
    const editor = window.activeTextEditor;
    const line = editor?.selection.active.line ?? -1;
    const here = this.#threads.filter(
      (thread) =>
        isLeft(thread) &&
        thread.uri.toString() === editor?.document.uri.toString() &&
        thread.lines.start <= line &&
        line < thread.lines.end,
    );
    return here.find((thread) => thread === this.#current) ?? here[0];
  }

  async #reveal(thread: FindingThread): Promise<void> {
    this.#current = thread;
    thread.expand();
    const { start } = thread.range;
    const editor = await window.showTextDocument(thread.uri, { selection: new Range(start, start) });
    editor.revealRange(thread.range, TextEditorRevealType.InCenterIfOutsideViewport);
  }

  #follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    for (const thread of this.#threads) {
      if (thread.uri.toString() === document.uri.toString()) thread.follow(contentChanges);
    }
  }

  /** Updates the context key that shows the commands of a finding in the Command Palette. */
  #tellMenus(): void {
    void commands.executeCommand("setContext", `${prefix}.review.hasFindings`, this.#threads.some(isLeft));
  }
}

function isLeft({ state }: FindingThread): boolean {
  return state !== "fixed";
}
