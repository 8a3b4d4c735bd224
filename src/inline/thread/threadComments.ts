import {
  type Command,
  type Comment,
  CommentMode,
  l10n,
  type MarkdownString,
  type TextDocument,
  workspace,
} from "vscode";
import { inlineControllerId, prefix } from "../../manifest.ts";
import type { Answer, AnswerProgress } from "../answer/answer.ts";
import { isUndecided } from "../../apply/hunks.ts";
import { sizeOf } from "../answer/shownAnswer.ts";
import type { Misfit } from "../answer/proposal.ts";
import type { CodeTarget } from "../ask/document.ts";
import { denialTexts } from "../../reading/fileGate.ts";
import { hunkCommandTitles } from "../../hunks/hunkCommands.ts";
import { commandLinks, mainKey } from "../../ui/commandLink.ts";
import { refusalTexts } from "../../apply/refusalTexts.ts";

/** A question in its thread, as plain text. */
export function questionComment(question: string): Comment {
  return { author: { name: l10n.t("You") }, body: question, mode: CommentMode.Preview };
}

/** An input for a question. VS Code focuses a comment in editing mode when it appears (seen in VS Code 1.139). */
export class InputComment implements Comment {
  readonly mode = CommentMode.Editing;
  readonly contextValue = "input";
  readonly author: { readonly name: string };
  body: string;

  constructor(authorName: string, body = "") {
    this.author = { name: authorName };
    this.body = body;
  }
}

/** Whether VS Code opened a document for an input, or for the reply box of a thread (`CommentNode`, `CommentReply`, 1.139.1). */
export function isInputDocument({ uri }: TextDocument): boolean {
  return uri.scheme === "comment" && uri.authority === "";
}

/** Whether a reply box has text, which VS Code drops with the box. */
export function hasReply(): boolean {
  const boxes = workspace.textDocuments.filter(({ uri }) => uri.scheme === "comment" && uri.authority !== "");
  return boxes.some(
    (box) => box.uri.authority.toLowerCase() === inlineControllerId.toLowerCase() && box.getText() !== "",
  );
}

/** What the actions of an answer depend on. */
export type StatusTarget = Pick<CodeTarget, "canEdit" | "scope" | "selected" | "lines">;

/**
 * The status line at the end of a thread, with the available actions. While an answer streams, Stop is a button at the
 * top instead: here it would move, and VS Code re-renders all links with each update, so a click during an update would
 * be lost (seen in VS Code 1.139).
 */
export class StatusLine implements Comment {
  readonly mode = CommentMode.Preview;
  readonly contextValue = "status";
  readonly author: { readonly name: string };
  readonly body: MarkdownString;

  /** `isShrunk` if it is all that the thread shows. */
  constructor(answer: Answer, target: StatusTarget, isShrunk = false) {
    const linkOf = (name: AnswerCommand): Command => ({
      title: titleOf(name, answer, target),
      command: commandOf(name),
      arguments: [answer.id],
    });
    this.author = { name: stateText(answer) };
    this.body = commandLinks(actionsOf(answer, target, isShrunk).map(linkOf));
  }

  /** Whether two statuses look the same. Another one needs a new comment: VS Code never updates an author (`CommentNode.update`). */
  equals(other: StatusLine): boolean {
    return this.author.name === other.author.name && this.body.value === other.body.value;
  }
}

/** The actions for the last answer, most likely first. */
function actionsOf(answer: Answer, target: StatusTarget, isShrunk: boolean): readonly AnswerCommand[] {
  const { canEdit } = target;
  const actions: AnswerCommand[] = [];
  if (answer.isRunning) return actions;
  const isOpen = answer.progress === "applied";
  if (isOpen) actions.push("keepAll", "undoAll", "showDiff");
  if (isOpen && answer.newDiagnostics.length > 0) actions.push("fixNewProblems");
  if (isShrunk) actions.push("showAnswer");
  if (isOpen || isShrunk) return actions;
  if (canEdit && answer.change) actions.push("apply", "showDiff");
  if (canEdit && answer.insertable) actions.push("insertBelow");
  if (canReplace(answer, target)) actions.push("replaceSelection");
  if (answer.text !== "") actions.push("copy");
  return [...actions, "askAgain"];
}

/** Whether the only block of an answer, which is not marked as a replacement, may replace the target lines. */
export function canReplace(answer: Answer, { canEdit, selected }: StatusTarget): boolean {
  return (
    canEdit && selected === undefined && answer.isPlain && answer.progress === "done" && answer.insertable !== undefined
  );
}

