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
  type SelectedCompletionInfo,
  type TextDocument,
  type TextDocumentChangeEvent,
  window,
  workspace,
} from "vscode";
import { systemClock } from "../gateway/policy/clock.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import type { CursorContext } from "./cleaning/context.ts";
import { CompletionCache, type Suggestion } from "./completionCache.ts";
import { CompletionNotices } from "./completionNotices.ts";
import type { CompletionPause } from "./completionPause.ts";
import { completionQuestion, type Cursor, contextAt } from "./completionQuestion.ts";
import { type CompletionQuestion, CompletionSession, type RequestEnd } from "./completionSession.ts";
import { chooseCommand, type CompletionState, CompletionStatus, statusOf } from "./completionStatus.ts";
import { Composition } from "./composition.ts";
import { EditorGate } from "./editorGate.ts";
import { Governor } from "./governor.ts";
import { OtherCode } from "./otherCode.ts";
import { ProviderRegistration } from "./providerRegistration.ts";

/** The command that VS Code runs when a suggestion is accepted, the only sign of it (VS Code 1.139). */
const acceptedCommand = `${prefix}.completions.accepted`;

/** How long the status bar shows the reason for no suggestion, in milliseconds. */
const messageTime = 5_000;

/** The settings that make former answers and refusals obsolete. */
const sources = ["baseUrl", "backupBaseUrl", "completions.model", "models", "chat.api"];

/** Suggests code at the cursor: connects a session of completions with the gateway and the editors. */
export class Completions implements InlineCompletionItemProvider {
  readonly #services: Services;
  readonly #pause: CompletionPause;
  readonly #governor: Governor;
  readonly #session: CompletionSession;
  readonly #otherCode: OtherCode;
  readonly #gate: EditorGate;
  readonly #notices: CompletionNotices;
  readonly #registration: ProviderRegistration;
  readonly #disposables: Disposable;
  readonly #cache = new CompletionCache();
  readonly #composition = new Composition();
  readonly #status = new CompletionStatus();
  /** The cursors that a request may be about. */
  readonly #cursors = new WeakMap<CursorContext, Cursor>();
  /** The last suggestion given to VS Code. */
  #offered: Suggestion | undefined;
  #isOverBudget = false;

