import { type Comment, CommentMode, l10n, MarkdownString } from "vscode";
import { type CommandName, prefix } from "../manifest.ts";
import type { Answer, AnswerCommand, AnswerProgress } from "./answer.ts";
import type { EditProblem } from "./editBlock.ts";

/** A question as it stands in its thread: plain text, never Markdown. */
export function questionComment(question: string): Comment {
  return { author: { name: l10n.t("You") }, body: question, mode: CommentMode.Preview };
}

/** The place to type a question. VS Code puts the keyboard into it when it appears. */
export class InputComment implements Comment {
  readonly mode = CommentMode.Editing;
  readonly contextValue = "input";
  readonly author: { readonly name: string };
  body = "";

  constructor(invitation: string) {
    this.author = { name: invitation };
  }
}

/**
 * The last line of a thread: how far the answer is, in words, and what can be done now. While the answer grows, Stop is a
 * button above it: down here it would move away, and VS Code makes every link of a thread anew with each piece, so that
 * a click which a piece falls into is lost.
 */
export class StatusLine implements Comment {
  readonly mode = CommentMode.Preview;
  readonly contextValue = "status";
  readonly author: { readonly name: string };
  readonly body: MarkdownString | string;

  constructor(answer: Answer, canEdit: boolean) {
    this.author = { name: stateText(answer) };
    this.body = answer.isRunning ? "" : linksTo(actionsOf(answer, canEdit), answer);
  }

  /** VS Code never updates the author of a comment, so a status that differs is a new comment. */
  says(other: StatusLine): boolean {
    return this.author.name === other.author.name && textOf(this.body) === textOf(other.body);
  }
}

/** Nothing but the extension's own text, so its links may run commands, and only the extension's own. */
function linksTo(actions: readonly Action[], answer: Answer): MarkdownString {
  const argument = encodeURIComponent(JSON.stringify([answer.id]));
  const links = actions.map((name) => `[${titleOf(name, answer)}](command:${prefix}.${name}?${argument})`);
  const body = new MarkdownString(links.join("\u2002·\u2002"));
  body.isTrusted = { enabledCommands: actions.map((name) => `${prefix}.${name}`) };
  return body;
}

function textOf(body: MarkdownString | string): string {
  return typeof body === "string" ? body : body.value;
}

type Action = Extract<CommandName, `inlineChat.${AnswerCommand}`>;

const titles: Record<Action, () => string> = {
  "inlineChat.apply": () => l10n.t("Apply"),
  "inlineChat.showDiff": () => l10n.t("Show Diff"),
  "inlineChat.insertBelow": () => l10n.t("Insert Below"),
  "inlineChat.copy": () => l10n.t("Copy"),
  "inlineChat.askAgain": () => l10n.t("Ask Again"),
  "inlineChat.keep": () => l10n.t("Keep"),
  "inlineChat.undo": () => l10n.t("Undo"),
};

/** What can be done with the last answer, the most likely first. */
function actionsOf(answer: Answer, canEdit: boolean): readonly Action[] {
  if (answer.progress === "applied") return ["inlineChat.keep", "inlineChat.undo", "inlineChat.showDiff"];
  const actions: Action[] = [];
  if (canEdit && answer.replacement) actions.push("inlineChat.apply", "inlineChat.showDiff");
  if (canEdit && answer.insertable) actions.push("inlineChat.insertBelow");
  if (answer.text !== "") actions.push("inlineChat.copy");
  return [...actions, "inlineChat.askAgain"];
}

function titleOf(action: Action, { problem }: Answer): string {
  return action === "inlineChat.askAgain" && problem !== "" ? l10n.t("Retry") : titles[action]();
}

function stateText(answer: Answer): string {
  if (answer.progress === "done" && answer.edit.type === "problem") return problems[answer.edit.problem]();
  const text = states[answer.progress]();
  return answer.entry === "backup" ? l10n.t("{0} (backup entry)", text) : text;
}

const states: Record<AnswerProgress, () => string> = {
  asking: () => l10n.t("Asking…"),
  thinking: () => l10n.t("Thinking…"),
  answering: () => l10n.t("Answering…"),
  stopped: () => l10n.t("Stopped"),
  failed: () => l10n.t("Failed"),
  cutOff: () => l10n.t("Truncated"),
  done: () => l10n.t("Done"),
  applied: () => l10n.t("Applied"),
  kept: () => l10n.t("Kept"),
};

const problems: Record<EditProblem, () => string> = {
  several: () => l10n.t("Done, but the answer has several changes and cannot be applied"),
  open: () => l10n.t("Done, but the change is incomplete and cannot be applied"),
  fence: () => l10n.t("Done, but the change has no clear end and cannot be applied"),
  html: () => l10n.t("Done, but the change is inside HTML and cannot be applied"),
  tooLong: () => l10n.t("Done, but the answer is too long to show in full and cannot be applied"),
  unseen: () => l10n.t("Done, but the change contains invisible characters (marked ⟨U+…⟩) and cannot be applied"),
};

/** What VS Code hands over with a question: the reply box with its thread, or the input with the text as its body. */
export function readInput(argument: unknown): { readonly thread: unknown; readonly text: string } {
  if (argument instanceof InputComment) return { thread: argument, text: argument.body };
  const isReply = typeof argument === "object" && argument !== null && "thread" in argument && "text" in argument;
  return isReply ? { thread: argument.thread, text: String(argument.text) } : { thread: undefined, text: "" };
}
