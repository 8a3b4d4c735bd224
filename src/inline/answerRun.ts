import { l10n } from "vscode";
import type { FailedAction } from "../failures/notice.ts";
import { UserError } from "../failures/userError.ts";
import type { TextModel } from "../gateway/models.ts";
import type { EntryName, FinishReason } from "../gateway/types.ts";
import { unknownModel } from "../settings/models.ts";
import type { Settings } from "../settings/settings.ts";
import { maxInputTokensOf } from "../settings/tokenLimits.ts";
import { maskParts } from "../text/maskSecrets.ts";
import { quote } from "../text/safeText.ts";
import type { AnswerRun, AnswerServices, ThreadServices } from "./answerServices.ts";
import { allTexts, readCodeContext } from "./documentCode.ts";
import { readProposal } from "./documentProposal.ts";
import { outcomeOf } from "./outcome.ts";
import { buildMessages } from "./prompt.ts";
import { RefreshThrottle } from "./refreshThrottle.ts";
import { repair, type RepairTurn } from "./repair.ts";
import { outlineOf } from "./target.ts";

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
type AskedRequest = Pick<RepairTurn, "request" | "shown">;

/** Completes the answer with what it proposes, if need be after a second attempt. */
async function finish(
  services: AnswerServices,
  run: AnswerRun,
  asked: AskedRequest,
  entry: EntryName | undefined,
): Promise<void> {
  const { answer, now } = run;
  const { id, maxInputTokens } = inlineChatModel(services.settings());
  const first = readProposal(now(), answer);
  const report = (error: unknown): void => {
    if (!run.isSuperseded()) services.notifier.report(error, failedAction(run));
  };
  const turn = { run, ...asked, budget: services.tokens.room(id, maxInputTokens), report };
  const proposal = (await repair(services, turn, first)) ?? first;
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
        answer: proposal.source || text,
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