function titleOf(action: AnswerCommand, { failure, hunks }: Answer, { lines, scope }: StatusTarget): string {
  if (action === "replaceSelection" && scope !== "selection") {
    return lines.end - lines.start === 1
      ? l10n.t("Replace Line {0}", lines.end)
      : l10n.t("Replace Lines {0} to {1}", lines.start + 1, lines.end);
  }
  if (action === "askAgain" && failure !== "") return l10n.t("Retry");
  const isOnly = hunks.filter(isUndecided).length === 1;
  const shown = isOnly ? (singleHunkCommands[action] ?? action) : action;
  const key = keys[shown];
  return key === undefined ? actionTitles[shown]() : `${actionTitles[shown]()} (${mainKey}${key})`;
}

/** Commands on all hunks, with those that replace them if there is only one hunk. */
const singleHunkCommands: Partial<Record<AnswerCommand, AnswerCommand>> = { keepAll: "keep", undoAll: "undo" };

/** The keys in package.json after Ctrl or Cmd. */
const keys: Partial<Record<AnswerCommand, string>> = {
  apply: "Enter",
  keep: "K Y",
  undo: "K N",
  keepAll: "K Shift+Y",
  undoAll: "K Shift+N",
};

function stateText(answer: Answer): string {
  const { denial } = answer;
  const state = states[answer.progress](answer);
  const showsDenial = denial !== undefined && answer.text !== "" && !answer.isRunning && !answer.isApplied;
  const text = showsDenial
    ? `${state} · ${denialTexts[denial]()} ${l10n.t("Only the selected lines were sent.")}`
    : state;
  const remaining = answer.hunks.filter(({ state }) => state !== "undone");
  const size = answer.isApplied ? `${sizeOf(remaining.map(({ before, after: lines }) => ({ before, lines })))} · ` : "";
  return size + (answer.entry === "backup" ? l10n.t("{0} (backup entry)", text) : text);
}

const states: Record<AnswerProgress, (answer: Answer) => string> = {
  asking: () => l10n.t("Asking… (Esc stops)"),
  thinking: () => l10n.t("Thinking… (Esc stops)"),
  answering: () => l10n.t("Answering… (Esc stops)"),
  retrying: () => l10n.t("Adjusting the edit…"),
  stopped: () => l10n.t("Stopped"),
  failed: () => l10n.t("Failed"),
  cutOff: () => l10n.t("Truncated"),
  done: ({ proposal }) => {
    const [misfit] = proposal?.misfits ?? [];
    if (!misfit) return l10n.t("Done");
    // The misfits are of other files, because one of this file would leave no hunks.
    if (proposal && proposal.hunks.length > 0)
      return l10n.t("Done. To change the other files, too, use @codex /edit in the Chat view.");
    return misfitText(misfit) ?? l10n.t("Done, and the code already matches the answer");
  },
  applied: ({ newDiagnostics: { length } }) => {
    if (length === 0) return l10n.t("Applied");
    return length === 1 ? l10n.t("Applied · 1 new problem") : l10n.t("Applied · {0} new problems", length);
  },
  accepted: () => l10n.t("Kept"),
  partlyAccepted: () => l10n.t("Partly kept"),
};

/** Reads the argument that VS Code passes with a question: the reply box with its thread, or the input comment. */
export function readInput(argument: unknown): { readonly thread: unknown; readonly text: string } {
  if (argument instanceof InputComment) return { thread: argument, text: argument.body };
  const isReply = typeof argument === "object" && argument !== null && "thread" in argument && "text" in argument;
  return isReply ? { thread: argument.thread, text: String(argument.text) } : { thread: undefined, text: "" };
}

/** Kinds of edits that have nothing left to change. */
const isDone: ReadonlySet<Misfit["kind"]> = new Set(["noChange", "alreadyApplied"]);

/** Why an answer's edit cannot be applied, as the status of its thread; `undefined` if nothing is left to apply. */
export function misfitText({ kind }: Misfit): string | undefined {
  if (isDone.has(kind)) return undefined;
  const isElsewhere = kind === "otherFile" || kind === "unknownFile";
  const reason = isElsewhere
    ? l10n.t("The answer changes another file. Use @codex /edit in the Chat view for that.")
    : refusalTexts[kind]();
  return l10n.t("Done, but the change cannot be applied. {0}", reason);
}

/** The titles of links in threads. They are short: the answer is beside them. */
export const actionTitles = {
  apply: () => l10n.t("Apply"),
  showDiff: () => l10n.t("Show Diff"),
  insertBelow: () => l10n.t("Insert Below"),
  replaceSelection: () => l10n.t("Replace Selection"),
  copy: () => l10n.t("Copy"),
  askAgain: () => l10n.t("Ask Again"),
  showAnswer: () => l10n.t("Show Answer"),
  fixNewProblems: () => l10n.t("Fix"),
  ...hunkCommandTitles,
} satisfies Record<string, () => string>;

/** A command about an answer or its applied hunks. */
export type AnswerCommand = keyof typeof actionTitles;

/** The name of a command in the manifest. */
function commandOf(command: AnswerCommand): `${typeof prefix}.inlineChat.${AnswerCommand}` {
  return `${prefix}.inlineChat.${command}`;
}
