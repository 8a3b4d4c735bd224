import type { Command } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";

/** A command of VS Code's or an extension's, with its arguments; with a title where an action has another name as a command. */
export type CommandCall = Required<Pick<Command, "command" | "arguments">> & Partial<Pick<Command, "title">>;

/** A button of a notification. */
export interface Action {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
  /** The same as a command, where it is no more than one: for a button in a chat. */
  readonly call?: CommandCall;
  /** It only shows what is known, and remedies nothing. */
  readonly isLog?: boolean;
}

/** Ways out that only the operation itself knows. */
export type Remedy =
  | "square" // orders the same image at the most reliable size
  | "saveElsewhere" // saves the image in another folder
  | "orderAgain" // orders the same image once more
  | "forget"; // gives up what was kept

/** What failed: whose key it used, and how to do it again where that makes sense. */
export interface FailedAction {
  /** For the log. */
  readonly name: string;
  readonly keyGroup: KeyGroup;
  readonly retry?: () => Promise<unknown>;
  /** The retry as a command, where it is one. */
  readonly retryCall?: CommandCall;
  readonly remedies?: Readonly<Partial<Record<Remedy, () => Promise<void>>>>;
  /** Shown in a chat: the whole cause stands there, so that a notification is short. */
  readonly isInChat?: boolean;
  /** What decides which model was asked: the setting of `@codex` by default, that of inline chat, or the Chat view's picker. */
  readonly modelFrom?: "chat.model" | "inlineChat.model" | "picker";
  /** A chat of VS Code's own, which lets no extension retry: the question, where it is known, can be put to `@codex`. */
  readonly builtInChat?: { readonly question: string | undefined };
}

/** What a notification says, and what the user can do about it. */
export interface Notice {
  readonly text: string;
  /** The cause in a few words, for where the text stands in view already. */
  readonly brief: string;
  /** The most useful first. */
  readonly actions: readonly Action[];
}

/** What to do about a failure, in words and as buttons, the most useful first. */
export interface Help {
  readonly advice: string;
  readonly actions: readonly Action[];
}

/** Whom a sentence is about: an entry, or the gateway where it does not matter which. */
export interface Culprit {
  /** At the beginning of a sentence. */
  readonly subject: string;
  /** In the middle of one. */
  readonly object: string;
  readonly isEntry: boolean;
  /** How much of the gateway's own words there is room for, in characters. */
  readonly room: number;
}

/** What is wrong, in one short sentence. */
export type Cause = (error: GatewayError, culprit: Culprit, keyGroup: KeyGroup) => string;
