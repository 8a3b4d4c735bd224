import type { Command } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import type { SettingName } from "../manifest.ts";

/** A command with its arguments, and a title if it differs from the action's. */
export type CommandCall = Required<Pick<Command, "command" | "arguments">> & Partial<Pick<Command, "title">>;

/** A button of a notification. */
export interface Action {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
  /** The equivalent command, if there is one: for a button in a chat. */
  readonly call?: CommandCall;
  /** Whether it retries what failed, which the command alone does not. */
  readonly retries?: boolean;
}

/** Remedies that only the operation itself provides. */
export type Remedy =
  | "square" // order the same image at the most reliable size
  | "saveElsewhere" // save the image in another folder
  | "orderAgain" // order the same image again
  | "discard"; // remove the stored link or image

/** The action that failed: its key group, and how to retry it. */
export interface FailedAction {
  /** Name for the log. */
  readonly name: string;
  readonly keyGroup: KeyGroup;
  readonly retry?: () => Promise<unknown>;
  /** The retry as a command, if there is one. */
  readonly retryCall?: CommandCall;
  readonly remedies?: Readonly<Partial<Record<Remedy, () => Promise<void>>>>;
  /** Whether a chat shows the full cause, so that the notification can be brief. */
  readonly isInChat?: boolean;
  /**
   * What determines the model: the setting of `@codex` (default), that of another feature, the Chat view's picker, or
   * VS Code's settings for titles and the like.
   */
  readonly modelFrom?: Extract<SettingName, `${string}.model`> | "picker" | "utility";
  /**
   * Set for VS Code's built-in chat, which extensions cannot retry (VS Code 1.139). `@codex` can be asked the question
   * instead, if it is known.
   */
  readonly builtInChat?: { readonly question: string | undefined };
}

/** A notification's text and actions. */
export interface Notice {
  readonly text: string;
  /** The cause in brief, for where the full text is already visible. */
  readonly brief: string;
  /** Actions, most useful first. */
  readonly actions: readonly Action[];
}

/** A failure of the client, with what its notice names. */
export interface Failure {
  readonly error: GatewayError;
  readonly operation: FailedAction;
  /** The entry that failed, or the gateway if the entry does not matter, at the beginning of a sentence. */
  readonly nameAtStart: string;
  /** The same in the middle of a sentence. */
  readonly name: string;
  /** Maximum length of the gateway's own message, in characters. */
  readonly maxMessage: number;
}

/** The texts and actions for a kind of failure. */
export interface Kind {
  /** The cause in one short sentence. */
  readonly cause: string;
  /** The same in a few words, for failures that concern an entry. */
  readonly label?: string | undefined;
  /** What to do. Without it and without actions, the failure is transient. */
  readonly advice?: string;
  /** Actions, most useful first. By default, those of `retryOrLog`. */
  readonly actions?: readonly Action[];
}
