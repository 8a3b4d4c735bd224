import { env, l10n, Range, type TextDocument, Uri } from "vscode";
import { openDocument } from "../ui/openDocument.ts";
import { rangeOf } from "../ui/editors.ts";
import type { Target } from "./ask/document.ts";
import type { InlineChat } from "./inlineChat.ts";
import { linesAround, mostUrgent } from "../problems/diagnostics.ts";
import { isTask, type Task, taskPromptIn } from "../prompts/tasks.ts";
import { maxReplaced } from "./ask/prompt.ts";
import { fixableDiagnostics } from "./registerCodeActions.ts";
import { actionTitles, type AnswerCommand } from "./thread/threadComments.ts";

/** What the commands of inline chat need. */
export interface InlineServices {
  readonly inlineChat: InlineChat;
}

type Command = (services: InlineServices, argument?: unknown) => Promise<void> | void;

/** The commands of inline chat. A button passes its thread or answer; otherwise the current one is used. */
export const inlineChatCommands = {
  inlineChat: ({ inlineChat }, argument) => inlineChat.open(readTarget(argument)),
  "inlineChat.send": ({ inlineChat }, argument) => inlineChat.send(argument),
  "inlineChat.cancel": ({ inlineChat }, argument) => inlineChat.cancel(argument),
  "inlineChat.stop": ({ inlineChat }, argument) => inlineChat.stop(argument),
  "inlineChat.close": ({ inlineChat }, argument) => {
    inlineChat.close(argument);
  },
  ...answerCommands(),
} satisfies Record<string, Command>;

/** The commands on answers and their hunks. */
function answerCommands(): Readonly<Record<`inlineChat.${AnswerCommand}`, Command>> {
  const names = Object.keys(actionTitles) as readonly AnswerCommand[];
  const table = names.map((name): readonly [string, Command] => {
    return [`inlineChat.${name}`, ({ inlineChat }, argument) => inlineChat.act(name, argument)];
  });
  return Object.fromEntries(table) as Readonly<Record<`inlineChat.${AnswerCommand}`, Command>>;
}

const tasks: Record<Task, () => string> = {
  explain: () => l10n.t("Explain this code."),
  fix: () => l10n.t("Fix this code."),
  tests: () => l10n.t("Write tests for this code."),
  doc: () => l10n.t("Document this code."),
};

/**
 * Reads the target from a command's argument. Code actions name a task and a range, always in an open document. For
 * another file, or without a range, only the input opens, so nothing is read or sent before the user asks.
 */
function readTarget(argument: unknown): Target {
  if (typeof argument !== "object" || argument === null || !("task" in argument)) return {};
  const { task } = argument;
  const document = "uri" in argument && argument.uri instanceof Uri ? openDocument(argument.uri) : undefined;
  const range = "range" in argument && argument.range instanceof Range ? argument.range : undefined;
  if (!document || !range) return {};
  if (task === "fixAll") return allDiagnosticsTarget(document, range) ?? {};
  if (!isTask(task)) return {};
  return { uri: document.uri, range, question: { shown: tasks[task](), prompt: taskPromptIn(env.language, task) } };
}

/** Asks about all errors and warnings: about the lines around the most urgent if these are few, else about the file. */
function allDiagnosticsTarget(document: TextDocument, { start }: Range): Target | undefined {
  const problems = mostUrgent(fixableDiagnostics(document), start.line);
  if (problems.length === 0) return undefined;
  const { uri } = document;
  const shown = l10n.t("Fix all errors and warnings in this file.");
  const question = { shown, prompt: shown };
  const lines = linesAround(problems);
  return lines.end - lines.start <= maxReplaced
    ? { uri, range: rangeOf(document, lines), question }
    : { uri, range: new Range(start, start), isAboutFile: true, question };
}
