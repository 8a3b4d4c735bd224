import { env, l10n, type ChatResult } from "vscode";
import type { ChatMessage, EntryName } from "../../gateway/types.ts";
import { participantId } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { estimateTokens } from "../../text/estimateTokens.ts";
import { fitContext, type FittedContext } from "../context/fitContext.ts";
import { gatherContext, type GatheredContext } from "../context/gatherContext.ts";
import { fitHistory, readHistory } from "../context/history.ts";
import { composeQuestion } from "../context/question.ts";
import { chooseModel } from "./chooseModel.ts";
import { closingLine } from "./closingLine.ts";
import { listNames, extensionLine } from "./extensionLines.ts";
import type { Turn } from "./turn.ts";
import { recordTurn } from "./turnRecord.ts";
import { waitingText } from "./waitingText.ts";

/** The part of a model's input that is planned for: estimates can be a little low. */
const safeShare = 0.85;

/** The part that earlier turns may take from attached files. */
const historyShare = 0.3;

/** Answers a question from a text model of the gateway. */
export async function answerQuestion(
  { gateway, settings }: Pick<Services, "gateway" | "settings">,
  { request, context, stream, token, signal }: Turn,
): Promise<ChatResult> {
  const { models, chatModel, chatApi } = settings();
  const { language } = env;
  const id = chooseModel(request.model, chatModel, models);
  const model = models.find((known) => known.id === id);
  const gathered = await gatherContext(request, context, token);
  if (composeQuestion({ prompt: request.prompt }, gathered.parts, language) === "") {
    stream.markdown(
      extensionLine("info", l10n.t("Ask a question, or open a file or attach one and say what to do with it.")),
    );
    return {};
  }
  for (const source of gathered.unasked) stream.reference(source);

  const exchanges = readHistory(context.history, participantId, language);
  const room = (model?.maxInputTokens ?? Infinity) * safeShare - estimateTokens(composeQuestion(request, [], language));
  const forHistory = Math.min(room * historyShare, tokensIn(exchanges.flatMap((turn) => [turn.question, turn.answer])));
  const fitted = fitContext(gathered.parts, room - forHistory);
  const history = fitHistory(exchanges, room - tokensIn(fitted.parts.map(({ text }) => text)));
  const question: ChatMessage = { role: "user", content: composeQuestion(request, fitted.parts, language) };

  const asked = { api: chatApi, model: id, messages: [...history, question] };
  const answer = gateway.ask(asked, signal, (event) => {
    stream.progress(waitingText(event));
  });
  let entry: EntryName | undefined;
  let isThinking = false;
  for await (const part of answer) {
    if (part.type === "start") entry = part.entry;
    if (part.type === "text") stream.markdown(part.text);
    if (part.type === "reasoning" && !isThinking) stream.progress(waitingText({ type: "thinking" }));
    isThinking ||= part.type === "reasoning";
    if (part.type !== "finish") continue;
    for (const note of notes(fitted, gathered, exchanges.length - history.length / 2)) {
      stream.markdown(extensionLine("info", note));
    }
    stream.markdown(closingLine(model?.name ?? id, entry, part.reason));
  }
  return recordTurn(request.command, gathered.editor);
}

/** What the answer does not build on although the user may think so, and what was sent that may be better kept. */
function notes(
  { shortened, leftOut }: FittedContext,
  { unreadable, secret, sentSecret, outside }: GatheredContext,
  forgotten: number,
): readonly string[] {
  return [
    ...(shortened.length > 0
      ? [l10n.t("For lack of room only the beginning was read of: {0}", listNames(shortened))]
      : []),
    ...(leftOut.length > 0 ? [l10n.t("For lack of room not read: {0}", listNames(leftOut))] : []),
    ...(unreadable.length > 0 ? [l10n.t("Cannot be read as text: {0}", listNames(unreadable))] : []),
    ...(secret.length > 0 ? [l10n.t("Not sent, as it may hold secrets: {0}", listNames(secret))] : []),
    ...(sentSecret.length > 0
      ? [l10n.t("Sent as you attached it, although it may hold secrets: {0}", listNames(sentSecret))]
      : []),
    ...(outside.length > 0
      ? [l10n.t("Not sent, as it is outside the workspace: {0}. Attach it to send it.", listNames(outside))]
      : []),
    ...(forgotten > 0 ? [l10n.t("For lack of room the beginning of this chat was left out.")] : []),
  ];
}

function tokensIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