  constructor(services: Services, pause: CompletionPause) {
    this.#services = services;
    this.#pause = pause;
    this.#notices = new CompletionNotices(services);
    this.#otherCode = new OtherCode(services);
    this.#gate = new EditorGate(services.gate);
    this.#governor = new Governor({
      get mostPerHour() {
        return services.settings().completionsMaxPerHour;
      },
      now: () => performance.now(),
    });
    this.#session = new CompletionSession({
      governor: this.#governor,
      cache: this.#cache,
      clock: systemClock,
      ask: (question, signal) => this.#ask(question, signal),
      onEnd: this.#ended,
      isComposing: () => this.#composition.isUnderWay,
    });
    this.#registration = new ProviderRegistration(this);
    const checkAccess = async (): Promise<void> => {
      const document = window.activeTextEditor?.document;
      if (document) await this.#gate.allows(document);
      this.#showState();
    };
    this.#disposables = Disposable.from(
      this.#registration,
      this.#otherCode,
      this.#gate,
      this.#session,
      commands.registerCommand(acceptedCommand, () => {
        if (this.#offered) this.#session.accepted(this.#offered.text, this.#offered.context);
        this.#offered = undefined;
      }),
      commands.registerCommand(chooseCommand, async () => {
        await this.#notices.chooseSource();
        this.#showState();
      }),
      services.keys.onDidChange(this.#reset),
      workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(prefix)) return;
        if (sources.some((name) => change.affectsConfiguration(`${prefix}.${name}`))) this.#reset();
        this.#showState();
      }),
      workspace.onDidChangeTextDocument(this.#edited),
      window.onDidChangeActiveTextEditor(checkAccess),
      pause.onDidChange(this.#showState),
      this.#status,
    );
    void checkAccess();
    if (services.settings().completionsMode === "automatic") this.#registration.triggerForTyped();
  }

  async provideInlineCompletionItems(
    document: TextDocument,
    position: Position,
    { triggerKind, selectedCompletionInfo }: InlineCompletionContext,
    token: CancellationToken,
  ): Promise<InlineCompletionItem[]> {
    const isInvoked = triggerKind === InlineCompletionTriggerKind.Invoke;
    const items = await this.#itemsAt({ document, position, isUnasked: !isInvoked }, selectedCompletionInfo, token);
    if (isInvoked && items.length === 0) this.#registration.renew();
    return items;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #itemsAt(
    cursor: Cursor,
    selected: SelectedCompletionInfo | undefined,
    token: CancellationToken,
  ): Promise<InlineCompletionItem[]> {
    const { document, position, isUnasked } = cursor;
    const context = (await this.#isEnabledIn(document)) ? contextAt(document, position) : undefined;
    this.#session.moved(context);
    let text: string | undefined;
    if (context) {
      const allowsRequest = !isUnasked || (await this.#allowsUnasked(context.languageId));
      if (token.isCancellationRequested) return [];
      this.#cursors.set(context, cursor);
      text = allowsRequest
        ? await withSignal(token, (signal) => this.#session.suggest(context, signal, !isUnasked))
        : this.#cache.find(context);
    }
    this.#showState();
    if (context === undefined || text === undefined || text === "") {
      if (!isUnasked) this.#showReason();
      return [];
    }
    // A suggestion must begin with the text that is selected in VS Code's own list.
    const range = selected ? new Range(selected.range.start, position) : new Range(position, position);
    const whole = document.getText(range) + text;
    if (selected && !whole.startsWith(selected.text)) return [];
    this.#offered = { text, context };
    return [new InlineCompletionItem(whole, range, { command: acceptedCommand, title: "" })];
  }

  async *#ask(question: CompletionQuestion, signal: AbortSignal): AsyncGenerator<string, undefined> {
    const cursor = this.#cursors.get(question.context);
    if (cursor === undefined) return;
    const request = await completionQuestion(this.#services, this.#otherCode, { ...cursor, ...question });
    signal.throwIfAborted();
    if (request === undefined) return;
    for await (const part of this.#services.gateway.ask(request, signal)) if (part.type === "text") yield part.text;
  }

  readonly #ended = ({ outcome, latency, error }: RequestEnd): void => {
    const { completionsMode, completionsModel } = this.#services.settings();
    if (error !== undefined) this.#services.log.debug(`Completions: ${outcome}`);
    if (latency !== undefined && completionsMode === "automatic")
      void this.#notices.firstText(latency, completionsModel);
    if (outcome !== "refused" || error === undefined) return;
    void this.#notices.refused(error).then((isOnAgain) => {
      if (isOnAgain) this.#reset();
    });
  };

  /** Aborts a request that no longer fits at once: VS Code calls the provider only after a pause (50 ms in VS Code 1.139). */
  readonly #edited = ({ document, contentChanges: [change, ...more] }: TextDocumentChangeEvent): void => {
    if (change === undefined || document !== window.activeTextEditor?.document) return;
    const isOne = more.length === 0;
    this.#composition.note(isOne ? change : undefined);
    const end = document.positionAt(change.rangeOffset + change.text.length);
    this.#session.moved(isOne ? contextAt(document, end) : undefined);
  };

  /** Drops former answers and refusals after a change of the model, the entries or the key. */
  readonly #reset = (): void => {
    this.#session.moved(undefined);
    this.#cache.clear();
    this.#governor.reset();
    this.#showState();
  };

  /** Whether requests may be sent while the user types. */
  async #allowsUnasked(languageId: string): Promise<boolean> {
    if (this.#services.settings().completionsMode !== "automatic") return false;
    if (!(await this.#notices.allowsAutomatic(languageId))) return false;
    this.#isOverBudget = await this.#services.isOverBudget();
    return !this.#isOverBudget;
  }

  async #isEnabledIn(document: TextDocument): Promise<boolean> {
    const { baseUrl, languagesWithoutCompletions } = this.#services.settings();
    if (baseUrl === "" || this.#pause.until !== undefined) return false;
    if (languagesWithoutCompletions.has(document.languageId)) return false;
    const editor = window.activeTextEditor;
    const hasCursor = editor?.document !== document || editor.selections.every(({ isEmpty }) => isEmpty);
    return hasCursor && (await this.#gate.allows(document));
  }

  /** Shows in the status bar why there is no suggestion on demand. */
  #showReason(): void {
    // All other reasons hold only while typing.
    const state = this.#state();
    if (state.denial === undefined && state.silence !== "limited" && state.silence !== "refused") return;
    const { text, detail } = statusOf(state);
    window.setStatusBarMessage(`${text}: ${detail}`, messageTime);
  }

  readonly #showState = (): void => {
    this.#status.show(this.#state(), this.#showState);
  };

  #state(): CompletionState {
    const { completionsMode, completionsModel, completionsMaxPerHour, languagesWithoutCompletions } =
      this.#services.settings();
    const { silence, silentUntil } = this.#governor;
    const document = window.activeTextEditor?.document;
    const languageId = document?.languageId;
    return {
      mode: completionsMode === "automatic" ? "automatic" : "onDemand",
      model: completionsModel,
      languageOff: languageId !== undefined && languagesWithoutCompletions.has(languageId) ? languageId : undefined,
      denial: document && this.#gate.reasonOf(document),
      pausedUntil: this.#pause.until,
      isOverBudget: this.#isOverBudget,
      silence,
      silentUntil: silentUntil === undefined ? undefined : Date.now() + silentUntil - performance.now(),
      maxPerHour: completionsMaxPerHour,
      needsChoice: this.#notices.needsChoice,
      longPause: this.#governor.isSlowed ? this.#governor.pause() : undefined,
    };
  }
}
