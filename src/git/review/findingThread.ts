import {
  type Comment,
  type CommentController,
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  type Disposable,
  l10n,
  MarkdownString,
  Range,
  type TextDocumentContentChangeEvent,
  type Uri,
} from "vscode";
import { type CommandName, prefix } from "../../manifest.ts";
import { type LineRange, shiftLines } from "../../text/lineRange.ts";
import { openDocument } from "../../ui/openDocument.ts";
import type { PlacedFinding } from "./finding.ts";
import { findingMarkdown, kindText } from "./findingTexts.ts";

/** What has become of a finding: a fix of it is asked for, or applied. */
type FindingState = "open" | "fixing" | "fixed";

/** A finding as a comment thread on its lines. */
export class FindingThread implements Disposable {
  readonly id = crypto.randomUUID();
  readonly finding: PlacedFinding;
  readonly uri: Uri;
  readonly #controller: CommentController;
  /** Its position in the review, for example `1 of 3`. */
  readonly #position: string;
  #lines: LineRange;
  #state: FindingState = "open";
  #thread: CommentThread | undefined;

  constructor(controller: CommentController, uri: Uri, finding: PlacedFinding, position: string) {
    this.#controller = controller;
    this.uri = uri;
    this.finding = finding;
    this.#position = position;
    this.#lines = finding.place;
    this.#show();
  }

  get lines(): LineRange {
    return this.#lines;
  }

  get state(): FindingState {
    return this.#state;
  }

  /** Hides a finding that is fixed, and brings it back when the fix is undone. */
  set state(state: FindingState) {
    if (state === this.#state) return;
    this.#state = state;
    this.#thread?.dispose();
    this.#thread = undefined;
    if (state !== "fixed") this.#show();
  }

  /** Whether a command's argument is this finding. */
  is(argument: unknown): boolean {
    return argument === this.id || (argument !== undefined && argument === this.#thread);
  }

  expand(): void {
    if (this.#thread) this.#thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
  }

  /** Moves with its lines when the document changes. */
  follow(changes: readonly TextDocumentContentChangeEvent[]): void {
    const before = this.#lines;
    for (const change of changes) this.#lines = shiftLines(this.#lines, change);
    const hasMoved = before.start !== this.#lines.start || before.end !== this.#lines.end;
    if (hasMoved && this.#thread) this.#thread.range = this.range;
  }

  get range(): Range {
    const { start, end } = this.#lines;
    const last = Math.max(start, end - 1);
    const document = openDocument(this.uri);
    const length = document && last < document.lineCount ? document.lineAt(last).text.length : 0;
    return new Range(start, 0, last, length);
  }

  dispose(): void {
    this.#thread?.dispose();
  }

  #show(): void {
    const isFixing = this.#state === "fixing";
    const comments: readonly Comment[] = [
      {
        author: { name: kindText(this.finding) },
        body: new MarkdownString(findingMarkdown(this.finding)),
        mode: CommentMode.Preview,
      },
      { author: { name: this.#status(isFixing) }, body: this.#links(isFixing), mode: CommentMode.Preview },
    ];
    const thread = this.#controller.createCommentThread(this.uri, this.range, comments);
    thread.canReply = false;
    thread.label = l10n.t("Codex Review");
    thread.contextValue = this.#state;
    // The answer with the fix opens below the same lines.
    thread.collapsibleState = CommentThreadCollapsibleState[isFixing ? "Collapsed" : "Expanded"];
    this.#thread = thread;
  }

  #status(isFixing: boolean): string {
    return isFixing ? l10n.t("{0} · Being fixed in inline chat", this.#position) : this.#position;
  }

  /** Links to the extension's own commands. Trusted, because the text contains nothing from outside. */
  #links(isFixing: boolean): MarkdownString {
    const argument = encodeURIComponent(JSON.stringify([this.id]));
    const links: readonly (readonly [CommandName, string])[] = [
      ["review.fix", isFixing ? l10n.t("Fix Again") : l10n.t("Fix")],
      ["review.dismiss", l10n.t("Dismiss")],
      ["review.next", l10n.t("Next")],
    ];
    const text = links.map(([name, title]) => `[${title}](command:${prefix}.${name}?${argument})`);
    const body = new MarkdownString(text.join("\u2002·\u2002"));
    body.isTrusted = { enabledCommands: links.map(([name]) => `${prefix}.${name}`) };
    return body;
  }
}
