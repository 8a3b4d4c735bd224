import { type Comment, CommentMode, l10n, MarkdownString } from "vscode";
import { prefix } from "../manifest.ts";
import type { Answer } from "./answer.ts";
import { actionTitles, type AnswerAction } from "./answerActionTitles.ts";
import type { AnswerProgress } from "./answerProgress.ts";
import { hunksLeft } from "./outcome.ts";
import { problemTexts } from "./problemTexts.ts";
import { sizeOf } from "./shownChange.ts";
import type { CodeTarget } from "./codeTarget.ts";

/** A question in its thread, as plain text. */
export function questionComment(question: string): Comment {
  return { author: { name: l10n.t("You") }, body: question, mode: CommentMode.Preview };
}

/** An input for a question. VS Code focuses a comment in editing mode when it appears (seen in VS Code 1.139). */
export class InputComment implements Comment {
  readonly mode = CommentMode.Editing;
  readonly contextValue = "input";
  readonly author: { readonly name: string };
  body = "";

  constructor(invitation: string) {
    this.author = { name: invitation };
  }
}

/** What the actions of an answer depend on. */
export type StatusTarget = Pick<CodeTarget, "canEdit" | "scope" | "selected">;

/**
 * The status line at the end of a thread, with the available actions. While an answer streams, Stop is a button at the
 * top instead: here it would move, and VS Code re-renders all links with each update, so a click during an update would
 * be lost (seen in VS Code 1.139).
 */
export class StatusLine implements Comment {
  readonly mode = CommentMode.Preview;
  readonly contextValue = "status";
  readonly author: { readonly name: string };
  readonly body: MarkdownString | string;

  /** `isShrunk` if it is all that the thread shows. */
  constructor(answer: Answer, target: StatusTarget, isShrunk = false) {
    const actions = actionsOf(answer, target);
    this.author = { name: stateText(answer) };
    this.body = answer.isRunning ? "" : linksTo(isShrunk ? shrunkActions(answer) : actions, answer);
  }

  /**
   * Whether two statuses look the same. A different one needs a new comment, because VS Code does not update a
   * comment's author (`CommentNode.update` in VS Code's commentNode.ts).
   */
  says(other: StatusLine): boolean {
    return this.author.name === other.author.name && textOf(this.body) === textOf(other.body);
  }
}

/** Links to the extension's own commands. Trusted, because the text contains nothing from outside. */
function linksTo(actions: readonly AnswerAction[], answer: Answer): MarkdownString {
  const argument = encodeURIComponent(JSON.stringify([answer.id]));
  const links = actions.map((name) => `[${titleOf(name, answer)}](command:${prefix}.${name}?${argument})`);
  const body = new MarkdownString(links.join("\u2002·\u2002"));
  body.isTrusted = { enabledCommands: actions.map((name) => `${prefix}.${name}`) };
  return body;
}

function textOf(body: MarkdownString | string): string {
  return typeof body === "string" ? body : body.value;
}

function shrunkActions(answer: Answer): readonly AnswerAction[] {
  return [...(answer.progress === "applied" ? appliedActions(answer) : []), "inlineChat.showAnswer"];
}

function appliedActions({ newProblems }: Answer): readonly AnswerAction[] {
  const fix = newProblems.length > 0 ? (["inlineChat.fixNewProblems"] as const) : [];
  return ["inlineChat.keepAll", "inlineChat.undoAll", "inlineChat.showDiff", ...fix];
}

/** The actions for the last answer, most likely first. */
function actionsOf(answer: Answer, target: StatusTarget): readonly AnswerAction[] {
  const { canEdit } = target;
  if (answer.progress === "applied") return appliedActions(answer);
  const actions: AnswerAction[] = [];
  if (canEdit && answer.change) actions.push("inlineChat.apply", "inlineChat.showDiff");
  if (canEdit && answer.insertable) actions.push("inlineChat.insertBelow");
  if (canReplace(answer, target)) actions.push("inlineChat.replaceSelection");
  if (answer.text !== "") actions.push("inlineChat.copy");
  return [...actions, "inlineChat.askAgain"];
}

/** Whether the only block of an answer, which has no mark, may take the place of the selected lines. */
export function canReplace(answer: Answer, { canEdit, scope, selected }: StatusTarget): boolean {
  const isWhole = scope === "selection" && selected === undefined;
  return (
    canEdit &&
    isWhole &&
    answer.proposal.edit.type === "none" &&
    answer.progress === "done" &&
    answer.insertable !== undefined
  );
}

function titleOf(action: AnswerAction, { problem, decisions }: Answer): string {
  if (action === "inlineChat.askAgain" && problem !== "") return l10n.t("Retry");
  const isOnly = decisions.filter((decision) => decision === "open").length === 1;
  if (isOnly && action === "inlineChat.keepAll") return actionTitles["inlineChat.keep"]();
  if (isOnly && action === "inlineChat.undoAll") return actionTitles["inlineChat.undo"]();
  return actionTitles[action]();
}

function stateText(answer: Answer): string {
  const text = states[answer.progress](answer);
  const left = answer.isApplied ? hunksLeft(answer.applied, answer.decisions) : [];
  const size = left.length > 0 ? `${sizeOf(left)} · ` : "";
  return size + (answer.entry === "backup" ? l10n.t("{0} (backup entry)", text) : text);
}

function doneText({ proposal: { edit } }: Answer): string {
  const [problem] = edit.type === "none" ? [] : edit.problems;
  return problem ? problemTexts[problem.kind]() : l10n.t("Done");
}

/** The state of an applied answer, with the number of problems that came with it. */
function appliedText({ length }: readonly unknown[]): string {
  if (length === 0) return l10n.t("Applied");
  return length === 1 ? l10n.t("Applied · 1 new problem") : l10n.t("Applied · {0} new problems", length);
}

const states: Record<AnswerProgress, (answer: Answer) => string> = {
  asking: () => l10n.t("Asking…"),
  thinking: () => l10n.t("Thinking…"),
  answering: () => l10n.t("Answering…"),
  adjusting: () => l10n.t("Adjusting the edit…"),
  stopped: () => l10n.t("Stopped"),
  failed: () => l10n.t("Failed"),
  cutOff: () => l10n.t("Truncated"),
  done: doneText,
  applied: ({ newProblems }) => appliedText(newProblems),
  kept: () => l10n.t("Kept"),
  partlyKept: () => l10n.t("Partly kept"),
};

/** Reads the argument that VS Code passes with a question: the reply box with its thread, or the input comment. */
export function readInput(argument: unknown): { readonly thread: unknown; readonly text: string } {
  if (argument instanceof InputComment) return { thread: argument, text: argument.body };
  const isReply = typeof argument === "object" && argument !== null && "thread" in argument && "text" in argument;
  return isReply ? { thread: argument.thread, text: String(argument.text) } : { thread: undefined, text: "" };
}
