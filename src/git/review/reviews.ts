import { commands, Disposable, env, EventEmitter, extensions, l10n, type Range, Uri, window, workspace } from "vscode";
import { prefix, summaryScheme } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { splitLines } from "../../text/lines.ts";
import { quote } from "../../text/safeText.ts";
import { withProgressNotification } from "../../ui/withProgressNotification.ts";
import type { Repository } from "../gitApi.ts";
import { chooseRepository } from "../gitExtension.ts";
import { nameOf } from "../repository.ts";
import type { ReportedFinding } from "./readFindings.ts";
import { FindingThreads } from "./findingThreads.ts";
import { type Review, reviewChanges, type ReviewServices } from "./reviewChanges.ts";
import { resultText, summaryMarkdown } from "./reviewSummary.ts";

/** Asks inline chat about some lines. `applied` is called when the change of its answer is applied or undone. */
type AskInline = (target: {
  readonly uri: Uri;
  readonly range: Range;
  readonly question: {
    readonly shown: string;
    readonly prompt: string;
    readonly applied: (isApplied: boolean) => void;
  };
}) => Promise<void>;

type ReviewsServices = Pick<Services, "gateway" | "settings" | "tokens" | "gate" | "secrets" | "notifier">;

/** Reviews changes, and shows the last review. */
export class Reviews implements Disposable {
  readonly #services: ReviewsServices;
  readonly #ask: AskInline;
  readonly threads = new FindingThreads();
  readonly #changed = new EventEmitter<Uri>();
  readonly #provider = workspace.registerTextDocumentContentProvider(summaryScheme, {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: () =>
      this.#review ? summaryMarkdown(this.#review, rootOfLinks(), (one) => this.threads.isFixed(one)) : "",
  });
  readonly #summaryUri = Uri.from({ scheme: summaryScheme, path: `/${l10n.t("Codex Review")}.md` });
  readonly #listener = this.threads.onDidChange(() => {
    this.#changed.fire(this.#summaryUri);
  });
  #review: Review | undefined;
  #running: AbortController | undefined;

  constructor(services: ReviewsServices, ask: AskInline) {
    this.#services = services;
    this.#ask = ask;
  }

  /** Reviews the changes of a repository. The previous review remains until this one is complete. */
  async run(argument: unknown): Promise<void> {
    const repository = await chooseRepository(argument, l10n.t("Select the repository to review"));
    if (!repository) return;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const review = await this.#runOn(repository, running.signal);
    if (this.#running !== running) return;
    this.#setReview(review);
    this.threads.show(review);
    void this.#announce(review);
  }

  /** Asks inline chat for a fix. The finding is hidden while the fix is applied. */
  async fix(argument: unknown): Promise<void> {
    const thread = this.threads.of(argument);
    if (!thread) return;
    const { finding, uri } = thread;
    // Inline chat opens below the same lines.
    this.threads.mark(thread, "line");
    try {
      await this.#services.secrets.noteAnswer(`${finding.title}\n${finding.text}`);
      await window.showTextDocument(uri);
      const { start } = thread.range;
      const question = {
        shown: l10n.t("Fix: {0}", quote(finding.title)),
        prompt: fixPrompt(finding, start.line),
        applied: (isApplied: boolean) => {
          this.threads.mark(thread, isApplied ? "fixed" : "open");
        },
      };
      // With an empty range, inline chat is about the whole symbol around it.
      await this.#ask({ uri, range: thread.range.with({ end: start }), question });
    } catch (error) {
      // For example, its file may have been deleted.
      this.threads.mark(thread, "open");
      throw error;
    }
  }

  /** Shows the rendered summary, or its source if VS Code's Markdown extension is off. */
  async showSummary(): Promise<void> {
    if (!this.#review) void window.showInformationMessage(l10n.t("There is no review to show."));
    else if (extensions.getExtension("vscode.markdown-language-features") === undefined) {
      await window.showTextDocument(this.#summaryUri);
    } else await commands.executeCommand("markdown.showPreview", this.#summaryUri);
  }

  clear(): void {
    this.threads.clear();
    this.#setReview(undefined);
  }

  dispose(): void {
    this.#running?.abort();
    Disposable.from(this.#listener, this.threads, this.#provider, this.#changed).dispose();
  }

  async #runOn(repository: Repository, signal: AbortSignal): Promise<Review> {
    const { rootUri: folder } = repository;
    const doing = l10n.t("Reviewing the changes in {0}", quote(nameOf(repository)));
    return await withProgressNotification(doing, async (progress) => {
      const services: ReviewServices = {
        ...this.#services,
        language: env.language,
        readLines: (path) => readLines(Uri.joinPath(folder, path)),
        isDenied: async (path) => {
          // The user chose the repository, whose root may be above the folders of the workspace.
          return (await this.#services.gate.denied([Uri.joinPath(folder, path)], { folder })).size > 0;
        },
        observe: progress.observe,
      };
      return await reviewChanges(services, repository, AbortSignal.any([signal, progress.signal]));
    });
  }

  async #announce(review: Review): Promise<void> {
    const goTo = { title: l10n.t("Go to First"), run: () => this.threads.revealAfter() };
    const focusPanel = "workbench.action.focusCommentsPanel";
    const showAll = { title: l10n.t("Show All"), run: () => commands.executeCommand(focusPanel) };
    const showSummary = { title: l10n.t("Show Summary"), run: () => this.showSummary() };
    const actions = [...(review.located.length > 0 ? [goTo, showAll] : []), showSummary];
    await this.#services.notifier.inform(resultText(review), ...actions);
  }

  /** Replaces the review and its summary, and updates the context key for its commands. */
  #setReview(review: Review | undefined): void {
    this.#review = review;
    this.#changed.fire(this.#summaryUri);
    void commands.executeCommand("setContext", `${prefix}.review.isOpen`, review !== undefined);
  }
}

/** The folder that links in a Markdown preview outside the workspace are relative to: the first one (seen in VS Code 1.139). */
function rootOfLinks(): string | undefined {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder?.scheme === "file" ? folder.fsPath : undefined;
}

/** The question for inline chat about a finding. `line` is the current line of the code, from 0. */
function fixPrompt({ title, text }: Pick<ReportedFinding, "title" | "text">, line: number): string {
  return [
    `A review of the changes has found a problem at line ${line + 1}:`,
    title,
    ...(text === "" || text === title ? [] : [text]),
    "Fix it. Change only what the fix needs, and say in a sentence what was wrong. If it is no problem, say why.",
  ].join("\n\n");
}

/** The lines of a file; none if it cannot be read. */
async function readLines(uri: Uri): Promise<readonly string[]> {
  try {
    return splitLines((await workspace.openTextDocument(uri)).getText());
  } catch {
    // A staged file may be missing from the working tree, or be too large for an editor.
    return [];
  }
}
