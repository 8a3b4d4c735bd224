import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  env,
  l10n,
  workspace,
} from "vscode";
import { readEdits } from "../../edits/read/readEdits.ts";
import type { ChatRequest as TextRequest, EntryName } from "../../gateway/types.ts";
import { vendor } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { chooseModel } from "../../settings/models.ts";
import { modelOf } from "../../settings/tokenLimits.ts";
import { gatherContext } from "../context/gatherContext.ts";
import { type Note, planQuestion } from "../context/planQuestion.ts";
import { askedLines, canEdit, prepareEdits, diagnosticsPart } from "../edit/editTurn.ts";
import { manageTrust } from "../edit/editView.ts";
import { type EditAnswer, type EditServices, offerEdits } from "../edit/offerEdits.ts";
import { PlanStream, restOf } from "../edit/planStream.ts";
import { chosenEffort } from "../models/modelInformation.ts";
import { closingLine, extensionLine, noteLines, imagesDropped, waitingText } from "../context/extensionLines.ts";
import { readHistory, recordTurn } from "../context/turnRecord.ts";

/** One chat turn. `signal` aborts when `token` is cancelled. */
interface Turn {
  readonly request: Pick<ChatRequest, "command" | "model" | "prompt" | "references">;
  readonly context: Pick<ChatContext, "history">;
  readonly stream: Pick<ChatResponseStream, "button" | "markdown" | "progress" | "reference">;
  readonly token: CancellationToken;
  readonly signal: AbortSignal;
  /** The name of the conversation. */
  readonly conversation: string;
}

/** What answering a question needs. */
export interface AnswerServices extends Pick<Services, "settings" | "tokens" | "secrets"> {
  readonly gateway: Pick<Services["gateway"], "ask">;
  readonly edits: Omit<EditServices, "gateway" | "secrets">;
}

/** Answers a question with a text model: gathers context, plans the request, sends it and streams the answer. */
export async function answerQuestion(
  { gateway, settings, tokens, edits, secrets }: AnswerServices,
  { request, context, stream, token, signal, conversation }: Turn,
): Promise<ChatResult> {
  const current = settings();
  const { models, chatModel, chatApi, findsContext } = current;
  const { language } = env;
  const id = chooseModel(request.model, chatModel, models);
  const model = modelOf(id, current, Infinity);
  const flaw = request.command === "edit" ? flawOfEdit(request) : undefined;
  if (flaw !== undefined) {
    stream.markdown(extensionLine("info", flaw));
    if (!workspace.isTrusted) stream.button(manageTrust());
    return {};
  }
  const { exchanges, sources, ...earlier } = readHistory(context.history, language);
  const turn = await prepareEdits({ ...edits, earlier, findsContext, token }, request);
  const more = [...turn.references, ...sources.map((value) => ({ value, origin: "earlier" as const }))];
  const read = await gatherContext(request, { gate: edits.gate, secrets, signal, token, findsContext, more });
  const diagnostics = turn.intent === undefined ? [] : await diagnosticsPart(read.parts, secrets);
  const gathered = { ...read, parts: [...turn.parts, ...diagnostics, ...read.parts] };
  const room = tokens.room(id, model.maxInputTokens);
  const plan = planQuestion({
    typed: request,
    gathered,
    exchanges,
    budget: room,
    language,
    rules: turn.rules,
  });
  if (plan === undefined) {
    for (const line of noteLines(gathered.notes)) stream.markdown(line);
    stream.markdown(
      extensionLine("info", l10n.t("Ask a question, or open or attach a file and say what to do with it.")),
    );
    return {};
  }
  for (const source of gathered.unattached) stream.reference(source);

  // What the user configured in the picker is about the model selected there.
  const isPicked = request.model.vendor === vendor && request.model.id === id;
  const reasoningEffort = chosenEffort(isPicked ? request : {}, model);
  const asked = { api: chatApi, model: id, messages: plan.messages, reasoningEffort, conversation, feature: "chat" };
  const answer = await streamAnswer({ gateway }, asked, { stream, signal }, turn.intent !== undefined);
  if (answer === undefined) return recordTurn(request.command, gathered.editor);
  const sent = { request: asked, room, parts: plan.parts, intent: turn.intent, asked: askedLines(request) };
  const offer = await offerEdits({ gateway, secrets, ...edits }, { ...answer, ...sent, stream, signal });
  const notes: Note[] = [...plan.notes];
  for (const { name, text } of plan.parts) if (await secrets.isIn(text)) notes.push({ kind: "masked", name });
  const isWithout = plan.parts.length === 0 && gathered.images.length === 0 && notes.length === 0;
  if (isWithout && workspace.workspaceFolders?.length) notes.push({ kind: "noFile", name: "" });
  for (const line of noteLines(notes)) stream.markdown(line);
  stream.markdown(closingLine(model.name, answer.entry, answer.reason));
  // Behind all Markdown: of an answer, VS Code folds what stands before the last Markdown (seen in VS Code 1.139.1).
  if (offer.button) stream.button(offer.button);
  const answered = turn.intent === undefined ? {} : { answer: offer.text };
  return recordTurn(request.command, gathered.editor, { edit: offer.edit, refused: offer.refused, ...answered });
}

/** Why `/edit` cannot start. */
function flawOfEdit({ prompt }: Pick<ChatRequest, "prompt">): string | undefined {
  if (!workspace.isTrusted) return l10n.t("Files can be changed only in a trusted workspace.");
  if (!canEdit()) return l10n.t("Open a folder to change its files.");
  return prompt.trim() === "" ? l10n.t("Say what to change.") : undefined;
}

/** Streams an answer; with `hidesEdits`, up to its edits, which may be listed when it has ended. `undefined` if it has no end. */
async function streamAnswer(
  { gateway }: Pick<AnswerServices, "gateway">,
  request: TextRequest,
  { stream, signal }: Pick<Turn, "stream" | "signal">,
  hidesEdits: boolean,
): Promise<(Pick<EditAnswer, "text" | "reason" | "shown"> & { readonly entry: EntryName | undefined }) | undefined> {
  let waiting = "";
  const answer = gateway.ask(request, signal, (event) => {
    const before = waiting;
    waiting = waitingText(event);
    if (waiting !== before) stream.progress(waiting);
  });
  const show = (text: string): void => {
    if (text !== "") stream.markdown(text);
  };
  const plan = new PlanStream();
  let text = "";
  let entry: EntryName | undefined;
  let isThinking = false;
  let isWhole = false;
  try {
    for await (const part of answer) {
      if (part.type === "start") entry = part.entry;
      if (part.type === "start" && part.dropped.includes("images")) {
        stream.markdown(extensionLine("info", imagesDropped()));
      }
      if (part.type === "text") {
        text += part.text;
        const piece = hidesEdits ? plan.add(part.text) : { text: part.text, startsEdits: false };
        show(piece.text);
        // Not as progress: VS Code folds all that stands before the last progress of an answer (seen in VS Code 1.139.1).
        if (piece.startsEdits) stream.markdown(extensionLine("edit", l10n.t("Changes:")));
      }
      if (part.type === "reasoning" && !isThinking) stream.progress(waitingText({ type: "thinking" }));
      isThinking ||= part.type === "reasoning";
      if (part.type !== "finish") continue;
      isWhole = true;
      return { text, entry, reason: part.reason, shown: hidesEdits ? plan.shown : text.length };
    }
    return undefined;
  } finally {
    // What was held back of an answer that breaks off.
    if (hidesEdits && !isWhole) show(restOf(text, plan.shown, readEdits(text, new Map()), false));
  }
}
