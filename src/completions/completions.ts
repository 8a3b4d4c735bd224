import {
  type CancellationToken,
  Disposable,
  type InlineCompletionContext,
  InlineCompletionItem,
  InlineCompletionTriggerKind,
  type InlineCompletionItemProvider,
  commands,
  type Position,
  Range,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { isAllowedEditor } from "./allowedEditor.ts";
import { BudgetCheck } from "./budgetCheck.ts";
import { CompletionAsker } from "./completionAsker.ts";
import type { Suggestion } from "./completionCache.ts";
import { CompletionNotices } from "./completionNotices.ts";
import type { CompletionPause } from "./completionPause.ts";
import { type CompletionState, CompletionStatus, wordsOf } from "./completionStatus.ts";
import { documentPlace } from "./documentPlace.ts";
import { ProviderRegistration } from "./providerRegistration.ts";

/** The command that VS Code runs when a suggestion is accepted, the only sign of it (VS Code 1.139). */
const acceptedCommand = `${prefix}.completions.accepted`;

/** How long the reason for no suggestion is shown, in milliseconds. */
const messageTime = 5_000;

/** Suggests code at the cursor while it exists. */
export class Completions implements InlineCompletionItemProvider {
  readonly #services: Services;
  readonly #pause: CompletionPause;
  readonly #asker: CompletionAsker;
  readonly #notices: CompletionNotices;
  readonly #budget: BudgetCheck;
  readonly #status = new CompletionStatus();
  readonly #registration: ProviderRegistration;
  readonly #disposables: Disposable;
  /** What VS Code was given last. */
  #offered: Suggestion | undefined;
  #isOverBudget = false;

  constructor(services: Services, pause: CompletionPause) {
    this.#services = services;
    this.#pause = pause;
    this.#notices = new CompletionNotices(services);
    this.#budget = new BudgetCheck(services);
    const show = (): void => {
      this.#showState();
    };
    this.#asker = new CompletionAsker(services, {
      onState: show,
      onFirstText: (latency) => {
        const { completionsMode, completionsModel } = services.settings();
        if (completionsMode === "automatic") void this.#notices.firstText(latency, completionsModel);
      },
      onRefused: (error) => {
        void this.#notices.refused(error).then((isOnAgain) => {
          if (isOnAgain) this.#asker.forget();
        });
      },
    });
    this.#registration = new ProviderRegistration(this);
    this.#disposables = Disposable.from(
      this.#registration,
      commands.registerCommand(acceptedCommand, () => {
        this.#accept();
      }),
      services.keys.onDidChange(() => {
        this.#asker.forget();
      }),
      workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(prefix)) return;
        this.#budget.forget();
        const isOther = ["baseUrl", "backupBaseUrl", "completions.model", "models", "chat.api"].some((name) =>
          change.affectsConfiguration(`${prefix}.${name}`),
        );
        if (isOther) this.#asker.forget();
        show();
      }),
      window.onDidChangeActiveTextEditor(show),
      pause.onDidChange(show),
      this.#status,
      this.#asker,
    );
    show();
    if (services.settings().completionsMode === "automatic") this.#registration.askForTyped();
  }

  async provideInlineCompletionItems(
    document: TextDocument,
    position: Position,
    context: InlineCompletionContext,
    token: CancellationToken,
  ): Promise<InlineCompletionItem[]> {
    const items = await this.#itemsAt(document, position, context, token);
    if (isInvoke(context) && items.length === 0) this.#registration.renew();
    return items;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #itemsAt(
    document: TextDocument,
    position: Position,
    context: InlineCompletionContext,
    token: CancellationToken,
  ): Promise<InlineCompletionItem[]> {
    const isInvoked = isInvoke(context);
    const selected = context.selectedCompletionInfo;
    const place = (await this.#isOnIn(document)) ? documentPlace(document, position) : undefined;
    if (place === undefined) {
      this.#asker.leave();
      return [];
    }
    const mayAsk = isInvoked || (await this.#mayAskUnasked(place.languageId));
    if (token.isCancellationRequested) return [];
    const text = mayAsk
      ? await this.#asker.suggest({ document, position, place, isInvoked }, token)
      : this.#asker.known(place);
    if (text === undefined || text === "") {
      if (isInvoked) this.#sayWhyNot();
      return [];
    }
    // A suggestion must begin with what is selected in VS Code's own list.
    const range = selected ? new Range(selected.range.start, position) : new Range(position, position);
    const whole = document.getText(range) + text;
    if (selected && !whole.startsWith(selected.text)) return [];
    this.#offered = { text, place };
    return [new InlineCompletionItem(whole, range, { command: acceptedCommand, title: "" })];
  }

  /** Whether a request may be made while the user types. */
  async #mayAskUnasked(languageId: string): Promise<boolean> {
    if (this.#services.settings().completionsMode !== "automatic") return false;
    if (!(await this.#notices.mayBeAutomatic(languageId))) return false;
    this.#isOverBudget = !(await this.#budget.allows());
    return !this.#isOverBudget;
  }

  async #isOnIn(document: TextDocument): Promise<boolean> {
    const { baseUrl, languagesWithoutCompletions } = this.#services.settings();
    if (baseUrl === "" || this.#pause.until !== undefined) return false;
    if (languagesWithoutCompletions.has(document.languageId)) return false;
    const editor = window.activeTextEditor;
    const hasCursor = editor?.document !== document || editor.selections.every(({ isEmpty }) => isEmpty);
    return hasCursor && (await isAllowedEditor(document));
  }

  #accept(): void {
    if (this.#offered) this.#asker.accepted(this.#offered.text, this.#offered.place);
    this.#offered = undefined;
  }

  /** Says in the status bar what keeps a suggestion away that was asked for. */
  #sayWhyNot(): void {
    // What else the status warns of keeps only those away that nobody asked for.
    const { silence } = this.#asker.governor;
    if (silence !== "limited" && silence !== "refused") return;
    const { text, detail } = wordsOf(this.#state());
    window.setStatusBarMessage(`${text}: ${detail}`, messageTime);
  }

  #showState(): void {
    this.#status.show(this.#state(), () => {
      this.#showState();
    });
  }

  #state(): CompletionState {
    const { completionsMode, completionsModel, completionsMaxPerHour, languagesWithoutCompletions } =
      this.#services.settings();
    const { silence, silentUntil } = this.#asker.governor;
    const languageId = window.activeTextEditor?.document.languageId;
    return {
      mode: completionsMode === "automatic" ? "automatic" : "onDemand",
      model: completionsModel,
      languageOff: languageId !== undefined && languagesWithoutCompletions.has(languageId) ? languageId : undefined,
      pausedUntil: this.#pause.until,
      isOverBudget: this.#isOverBudget,
      silence,
      silentUntil: silentUntil === undefined ? undefined : Date.now() + silentUntil - performance.now(),
      maxPerHour: completionsMaxPerHour,
    };
  }
}

/** Whether the user asks by a key. */
function isInvoke({ triggerKind }: InlineCompletionContext): boolean {
  return triggerKind === InlineCompletionTriggerKind.Invoke;
}
