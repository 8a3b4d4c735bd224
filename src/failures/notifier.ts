import { CancellationError, type LogOutputChannel, window } from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";
import { commandLink } from "../ui/commandLink.ts";
import { errorText } from "../ui/errorText.ts";
import { failureLine } from "../ui/logLines.ts";
import { showMessage } from "../ui/showMessage.ts";
import type { Action, FailedAction, Notice } from "./notice.ts";
import { noticeOf } from "./notices.ts";

/** Time within which identical failures count as one, in milliseconds. */
const duplicateWindow = 3_000;

/**
 * Delay before the failure of a utility request, such as for a title, is shown, in milliseconds. Its question fails for the
 * same cause, which is shown once, with the question's actions.
 */
const utilityDelay = 2_500;

type Log = Pick<LogOutputChannel, "debug" | "warn" | "error">;

/** A failure that was already logged and shown, on its way to the chat. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
  readonly notice: Notice;

  constructor(notice: Notice, cause: unknown) {
    super(notice.text, { cause });
    this.notice = notice;
  }
}

/** Shows messages and failures to the user, and logs the failures. */
export class Notifier {
  readonly #log: Log;
  readonly #now: () => number;
  /** When each cause was shown, by its text. */
  readonly #shownAt = new Map<string, number>();

  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** Runs an operation and returns its result. On failure, logs and shows it and resolves to `undefined`. */
  async run<T>(operation: FailedAction, work: () => Thenable<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.report(error, operation);
      return undefined;
    }
  }

  /** Shows a message and runs the chosen action. Resolves when that is done or the message is closed. */
  async inform(text: string, ...actions: readonly Action[]): Promise<void> {
    await this.runAction(await showMessage("Information", text, ...actions));
  }

  /** Shows a warning and runs the chosen action. */
  async warn(text: string, ...actions: readonly Action[]): Promise<void> {
    await this.runAction(await showMessage("Warning", text, ...actions));
  }

  /** Runs an action. On failure, logs and shows it, with a retry. */
  async runAction(action: Action | undefined, keyGroup: KeyGroup = "codex"): Promise<void> {
    const retry = (): Promise<void> => this.runAction(action, keyGroup);
    if (action) await this.run({ name: action.title, keyGroup, retry }, action.run);
  }

  /** Logs a failure, shows it unless the same one was just shown, and returns its notice; `undefined` for a cancel. */
  report(error: unknown, operation: FailedAction): Notice | undefined {
    if (error instanceof CancellationError || (error instanceof Error && error.name === "AbortError")) return undefined;
    if (error instanceof ReportedFailure) return error.notice;
    this.#write(error, operation);
    const notice = noticeOf(error, operation);
    const cause = `${operation.keyGroup} ${notice.brief}`;
    const show = (): void => {
      if (!this.#isRecent(cause)) void this.#show(notice, cause, operation);
    };
    if (operation.modelFrom !== "utility") show();
    else if (!this.#isRecent(cause)) setTimeout(show, utilityDelay).unref();
    return notice;
  }

  #isRecent(cause: string): boolean {
    return this.#now() - (this.#shownAt.get(cause) ?? -Infinity) < duplicateWindow;
  }

  async #show(notice: Notice, cause: string, operation: FailedAction): Promise<void> {
    this.#shownAt.set(cause, this.#now());
    const { text, brief, actions } = notice;
    const { isInChat = false, builtInChat } = operation;
    const chosen =
      isInChat && !builtInChat
        ? await window.showErrorMessage(...transient(notice))
        : await showMessage("Error", isInChat ? brief : text, ...actions);
    // Once the user has responded, the same failure is shown again.
    this.#shownAt.delete(cause);
    await this.runAction(chosen, operation.keyGroup);
  }

  #write(error: unknown, { name }: FailedAction): void {
    if (error instanceof GatewayError) {
      for (const failure of [...error.attempts, error]) {
        this.#log.warn(failureLine(name, failure));
        // Logged at debug level, because it may quote the prompt.
        if (failure.gatewayMessage !== undefined) this.#log.debug(`${name}: ${quote(failure.gatewayMessage, 400)}`);
      }
      return;
    }
    this.#log.error(errorText(error));
    if (error instanceof Error && error.cause instanceof Error) this.#log.error(errorText(error.cause));
  }
}

/** Maximum length of a link in a notification, in characters: VS Code shows about 1,000 in all (1.139). */
const maxLink = 600;

/**
 * A notification that disappears by itself, over a chat that has all actions. The first action is a link: with buttons, the
 * notification would cover the chat's input until it is closed (VS Code 1.139). Only a retry of the question is a button.
 */
function transient({ brief, actions: [action] }: Notice): [text: string, ...buttons: Action[]] {
  if (action?.retries) return [brief, action];
  const link = action?.call ? commandLink({ title: action.title, ...action.call }) : "";
  return [link === "" || link.length > maxLink ? brief : `${brief} ${link}`];
}
