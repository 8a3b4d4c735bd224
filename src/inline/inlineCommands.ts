import { l10n, Range, Uri } from "vscode";
import { openDocument } from "../ui/openDocument.ts";
import type { AnswerCommand, ChangeCommand } from "./answerActionTitles.ts";
import type { InlineChat } from "./inlineChat.ts";
import { allProblemsTarget } from "./problemQuestions.ts";
import type { FileTask, InlineTask } from "./registerCodeActions.ts";
import type { Target } from "./target.ts";

/** What the commands of inline chat need. */
export interface InlineServices {
  readonly inlineChat: InlineChat;
  /** The prompt for each task. */
  readonly taskPrompts: Readonly<Record<InlineTask, string>>;
}

type Command = (services: InlineServices, argument?: unknown) => Promise<void> | void;

/** The commands of inline chat. A button passes its thread or answer; otherwise the current one is used. */
export const inlineChatCommands = {
  inlineChat: ({ inlineChat, taskPrompts }, argument) => inlineChat.open(readTarget(argument, taskPrompts)),
  "inlineChat.send": ({ inlineChat }, argument) => inlineChat.send(argument),
  "inlineChat.cancel": ({ inlineChat }, argument) => {
    inlineChat.cancel(argument);
  },
  "inlineChat.stop": ({ inlineChat }, argument) => {
    inlineChat.stop(argument);
  },
  "inlineChat.apply": onAnswer("apply"),
  "inlineChat.showDiff": onAnswer("showDiff"),
  "inlineChat.insertBelow": onAnswer("insertBelow"),
  "inlineChat.replaceSelection": onAnswer("replaceSelection"),
  "inlineChat.copy": onAnswer("copy"),
  "inlineChat.askAgain": onAnswer("askAgain"),
  "inlineChat.showAnswer": onAnswer("showAnswer"),
  "inlineChat.fixNewProblems": onAnswer("fixNewProblems"),
  "inlineChat.keep": onAnswer("keep"),
  "inlineChat.undo": onAnswer("undo"),
  "inlineChat.keepAll": onAnswer("keepAll"),
  "inlineChat.undoAll": onAnswer("undoAll"),
  "inlineChat.nextChange": onAnswer("nextChange"),
  "inlineChat.previousChange": onAnswer("previousChange"),
  "inlineChat.close": ({ inlineChat }, argument) => {
    inlineChat.close(argument);
  },
} satisfies Record<string, Command>;

function onAnswer(command: AnswerCommand | ChangeCommand): Command {
  return ({ inlineChat }, argument) => inlineChat.act(command, argument);
}

const tasks: Record<InlineTask, () => string> = {
  explain: () => l10n.t("Explain this code."),
  fix: () => l10n.t("Fix this code."),
  tests: () => l10n.t("Write tests for this code."),
  doc: () => l10n.t("Document this code."),
};

const fixAll: FileTask = "fixAll";

/**
 * Reads the target from a command's argument. Code actions name a task and a range, always in an open document. For
 * another file, or without a range, only the input opens, so nothing is read or sent before the user asks.
 */
function readTarget(argument: unknown, prompts: Readonly<Record<InlineTask, string>>): Target {
  if (typeof argument !== "object" || argument === null || !("task" in argument)) return {};
  const { task } = argument;
  const document = "uri" in argument && argument.uri instanceof Uri ? openDocument(argument.uri) : undefined;
  const range = "range" in argument && argument.range instanceof Range ? argument.range : undefined;
  if (!document || !range) return {};
  if (task === fixAll) return allProblemsTarget(document, range) ?? {};
  if (!isTask(task)) return {};
  return { uri: document.uri, range, question: { shown: tasks[task](), prompt: prompts[task] } };
}

function isTask(value: unknown): value is InlineTask {
  return typeof value === "string" && Object.hasOwn(tasks, value);
}
