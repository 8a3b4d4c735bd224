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
import { CompletionCache, pairs } from "./completionCache.ts";
import { CompletionNotices } from "./completionNotices.ts";
import type { CompletionSnooze } from "./completionSnooze.ts";
import { completionRequest, type Cursor, contextAt } from "./completionRequest.ts";
import {
  type RequestedCompletion,
  CompletionSession,
  type RequestEnd,
  type RequestTrigger,
} from "./completionSession.ts";
import { chooseCommand, type CompletionState, CompletionStatus, type Denial, statusOf } from "./completionStatus.ts";
import { Composition } from "./composition.ts";
import { EditorGate, isPlainEditorOf } from "./editorGate.ts";
import { Governor } from "./governor.ts";
import { OtherCode } from "./otherCode.ts";
import { ProviderRegistration } from "./providerRegistration.ts";

/** The command that VS Code runs when a suggestion is accepted, the only sign of it (VS Code 1.139). */
const acceptedCommand = `${prefix}.completions.accepted`;

/** How long the status bar shows the reason for no suggestion, in milliseconds. */
const messageTime = 5_000;

/** The settings that make earlier answers and refusals obsolete. */
const sources = [
  ...["baseUrl", "backupBaseUrl", "allowInsecureHttp", "certificateFile", "keyCommand"],
  ...["completions.model", "models", "chat.api"],
];

/** What completions need. */
interface CompletionsServices extends Pick<
  Services,
  "gate" | "isOverBudget" | "secrets" | "settings" | "state" | "tokens"
> {
  readonly gateway: Pick<Services["gateway"], "ask">;
  readonly keys: Pick<Services["keys"], "onDidChange">;
  readonly log: Pick<Services["log"], "debug">;
  readonly notifier: Pick<Services["notifier"], "inform" | "warn">;
}

/** Suggests code at the cursor: connects a session of completions with the gateway and the editors. */
export class Completions implements InlineCompletionItemProvider {
  readonly #services: CompletionsServices;
  readonly #snooze: CompletionSnooze;
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
  /** The code around the last cursor. */
  #last: { readonly key: string; readonly context: CursorContext | undefined } | undefined;
  /** The number of updates of the status, as an earlier one may take longer than the next. */
  #updates = 0;

