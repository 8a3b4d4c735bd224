import { join } from "node:path";
import {
  CancellationError,
  commands,
  type Disposable,
  env,
  EventEmitter,
  extensions,
  l10n,
  type Range,
  Uri,
  window,
  workspace,
} from "vscode";
import { prefix, summaryScheme } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { splitLines } from "../../text/lines.ts";
import { quote } from "../../text/safeText.ts";
import { withProgressNotification } from "../../ui/withProgressNotification.ts";
import { chooseRepository } from "../gitExtension.ts";
import type { Repository } from "../repository.ts";
import type { ReportedFinding } from "./finding.ts";
import type { FindingThread } from "./findingThread.ts";
import { FindingThreads } from "./findingThreads.ts";
import { type Review, reviewChanges, type ReviewServices } from "./reviewChanges.ts";
import { resultText, summaryMarkdown } from "./reviewSummary.ts";

/** Asks inline chat about some lines. `applied` tells whether a change of the answer is in the file. */
type AskInline = (target: {
  readonly uri: Uri;
  readonly range: Range;
  readonly question: {
    readonly shown: string;
    readonly prompt: string;
    readonly applied: (isApplied: boolean) => void;
  };
}) => Promise<void>;

/** Reviews changes, and shows the last review. */
export class Reviews implements Disposable {
  readonly #services: Pick<Services, "gateway" | "settings" | "tokens" | "gate">;
  readonly #ask: AskInline;
  readonly #threads = new FindingThreads();
  readonly #summary = new SummaryDocument();
  #running: AbortController | undefined;
  #isOpen = false;

  constructor(services: Pick<Services, "gateway" | "settings" | "tokens" | "gate">, ask: AskInline) {
    this.#services = services;
    this.#ask = ask;
  }

  /** Reviews the changes of a repository. The former review stays until this one is complete. */
  async run(argument: unknown): Promise<void> {
    const repository = await chooseRepository(argument, l10n.t("Select the repository to review"));
    if (!repository) return;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    try {
      const review = await this.#review(repository, running.signal);
      if (this.#running === running) this.#show(review);
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** Asks inline chat for a fix. The finding goes when the fix is applied, and comes back when that is undone. */
  async fix(argument: unknown): Promise<void> {
    const thread = this.#threads.of(argument);
    if (!thread) return;
    this.#threads.mark(thread, "fixing");
    try {
      await this.#askForFix(thread);
    } catch (error) {
      // Its file may be gone, for example.
      this.#threads.mark(thread, "open");
      throw error;
    }
  }

  dismiss(argument: unknown): void {
    const thread = this.#threads.of(argument);
    if (thread) this.#threads.remove(thread);
  }

  async next(argument: unknown): Promise<void> {
    await this.#threads.revealNext(argument);
  }

  async showSummary(): Promise<void> {
    if (this.#isOpen) await this.#summary.show();
    else void window.showInformationMessage(l10n.t("There is no review to show."));
  }

  /** Removes all findings and the summary. */
  clear(): void {
    this.#threads.clear();
    this.#summary.update("");
    this.#setOpen(false);
  }

  dispose(): void {
    this.#running?.abort();
    this.#threads.dispose();
    this.#summary.dispose();
  }

  async #review(repository: Repository, signal: AbortSignal): Promise<Review> {
    const doing = l10n.t("Reviewing the changes in {0}", quote(repository.name));
    return await withProgressNotification(doing, async (progress) => {
      const either = AbortSignal.any([signal, progress.signal]);
      const services: ReviewServices = {
        ...this.#services,
        language: env.language,
        readLines: (path) => readLines(Uri.file(join(repository.root, path))),
        isClosed: async (path) => {
          // The user chose the repository, whose root may be above the folders of the workspace.
          const files = [Uri.file(join(repository.root, path))];
          return (await this.#services.gate.closed(files, { folder: Uri.file(repository.root) })).size > 0;
        },
        observe: progress.observe,
      };
      try {
        return await reviewChanges(services, repository, either);
      } catch (error) {
        if (either.aborted) throw new CancellationError();
        throw error;
      }
    });
  }

  async #askForFix(thread: FindingThread): Promise<void> {
    const { finding, uri } = thread;
    await window.showTextDocument(uri);
    const { start } = thread.range;
    const question = {
      shown: l10n.t("Fix: {0}", quote(finding.title)),
      prompt: fixPrompt(finding, start.line),
      applied: (isApplied: boolean) => {
        this.#threads.mark(thread, isApplied ? "fixed" : "open");
      },
    };
    // Empty, so that inline chat takes the whole symbol around it.
    await this.#ask({ uri, range: thread.range.with({ end: start }), question });
  }

  #show(review: Review): void {
    this.#threads.show(review);
    this.#summary.update(summaryMarkdown(review));
    this.#setOpen(true);
    void this.#announce(review);
  }

  async #announce(review: Review): Promise<void> {
    const goTo = l10n.t("Go to First");
    const showSummary = l10n.t("Show Summary");
    const buttons = [...(review.placed.length > 0 ? [goTo] : []), showSummary];
    const pressed = await window.showInformationMessage(resultText(review), ...buttons);
    if (pressed === goTo) await this.#threads.revealFirst();
    if (pressed === showSummary) await this.showSummary();
  }

  /** Updates the context key that shows the commands of a review in the Command Palette. */
  #setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    void commands.executeCommand("setContext", `${prefix}.review.isOpen`, isOpen);
  }
}

/** Asks inline chat to fix what a review has found. `line` is where the code stands now, from 0. */
function fixPrompt({ title, text }: Pick<ReportedFinding, "title" | "text">, line: number): string {
  return [
    `A review of the changes has found a problem at line ${line + 1}:`,
    title,
    ...(text === "" || text === title ? [] : [text]),
    "Fix it. Change only what the fix needs, and say in a sentence what was wrong. If it is no problem, say why.",
  ].join("\n\n");
}

async function readLines(uri: Uri): Promise<readonly string[] | undefined> {
  try {
    return splitLines((await workspace.openTextDocument(uri)).getText());
  } catch {
    // A staged file may be gone from the working tree, or be too large for an editor.
    return undefined;
  }
}

/** The summary of the last review, as a document that cannot be edited. */
class SummaryDocument implements Disposable {
  readonly #changed = new EventEmitter<Uri>();
  readonly #provider: Disposable;
  #text = "";

  constructor() {
    this.#provider = workspace.registerTextDocumentContentProvider(summaryScheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#text,
    });
  }

  /** Replaces the text, also where it is shown. */
  update(text: string): void {
    this.#text = text;
    this.#changed.fire(this.#uri);
  }

  /** Shows the rendered text, or its source if VS Code's Markdown extension is off. */
  async show(): Promise<void> {
    const canRender = extensions.getExtension("vscode.markdown-language-features") !== undefined;
    if (canRender) await commands.executeCommand("markdown.showPreview", this.#uri);
    else await window.showTextDocument(this.#uri);
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }

  get #uri(): Uri {
    return Uri.from({ scheme: summaryScheme, path: `/${l10n.t("Codex Review")}.md` });
  }
}
