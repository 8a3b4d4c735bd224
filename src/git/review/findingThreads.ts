import {
  CodeLens,
  type Comment,
  type CommentController,
  CommentMode,
  comments,
  type CommentThread,
  CommentThreadCollapsibleState,
  Disposable,
  EventEmitter,
  l10n,
  languages,
  MarkdownString,
  Range,
  StatusBarAlignment,
  type TextDocument,
  TextEditorRevealType,
  Uri,
  window,
  workspace,
} from "vscode";
import { type CommandName, prefix, reviewControllerId } from "../../manifest.ts";
import { crossesEnd, type DocumentChange, type LineRange, shiftLines } from "../../text/lineRange.ts";
import { hasText, splitLines } from "../../text/lines.ts";
import { quote } from "../../text/safeText.ts";
import { altKey, commandLinks, mainKey } from "../../ui/commandLink.ts";
import { ContextKeys } from "../../ui/contextKeys.ts";
import { openDocument } from "../../ui/openDocument.ts";
import { plainLine } from "../describeChanges.ts";
import { compact, type LocatedFinding } from "./locateFindings.ts";
import type { Review } from "./reviewChanges.ts";
import { findingMarkdown, kindText } from "./reviewSummary.ts";

/** An open finding is shown in full, one in the state `line` as a code lens, and a fixed one not at all. */
type FindingState = "open" | "line" | "fixed";

/** Number of findings that are shown in full at first. Each of the others has a code lens that opens it. */
const maxOpen = 3;

