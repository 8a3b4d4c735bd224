import { l10n } from "vscode";
import type { FailedAction, Notice } from "../../failures/notice.ts";
import { UserError } from "../../failures/userError.ts";
import type { TextModel } from "../../gateway/models.ts";
import type { ChatRequest, EntryName, FinishReason, Gateway } from "../../gateway/types.ts";
import { unknownModel } from "../../settings/models.ts";
import type { Settings } from "../../settings/settings.ts";
import { maxInputTokensOf } from "../../settings/tokenLimits.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { maskParts } from "../../text/maskSecrets.ts";
import { quote } from "../../text/safeText.ts";
import type { TokenCounter } from "../../text/tokenCounter.ts";
import { type Answer, proposeFor } from "./answer.ts";
import { allTexts, type CodeTarget, pathOf, readCodeContext } from "../ask/document.ts";
import { outcomeOf } from "./decisions.ts";
import { buildMessages } from "../ask/prompt.ts";
import { readAnswer } from "./proposal.ts";
import { repair, type RepairTurn } from "./repair.ts";
import { outlineOf } from "../ask/target.ts";
import { RefreshThrottle, type TypingPauses } from "./refreshThrottle.ts";

/** Asks the question and fills in the answer. A failure is recorded in the answer, not thrown. */
export async function runAnswer(services: ThreadServices, run: AnswerRun): Promise<void> {
  const { answer, target, refresh } = run;
  answer.begin(allTexts(target.document), target.lines);
  refresh();
  const throttle = new RefreshThrottle(refresh, services.typing);
  try {
    await receive(services, run, throttle);
  } catch (error) {
    if (!run.isSuperseded()) fail(services, run, error);
  } finally {
    throttle.stop();
  }
}

export function inlineChatModel(settings: Settings): TextModel {
  const { inlineChatModel: id, models } = settings;
  const maxInputTokens = maxInputTokensOf(id, settings, unknownModel.maxInputTokens);
  return { ...(models.find((model) => model.id === id) ?? { id, name: quote(id), ...unknownModel }), maxInputTokens };
}

async function receive(services: AnswerServices, run: AnswerRun, throttle: RefreshThrottle): Promise<void> {
  const { answer, signal, refresh } = run;
  let entry: EntryName | undefined;
  let reason: FinishReason = "stop";
  const observe = ({ type }: { readonly type: "thinking" | "unresponsive" | "retrying" }): void => {
    if (answer.wait(type === "thinking" ? "thinking" : "asking")) refresh();
  };
  const { request, shown } = await requestOf(services, run);
  for await (const part of services.gateway.ask(request, signal, observe)) {
    if (part.type === "start") entry = part.entry;
    if (part.type === "finish") reason = part.reason;
    if (part.type !== "text") continue;
    answer.append(part.text);
    throttle.add(part.text.length);
  }
  if (reason === "length") answer.breakOff(l10n.t("truncated: the model reached its output limit"), entry);
  else if (reason === "contentFilter") answer.breakOff(l10n.t("stopped by the gateway's content filter"), entry);
  else await finish(services, run, { request, shown }, entry);
}

/** A request, and the lines of the document that it quotes. */
interface AskedRequest {
  readonly request: ChatRequest;
  readonly shown: LineRange;
}

/** Completes the answer with what it proposes, if need be after a second attempt. */
async function finish(
  services: AnswerServices,
  run: AnswerRun,
  { request, shown }: AskedRequest,
  entry: EntryName | undefined,
): Promise<void> {
  const { answer, now, signal } = run;
  const { id, maxInputTokens } = inlineChatModel(services.settings());
  const path = pathOf(now().document);
  const reading = readAnswer(answer.text, path);
  const first = proposeFor(now(), answer.asked, { reading });
  const turn: RepairTurn = {
    gateway: services.gateway,
    request,
    subject: { path, lines: answer.asked.document, shown },
    budget: services.tokens.room(id, maxInputTokens),
    signal,
    begin: () => {
      answer.adjust();
      run.refresh();
    },
    read: (text) => proposeFor(now(), answer.asked, { reading: readAnswer(text, path), first: reading }),
    report: (error) => {
      if (!run.isSuperseded()) services.notifier.report(error, failedAction(run));
    },
  };
  const proposal = (await repair(turn, first)) ?? first;
  if (!run.isSuperseded()) answer.finish(proposal, entry);
}

async function requestOf(
  { settings: currentSettings, tokens }: AnswerServices,
  { answer, target, earlier }: AnswerRun,
): Promise<AskedRequest> {
  const settings = currentSettings();
  const { id, name, maxInputTokens, reasoningEffort } = inlineChatModel(settings);
  const outline = target.scope === "cursor" ? await outlineOf(target.document) : [];
  const code = readCodeContext(target, answer.asked.document, outline);
  const exchanges = earlier
    .filter(({ text }) => text !== "")
    .map(({ question, text, proposal, applied, decisions, asked }) => {
      return {
        question: question.prompt,
        answer: proposal?.reading.text ?? text,
        outcome: outcomeOf(applied, decisions, maskParts(asked.document)),
      };
    });
  const prompt = buildMessages(code, answer.question.prompt, exchanges, tokens.room(id, maxInputTokens));
  if (prompt === undefined) throw new UserError("selectionTooLong", { subject: name });
  const { messages, shown } = prompt;
  return { request: { api: settings.chatApi, model: id, messages, reasoningEffort, feature: "inline" }, shown };
}

function fail({ notifier }: AnswerServices, run: AnswerRun, error: unknown): void {
  const { answer } = run;
  const notice = notifier.report(error, failedAction(run));
  if (notice) answer.breakOff(notice.text);
  else answer.stop();
}

function failedAction({ retry }: AnswerRun): FailedAction {
  return { name: "inline chat", keyGroup: "codex", retry, modelFrom: "inlineChat.model" };
}

/** The services an answer needs. */
export interface AnswerServices {
  readonly gateway: Pick<Gateway, "ask" | "preconnect">;
  readonly notifier: { report(error: unknown, operation: FailedAction): Pick<Notice, "text"> | undefined };
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
}

/** The services that conversations share. */
export interface ThreadServices extends AnswerServices {
  readonly typing: TypingPauses;
}

/** One run of a question, with the callbacks of its conversation. */
interface AnswerRun {
  readonly answer: Answer;
  readonly target: CodeTarget;
  /** The code as it is now: it may move while the answer arrives. */
  readonly now: () => CodeTarget;
  /** The answers before this one. */
  readonly earlier: readonly Answer[];
  readonly signal: AbortSignal;
  /** Updates the thread. */
  readonly refresh: () => void;
  /** Asks the question again. */
  readonly retry: () => Promise<void>;
  /** Whether a later run has taken over the answer, so that this one must not change it. */
  readonly isSuperseded: () => boolean;
}
