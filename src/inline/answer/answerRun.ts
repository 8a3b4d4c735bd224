import { l10n } from "vscode";
import { buildRepairRequest } from "../../edits/repairPrompt.ts";
import type { Restore } from "../../edits/resolveEdits.ts";
import type { FailedAction, Notice } from "../../failures/notice.ts";
import { UserError } from "../../failures/userError.ts";
import type { TextModel } from "../../gateway/models.ts";
import type { ChatRequest, EntryName, FinishReason, Gateway, WaitingEvent } from "../../gateway/types.ts";
import { wholeAnswer } from "../../gateway/wholeAnswer.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import type { Settings } from "../../settings/settings.ts";
import { modelOf } from "../../settings/tokenLimits.ts";
import type { TokenCounter } from "../../prompts/tokenCounter.ts";
import { shownText } from "../../prompts/shownText.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { allTexts, type CodeTarget, denialOf, readCodeContext, requireSelected } from "../ask/document.ts";
import { buildMessages } from "../ask/prompt.ts";
import { type Answer, type Proposal, proposeFor } from "./answer.ts";
import { outcomeOf } from "./decisions.ts";
import { mergedAnswer, readAnswer, repairPromptFor } from "./proposal.ts";
import { RefreshThrottle, type TypingPauses } from "./refreshThrottle.ts";

/** The services that all conversations share. */
export interface ThreadServices {
  readonly gateway: Pick<Gateway, "ask" | "preconnect">;
  readonly notifier: { report(error: unknown, operation: FailedAction): Pick<Notice, "text"> | undefined };
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
  readonly secrets: WindowSecrets;
  readonly gate: Pick<FileGate, "denied">;
  readonly typing: TypingPauses;
}

/** The conversation of a question. */
export interface Conversation {
  /** The code as it is now: it may move while the answer arrives. */
  readonly target: CodeTarget;
  /** The same for all its requests. */
  readonly name: string;
  readonly refresh: () => void;
  answersBefore(answer: Answer): readonly Answer[];
  askAgain(answer: Answer): Promise<void>;
}

export function inlineChatModel(settings: Settings): TextModel {
  return modelOf(settings.inlineChatModel, settings);
}

/** One run of a question, which fills its answer in. */
interface AnswerRun {
  readonly services: ThreadServices;
  readonly conversation: Conversation;
  readonly answer: Answer;
  readonly signal: AbortSignal;
}

/** Asks a question. A failure is recorded in the answer, not thrown. */
export async function runAnswer(run: AnswerRun): Promise<void> {
  const { services, conversation, answer } = run;
  conversation.refresh();
  const throttle = new RefreshThrottle(conversation.refresh, services.typing);
  try {
    await receive(run, throttle);
  } catch (error) {
    const notice = report(run, error);
    if (notice) answer.breakOff(notice.text);
    else answer.stage = { phase: "stopped" };
  } finally {
    throttle.stop();
  }
}

async function receive(run: AnswerRun, throttle: RefreshThrottle): Promise<void> {
  const { services, conversation, answer, signal } = run;
  let entry: EntryName | undefined;
  let reason: FinishReason = "stop";
  const observe = ({ type }: WaitingEvent): void => {
    if (answer.text !== "") return;
    answer.stage = { phase: type === "thinking" ? "thinking" : "asking" };
    conversation.refresh();
  };
  const asked = await requestFor(run);
  for await (const part of services.gateway.ask(asked.request, signal, observe)) {
    if (part.type === "start") entry = part.entry;
    if (part.type === "finish") reason = part.reason;
    if (part.type !== "text") continue;
    answer.append(part.text);
    throttle.add(part.text.length);
  }
  if (reason === "length") answer.breakOff(l10n.t("truncated: the model reached its output limit"));
  else if (reason === "contentFilter") answer.breakOff(l10n.t("stopped by the gateway's content filter"));
  else answer.stage = { phase: "done", proposal: await proposalOf(run, asked) };
  answer.entry = entry;
}

/** A request about a file. */
interface CodeRequest {
  readonly request: ChatRequest;
  readonly path: string;
  /** What it quotes of the file, by its path. */
  readonly shown: ReadonlyMap<string, string>;
}