/** The findings of the last review, except those that were dismissed. */
export class FindingThreads implements Disposable {
  readonly #controller = comments.createCommentController(reviewControllerId, l10n.t("Codex Review"));
  readonly #changed = new EventEmitter<void>();
  /** Fires when a finding is shown, fixed, or removed. */
  readonly onDidChange = this.#changed.event;
  readonly #updateContextKeys = (): void => {
    this.#keys.set("review.isAtFinding", this.#atCursor() !== undefined);
  };
  readonly #listeners = Disposable.from(
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      for (const thread of this.#threadsIn(document)) thread.follow(document, contentChanges);
    }),
    // Its file may have changed while it was closed.
    workspace.onDidOpenTextDocument((document) => {
      for (const thread of this.#threadsIn(document)) thread.locate(document);
    }),
    window.onDidChangeTextEditorSelection(this.#updateContextKeys),
    window.onDidChangeActiveTextEditor(this.#updateContextKeys),
    languages.registerCodeLensProvider(
      { scheme: "file" },
      {
        onDidChangeCodeLenses: this.#changed.event,
        provideCodeLenses: (document) => this.#threadsIn(document).flatMap((thread) => thread.lens ?? []),
      },
    ),
  );
  readonly #keys = new ContextKeys();
  /** Leads to the findings once the notification about the review is closed. */
  readonly #status = window.createStatusBarItem(`${prefix}.review`, StatusBarAlignment.Left);
  #threads: readonly FindingThread[] = [];
  /** The finding that was used last. */
  #current: FindingThread | undefined;

  constructor() {
    this.#status.name = l10n.t("Codex Review");
    this.#status.command = `${prefix}.review.next`;
    this.#status.tooltip = l10n.t("Go to the next finding ({0})", `${altKey}F9`);
  }

  /** Shows the findings of a review in place of the previous ones. */
  show({ located, repository }: Pick<Review, "located" | "repository">): void {
    this.clear();
    this.#threads = located.map((finding, index) => {
      const uri = Uri.joinPath(repository.rootUri, finding.path);
      return new FindingThread(this.#controller, uri, finding, index < maxOpen ? "open" : "line");
    });
    this.#update();
  }

  /** The finding of a clicked button; without one, the finding at the cursor, or else the one used last. */
  of(argument: unknown): FindingThread | undefined {
    if (argument !== undefined) return this.#threads.find((thread) => thread.is(argument));
    const last = this.#current && isUnresolved(this.#current) ? this.#current : undefined;
    return this.#atCursor() ?? last ?? this.#threads.find(isUnresolved);
  }

  mark(thread: FindingThread, state: FindingState): void {
    if (!this.#threads.includes(thread)) return;
    this.#current = thread;
    thread.state = state;
    this.#update();
  }

  isFixed(finding: LocatedFinding): boolean {
    return this.#threads.some((thread) => thread.finding === finding && !isUnresolved(thread));
  }

  /** Removes a finding, and goes to the next one. */
  async dismiss(argument: unknown): Promise<void> {
    const thread = this.of(argument);
    if (!thread) return;
    const index = this.#threads.indexOf(thread);
    this.#current = this.#threads[index - 1];
    this.#threads = this.#threads.toSpliced(index, 1);
    thread.dispose();
    this.#update();
    await this.revealAfter(this.#current);
  }

  async open(argument: unknown): Promise<void> {
    const thread = this.of(argument);
    if (thread) await this.#reveal(thread);
  }

  /** Goes to the finding after that of a clicked button or, without one, after the finding at the cursor. */
  async revealNext(argument: unknown): Promise<void> {
    const from = argument === undefined ? (this.#atCursor() ?? this.#current) : this.of(argument);
    await this.revealAfter(from);
  }

  /** Goes to the finding after another one, or to the first. */
  async revealAfter(from?: FindingThread): Promise<void> {
    const index = from ? this.#threads.indexOf(from) + 1 : 0;
    const next = [...this.#threads.slice(index), ...this.#threads.slice(0, index)].find(isUnresolved);
    if (next) await this.#reveal(next);
    else void window.showInformationMessage(l10n.t("There are no more findings."));
  }

  clear(): void {
    for (const thread of this.#threads) thread.dispose();
    this.#threads = [];
    this.#current = undefined;
    this.#update();
  }

  dispose(): void {
    Disposable.from(...this.#threads, this.#listeners, this.#changed, this.#status, this.#controller).dispose();
  }

  #threadsIn({ uri }: Pick<TextDocument, "uri">): readonly FindingThread[] {
    return this.#threads.filter((thread) => isSameUri(thread.uri, uri));
  }

  #atCursor(): FindingThread | undefined {
    const { document, selection } = window.activeTextEditor ?? {};
    if (document === undefined || selection === undefined) return undefined;
    const { line } = selection.active;
    const here = this.#threadsIn(document).filter(
      (thread) => isUnresolved(thread) && thread.lines.start <= line && line < thread.lines.end,
    );
    return here.find((thread) => thread === this.#current) ?? here[0];
  }

  async #reveal(thread: FindingThread): Promise<void> {
    this.mark(thread, "open");
    const { start } = thread.range;
    const editor = await window.showTextDocument(thread.uri, { selection: new Range(start, start) });
    editor.revealRange(thread.range, TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Counts the unresolved findings, and updates what depends on them. */
  #update(): void {
    const unresolved = this.#threads.filter(isUnresolved);
    for (const thread of this.#threads)
      thread.update(l10n.t("{0} of {1}", unresolved.indexOf(thread) + 1, unresolved.length));
    this.#keys.set("review.hasFindings", unresolved.length > 0);
    this.#status.text = `$(comment) ${unresolved.length === 1 ? l10n.t("1 finding") : l10n.t("{0} findings", unresolved.length)}`;
    if (unresolved.length > 0) this.#status.show();
    else this.#status.hide();
    this.#updateContextKeys();
    this.#changed.fire();
  }
}

function isUnresolved({ state }: FindingThread): boolean {
  return state !== "fixed";
}

function isSameUri(one: Uri, other: Uri): boolean {
  return one.toString() === other.toString();
}

class FindingThread implements Disposable {
  readonly finding: LocatedFinding;
  readonly uri: Uri;
  readonly id = crypto.randomUUID();
  readonly #controller: CommentController;
  state: FindingState;
  lines: LineRange;
  #position = "";
  #thread: CommentThread | undefined;

  constructor(controller: CommentController, uri: Uri, finding: LocatedFinding, state: FindingState) {
    this.#controller = controller;
    this.uri = uri;
    this.finding = finding;
    this.state = state;
    this.lines = finding.lineRange;
  }

  /** Shows its state, in a new thread if that has changed, and its position among the unresolved findings, such as `1 of 3`. */
  update(position: string): void {
    this.#position = position;
    if (this.#thread?.contextValue === this.state) this.#thread.comments = this.#comments;
    else {
      this.dispose();
      this.#thread = this.state === "fixed" ? undefined : this.#newThread();
    }
  }

  get lens(): CodeLens | undefined {
    if (this.state !== "line") return undefined;
    const title = `$(comment) ${kindText(this.finding)}: ${quote(this.finding.title, 100)} · ${this.#position}`;
    return new CodeLens(this.range, { title, command: `${prefix}.review.open`, arguments: [this.id] });
  }

  /** Whether a command's argument is this finding. */
  is(argument: unknown): boolean {
    return argument === this.id || (argument !== undefined && argument === this.#thread);
  }

  follow(document: TextDocument, changes: readonly DocumentChange[]): void {
    const shifted = changes.reduce(shiftLines, this.lines);
    // What another program has changed is one change, from the first to the last line (`modelService.ts`, VS Code 1.139).
    if (changes.some((change) => crossesEnd(this.lines, change))) this.locate(document, shifted);
    else this.#move(shifted);
  }

  /** Moves to the nearest line with its code in a part of the file, if there is one. */
  locate(document: TextDocument, within: LineRange = { start: 0, end: document.lineCount }): void {
    const { start, end } = this.lines;
    const distance = (line: number): number => Math.abs(line - start);
    const found = splitLines(document.getText())
      .slice(within.start, within.end)
      .map((text) => compact(plainLine(text)))
      .flatMap((code, index) => (hasText(code) && code === this.finding.code ? [within.start + index] : []));
    const [nearest = start] = found.toSorted((one, other) => distance(one) - distance(other));
    const first = Math.max(within.start, Math.min(nearest, within.end - 1));
    this.#move({ start: first, end: Math.min(first + end - start, within.end) });
  }

  #move(lines: LineRange): void {
    const hasMoved = lines.start !== this.lines.start || lines.end !== this.lines.end;
    this.lines = lines;
    if (hasMoved && this.#thread) this.#thread.range = this.range;
  }

  get range(): Range {
    const { start, end } = this.lines;
    const last = Math.max(start, end - 1);
    const document = openDocument(this.uri);
    const length = document && last < document.lineCount ? document.lineAt(last).text.length : 0;
    return new Range(start, 0, last, length);
  }

  dispose(): void {
    this.#thread?.dispose();
  }

  get #comments(): readonly Comment[] {
    const mode = CommentMode.Preview;
    return [
      { author: { name: kindText(this.finding) }, body: new MarkdownString(findingMarkdown(this.finding)), mode },
      { author: { name: this.#position }, body: linksFor(this.id), mode },
    ];
  }

  #newThread(): CommentThread {
    const thread = this.#controller.createCommentThread(this.uri, this.range, this.#comments);
    thread.canReply = false;
    thread.label = l10n.t("Codex Review");
    thread.contextValue = this.state;
    thread.collapsibleState = CommentThreadCollapsibleState[this.state === "open" ? "Expanded" : "Collapsed"];
    return thread;
  }
}

function linksFor(id: string): MarkdownString {
  const links: readonly (readonly [CommandName, string, string])[] = [
    ["review.fix", l10n.t("Fix"), `${mainKey}K Q`],
    ["review.dismiss", l10n.t("Dismiss"), `${mainKey}K X`],
    ["review.next", l10n.t("Next"), `${altKey}F9`],
  ];
  return commandLinks(
    links.map(([name, title, key]) => ({ title: `${title} (${key})`, command: `${prefix}.${name}`, arguments: [id] })),
  );
}
