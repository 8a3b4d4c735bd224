import { l10n } from "vscode";
import type { FailedAction, Notice } from "../failures/notice.ts";
import { UserError } from "../failures/userError.ts";
import type { TextModel } from "../gateway/models.ts";
import type { ChatRequest, EntryName, FinishReason, Gateway } from "../gateway/types.ts";
import { unknownModel } from "../settings/models.ts";
import type { Settings } from "../settings/settings.ts";
import { maxInputTokensOf } from "../settings/tokenLimits.ts";
import { quote } from "../text/safeText.ts";
import type { TokenCounter } from "../text/tokenCounter.ts";
import type { Answer } from "./answer.ts";
import { allTexts, readCodeContext, textsOf } from "./documentCode.ts";
import { fenceFor, readEdit } from "./editBlock.ts";
import { isUnique } from "./locate.ts";
import { buildMessages } from "./prompt.ts";
import { RefreshThrottle } from "./refreshThrottle.ts";
import type { CodeTarget } from "./target.ts";

/** The services an answer needs. */
export interface AnswerServices {
  readonly gateway: Pick<Gateway, "ask" | "preconnect">;
  readonly notifier: { report(error: unknown, operation: FailedAction): Pick<Notice, "text"> | undefined };
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
}

/** One run of a question, with the callbacks of its conversation. */
export interface AnswerRun {
  readonly answer: Answer;
  readonly target: CodeTarget;
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

/** Asks the question and fills in the answer. A failure is recorded in the answer, not thrown. */
export async function runAnswer(services: AnswerServices, run: AnswerRun): Promise<void> {
  const { answer, target, refresh } = run;
  const code = textsOf(target.document, target.lines);
  answer.begin(code, isUnique(allTexts(target.document), code));
  refresh();
  const throttle = new RefreshThrottle(refresh);
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
  const { answer, target, signal, refresh } = run;
  let entry: EntryName | undefined;
  let reason: FinishReason = "stop";
  const observe = ({ type }: { readonly type: "thinking" | "unresponsive" | "retrying" }): void => {
    if (answer.wait(type === "thinking" ? "thinking" : "asking")) refresh();
  };
  for await (const part of services.gateway.ask(requestOf(services, run), signal, observe)) {
    if (part.type === "start") entry = part.entry;
    if (part.type === "finish") reason = part.reason;
    if (part.type !== "text") continue;
    answer.append(part.text);
    throttle.add(part.text.length);
  }
  if (reason === "length") answer.breakOff(l10n.t("truncated: the model reached its output limit"), entry);
  else if (reason === "contentFilter") answer.breakOff(l10n.t("stopped by the gateway's content filter"), entry);
  else answer.finish(readEdit(answer.text, fenceFor(answer.code, target.document.languageId), answer.code), entry);
}

function requestOf(
  { settings: currentSettings, tokens }: AnswerServices,
  { answer, target, earlier }: AnswerRun,
): ChatRequest {
  const settings = currentSettings();
  const { id, name, maxInputTokens, reasoningEffort } = inlineChatModel(settings);
  const code = readCodeContext(target.document, target.lines, target);
  const exchanges = earlier
    .filter(({ text }) => text !== "")
    .map(({ question, text }) => ({ question: question.prompt, answer: text }));
  const messages = buildMessages(code, answer.question.prompt, exchanges, tokens.room(id, maxInputTokens));
  if (messages === undefined) throw new UserError("selectionTooLong", { subject: name });
  return { api: settings.chatApi, model: id, messages, reasoningEffort };
}

function fail({ notifier }: AnswerServices, { answer, retry }: AnswerRun, error: unknown): void {
  const action = { name: "inline chat", keyGroup: "codex", retry, modelFrom: "inlineChat.model" } as const;
  const notice = notifier.report(error, action);
  if (notice) answer.breakOff(notice.text);
  else answer.stop();
}
