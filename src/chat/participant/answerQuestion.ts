import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  env,
  l10n,
} from "vscode";
import type { EntryName } from "../../gateway/types.ts";
import { participantId, vendor } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { maxInputTokensOf } from "../../settings/tokenLimits.ts";
import { findContext, type FileRules } from "../context/find/findContext.ts";
import { type FindContext, gatherContext } from "../context/gatherContext.ts";
import { readHistory } from "../context/history.ts";
import { planQuestion } from "../context/planQuestion.ts";
import { chosenEffort } from "../models/reasoningEffort.ts";
import { chooseModel } from "./chooseModel.ts";
import { closingLine, extensionLine, noteLine, waitingText } from "./extensionLines.ts";
import { recordTurn } from "./turnRecord.ts";

/** One chat turn. `signal` aborts when `token` is cancelled. */
interface Turn {
  readonly request: ChatRequest;
  readonly context: ChatContext;
  readonly stream: ChatResponseStream;
  readonly token: CancellationToken;
  readonly signal: AbortSignal;
}

/** Answers a question with a text model: gathers context, plans the request, sends it and streams the answer. */
export async function answerQuestion(
  { gateway, settings, tokens, ignored }: Pick<Services, "gateway" | "settings" | "tokens"> & FileRules,
  { request, context, stream, token, signal }: Turn,
): Promise<ChatResult> {
  const current = settings();
  const { models, chatModel, chatApi } = current;
  const { language } = env;
  const id = chooseModel(request.model, chatModel, models);
  const model = models.find((known) => known.id === id);
  const find: FindContext | undefined = current.findsContext
    ? (question, known) => findContext(question, { ignored, known, signal })
    : undefined;
  const gathered = await gatherContext(request, context, token, find);
  const plan = planQuestion({
    typed: request,
    gathered,
    exchanges: readHistory(context.history, participantId, language),
    budget: tokens.room(id, maxInputTokensOf(id, current, Infinity)),
    language,
  });
  if (plan === undefined) {
    stream.markdown(
      extensionLine("info", l10n.t("Ask a question, or open or attach a file and say what to do with it.")),
    );
    return {};
  }
  for (const source of gathered.unasked) stream.reference(source);

  // What the user configured in the picker is about the model selected there.
  const isPicked = request.model.vendor === vendor && request.model.id === id;
  const reasoningEffort = chosenEffort(isPicked ? request : {}, model?.reasoningEffort);
  const asked = { api: chatApi, model: id, messages: plan.messages, reasoningEffort, feature: "chat" };
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
    for (const note of plan.notes) stream.markdown(noteLine(note));
    stream.markdown(closingLine(model?.name ?? id, entry, part.reason));
  }
  return recordTurn(request.command, gathered.editor);
}