async function requestFor({ services, conversation, answer }: AnswerRun): Promise<CodeRequest> {
  const settings = services.settings();
  const { target } = conversation;
  const { id: model, name, maxInputTokens, reasoningEffort } = inlineChatModel(settings);
  answer.denial = await denialOf(services.gate, target);
  requireSelected(target, answer.denial);
  const sendsOnlyTarget = answer.denial !== undefined;
  const code = { ...(await readCodeContext(target, answer.texts, services.secrets)), sendsOnlyTarget };
  const exchanges = conversation
    .answersBefore(answer)
    .filter(({ text }) => text !== "")
    .map(({ question, text, proposal, hunks }) => ({
      question: question.prompt,
      answer: proposal?.reading.text ?? text,
      outcome: outcomeOf(hunks),
    }));
  const room = services.tokens.room(model, maxInputTokens);
  const prompt = buildMessages(code, answer.question.prompt, exchanges, room);
  if (prompt === undefined) throw new UserError("selectionTooLong", { subject: name });
  const { start, end } = prompt.shown;
  const { messages } = prompt;
  return {
    request: {
      api: settings.chatApi,
      model,
      messages,
      reasoningEffort,
      conversation: conversation.name,
      feature: "inline",
    },
    path: code.path,
    shown: new Map([[code.path, shownText([{ start, text: answer.texts.slice(start, end).join("\n") }])]]),
  };
}

/**
 * What a reading of the answer proposes for the current text or, if it does not fit that, for the text that the model has
 * read: the user may undo what prevents it.
 */
function proposedBy(
  { conversation: { target }, answer }: Pick<AnswerRun, "conversation" | "answer">,
  source: Pick<Proposal, "reading" | "first">,
): Proposal {
  const all = allTexts(target.document);
  const isThere = !source.reading.hasReplacement || answer.locate(all, target.lines) !== undefined;
  const now = isThere ? proposeFor(target, answer, source, all) : undefined;
  if (now && now.hunks.length > 0) return now;
  return proposeFor({ ...target, lines: answer.lines }, answer, source, answer.texts);
}

/** What the answer proposes, after a second request if necessary. */
async function proposalOf(run: AnswerRun, asked: CodeRequest): Promise<Proposal> {
  const restore: Restore = (line) => run.services.secrets.restore(line);
  const reading = readAnswer(run.answer.text, asked.path, restore);
  const first = proposedBy(run, { reading });
  const text = await requestRepair(run, asked, first);
  if (text === undefined) return first;
  const again = readAnswer(text, asked.path, restore);
  const second = [mergedAnswer(again, first), again].map((one) => proposedBy(run, { reading: one, first: reading }));
  return second.find(({ hunks }) => hunks.length > 0) ?? first;
}

/** Sends a repair request for edits that do not fit. `undefined` if that would not help, fails, or is stopped. */
async function requestRepair(
  run: AnswerRun,
  { request, shown }: CodeRequest,
  { reading, hunks, misfits }: Proposal,
): Promise<string | undefined> {
  const { services, conversation, answer, signal } = run;
  const isMisfit = hunks.length === 0 && misfits.length > 0;
  const prompt = isMisfit ? repairPromptFor(reading, shown, misfits) : undefined;
  if (prompt === undefined) return undefined;
  const { id, maxInputTokens } = inlineChatModel(services.settings());
  const second = buildRepairRequest(request, reading.text, prompt, services.tokens.room(id, maxInputTokens));
  if (second === undefined) return undefined;
  answer.stage = { phase: "retrying" };
  conversation.refresh();
  try {
    const { text, reason } = await wholeAnswer(services.gateway, [second, signal]);
    return reason === "stop" ? text : undefined;
  } catch (error) {
    report(run, error);
    return undefined;
  }
}

function report({ services, conversation, answer }: AnswerRun, error: unknown): Pick<Notice, "text"> | undefined {
  return services.notifier.report(error, {
    name: "inline chat",
    keyGroup: "codex",
    retry: () => conversation.askAgain(answer),
    modelFrom: "inlineChat.model",
  });
}