  constructor(services: CompletionsServices, snooze: CompletionSnooze) {
    this.#services = services;
    this.#snooze = snooze;
    this.#notices = new CompletionNotices(services);
    this.#otherCode = new OtherCode(services);
    this.#gate = new EditorGate(services.gate);
    this.#governor = new Governor({
      get maxPerHour() {
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
    });
    this.#registration = new ProviderRegistration(this);
    this.#disposables = Disposable.from(
      this.#registration,
      this.#otherCode,
      this.#gate,
      this.#session,
      commands.registerCommand(acceptedCommand, () => {
        this.#session.accepted();
      }),
      commands.registerCommand(chooseCommand, async () => {
        await this.#notices.chooseSource();
        await this.#showState();
      }),
      services.keys.onDidChange(this.#reset),
      workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(prefix)) return;
        if (sources.some((name) => change.affectsConfiguration(`${prefix}.${name}`))) this.#reset();
        void this.#showState();
      }),
      workspace.onDidChangeTextDocument(this.#edited),
      window.onDidChangeActiveTextEditor(this.#showState),
      snooze.onDidChange(this.#showState),
      this.#status,
    );
    void this.#showState();
    if (services.settings().completionsMode === "automatic") this.#registration.triggerForTyped();
  }

  async provideInlineCompletionItems(
    document: TextDocument,
    position: Position,
    { triggerKind, selectedCompletionInfo }: InlineCompletionContext,
    token: CancellationToken,
  ): Promise<InlineCompletionItem[]> {
    const isAutomatic = triggerKind === InlineCompletionTriggerKind.Automatic;
    const items = await this.#itemsAt({ document, position, isAutomatic }, selectedCompletionInfo, token);
    if (!isAutomatic && items.length === 0) this.#registration.renew();
    return items;
  }

  dispose(): void {
    this.#updates += 1;
    this.#disposables.dispose();
  }

  async #itemsAt(
    cursor: Cursor,
    selected: SelectedCompletionInfo | undefined,
    token: CancellationToken,
  ): Promise<InlineCompletionItem[]> {
    const { document, position, isAutomatic } = cursor;
    const denial = await this.#denialIn(document, isAutomatic);
    const context =
      denial?.off === undefined && this.#canSuggestIn(document) ? this.#contextAt(document, position) : undefined;
    this.#session.moved(context);
    if (isAutomatic && document === window.activeTextEditor?.document) this.#show(denial);
    else void this.#showState();
    if (token.isCancellationRequested) return [];
    let text: string | undefined;
    if (context) {
      if (denial?.waits === "choice") void this.#notices.askForSource();
      this.#cursors.set(context, cursor);
      const request = denial === undefined ? this.#requestFor(isAutomatic) : "none";
      text = await withSignal(token, (signal) => this.#session.suggest(context, signal, request));
    }
    if (text === undefined) {
      if (!isAutomatic) await this.#showDenial(document);
      return [];
    }
    // A suggestion must begin with the text that is selected in VS Code's own list.
    const range = selected ? new Range(selected.range.start, position) : new Range(position, position);
    const whole = document.getText(range) + text;
    if (selected && !whole.startsWith(selected.text)) return [];
    return [new InlineCompletionItem(whole, range, { command: acceptedCommand, title: "" })];
  }

  async *#ask(question: RequestedCompletion, signal: AbortSignal): AsyncGenerator<string, undefined> {
    const cursor = this.#cursors.get(question.context);
    if (cursor === undefined) return;
    const request = await completionRequest(this.#services, this.#otherCode, { ...cursor, ...question });
    signal.throwIfAborted();
    if (request === undefined) return;
    for await (const part of this.#services.gateway.ask(request, signal)) if (part.type === "text") yield part.text;
  }

  readonly #ended = ({ outcome, latency, error }: RequestEnd): void => {
    const { completionsMode, completionsModel } = this.#services.settings();
    if (error !== undefined) this.#services.log.debug(`Completions: ${outcome}`);
    if (latency !== undefined && completionsMode === "automatic")
      void this.#notices.firstText(latency, completionsModel);
    void this.#showState();
    if (outcome === "refused" && error !== undefined) void this.#notices.refused(error, this.#reset);
  };

  /** Aborts a request that no longer fits at once: VS Code calls the provider only after a pause (50 ms in VS Code 1.139). */
  readonly #edited = ({ document, contentChanges: [change, ...more] }: TextDocumentChangeEvent): void => {
    if (change === undefined || document !== window.activeTextEditor?.document) return;
    const isOne = more.length === 0;
    this.#composition.note(isOne ? change : undefined);
    // The cursor is between the characters of a pair that the editor has completed, or of two line breaks between brackets.
    const broken = /^\r?\n[ \t]*(?=\r?\n[ \t]*$)/.exec(change.text)?.[0];
    const { length } = pairs.includes(change.text) ? " " : (broken ?? change.text);
    const end = document.positionAt(change.rangeOffset + length);
    this.#session.moved(isOne ? this.#contextAt(document, end) : undefined);
  };

  /** The code around a position, read once for each key: a change of the document comes before a call of the provider. */
  #contextAt(document: TextDocument, position: Position): CursorContext | undefined {
    const { uri, version } = document;
    const key = `${version} ${document.offsetAt(position)} ${uri.toString()}`;
    if (this.#last?.key !== key) this.#last = { key, context: contextAt(document, position) };
    return this.#last.context;
  }

  /** Drops earlier answers and refusals after a change of the model, the entries or the key. */
  readonly #reset = (): void => {
    this.#session.moved(undefined);
    this.#cache.clear();
    this.#governor.reset();
    void this.#showState();
  };

  /** The kind of request for a trigger. While an input method composes text, VS Code shows no suggestion (VS Code 1.139). */
  #requestFor(isAutomatic: boolean): RequestTrigger {
    if (!isAutomatic) return "onDemand";
    return this.#isAutomatic && !this.#composition.isActive ? "automatic" : "none";
  }

  /** Whether suggestions are shown in a document: only in the active editor, and not beside a selection. */
  #canSuggestIn(document: TextDocument): boolean {
    const editor = window.activeTextEditor;
    const hasCursor = editor?.document !== document || editor.selections.every(({ isEmpty }) => isEmpty);
    return this.#services.settings().baseUrl !== "" && hasCursor && isPlainEditorOf(document);
  }

  get #isAutomatic(): boolean {
    return this.#services.settings().completionsMode === "automatic";
  }

  /** Why there are no completions in a document, or none while the user types. What the user has decided comes first. */
  async #denialIn(document: TextDocument, isAutomatic: boolean): Promise<Denial | undefined> {
    const { isOverBudget, settings } = this.#services;
    const isTyping = isAutomatic && this.#isAutomatic;
    if (this.#snooze.until !== undefined) return { off: "snoozed" };
    if (settings().languagesWithoutCompletions.has(document.languageId)) return { off: "language" };
    const ofFile = await this.#gate.denial(document);
    if (ofFile !== undefined) return { off: ofFile };
    const { denial } = this.#governor;
    if (denial !== undefined && (isTyping || denial !== "hour")) return { waits: denial };
    if (isTyping && (await isOverBudget())) return { waits: "budget" };
    return isTyping && (await this.#notices.needsChoice(document.languageId)) ? { waits: "choice" } : undefined;
  }

  /** Shows in the status bar why there is no suggestion on demand. */
  async #showDenial(document: TextDocument): Promise<void> {
    const denial = await this.#denialIn(document, false);
    if (denial === undefined) return;
    const { text, detail } = statusOf(this.#stateWith(denial));
    window.setStatusBarMessage(`${text}: ${detail}`, messageTime);
  }

  readonly #showState = async (): Promise<void> => {
    this.#updates += 1;
    const update = this.#updates;
    const document = window.activeTextEditor?.document;
    const denial = document && (await this.#denialIn(document, true));
    if (update === this.#updates) this.#show(denial);
  };

  #show(denial: Denial | undefined): void {
    this.#updates += 1;
    this.#status.show(this.#stateWith(denial), () => void this.#showState());
  }

  #stateWith(denial: Denial | undefined): CompletionState {
    const { completionsMode, completionsModel, completionsMaxPerHour } = this.#services.settings();
    const { deniedUntil } = this.#governor;
    return {
      mode: completionsMode === "automatic" ? "automatic" : "onDemand",
      model: completionsModel,
      denial,
      languageId: window.activeTextEditor?.document.languageId ?? "",
      until:
        this.#snooze.until ?? (deniedUntil === undefined ? undefined : Date.now() + deniedUntil - performance.now()),
      maxPerHour: completionsMaxPerHour,
      longPause: this.#governor.isSlowed ? this.#governor.pause() : undefined,
    };
  }
}
