import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  env,
  l10n,
  Location,
  Range,
  type Uri,
  workspace,
} from "vscode";
import { readEdits } from "../../edits/read/readEdits.ts";
import type { ChatRequest as TextRequest, EntryName } from "../../gateway/types.ts";
import { vendor } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { chooseModel } from "../../settings/modelSettings.ts";
import { listedModels, modelOf } from "../../settings/tokenLimits.ts";
import { gatherContext } from "../context/gatherContext.ts";
import { type ContextPart, type Note, planQuestion } from "../context/planQuestion.ts";
import { targetLines, canEdit, prepareEdits, diagnosticsPart } from "../edit/editTurn.ts";
import { manageTrust } from "../edit/editView.ts";
import { type EditAnswer, type EditServices, offerEdits } from "../edit/offerEdits.ts";
import { PlanStream, restOf } from "../edit/planStream.ts";
import { chosenEffort } from "../models/modelInformation.ts";
import { closingLine, extensionLine, imagesDropped, noteLines, waitingText } from "../answerNotes.ts";
import { readHistory, type ReadSources, recordTurn } from "../context/turnRecord.ts";
import { PathLinks } from "./pathLinks.ts";

/** One chat turn. `signal` aborts when `token` is cancelled. */
interface Turn {
  readonly request: Pick<ChatRequest, "command" | "model" | "prompt" | "references">;
  readonly context: Pick<ChatContext, "history">;
  readonly stream: Pick<ChatResponseStream, "anchor" | "button" | "markdown" | "progress" | "reference">;
  readonly token: CancellationToken;
  readonly signal: AbortSignal;
  readonly conversation: string;
  /** Is told what was read without attachments. */
  readonly onRead: (sources: ReadSources) => void;
}

/** The services for answering a question. */
export interface AnswerServices extends Pick<Services, "settings" | "tokens" | "secrets"> {
  readonly gateway: Pick<Services["gateway"], "ask" | "preconnect">;
  readonly editing: Omit<EditServices, "gateway" | "secrets">;
}

/** Answers a question with a text model: gathers context, plans the request, sends it, and streams the answer. */
export async function answerQuestion(
  { gateway, settings, tokens, editing, secrets }: AnswerServices,
  { request, context, stream, token, signal, conversation, onRead }: Turn,
): Promise<ChatResult> {
  const current = settings();
  const { chatModel, chatApi, findsContext } = current;
  const { language } = env;
  const id = chooseModel(request.model, chatModel, listedModels(current));
  const model = modelOf(id, current, Infinity);
  const refusal = request.command === "edit" ? editRefusal(request) : undefined;
  if (refusal !== undefined) {
    stream.markdown(extensionLine(refusal));
    if (!workspace.isTrusted) stream.button(manageTrust());
    return {};
  }
  // The connection opens while files are being read.
  if (request.prompt.trim() !== "") gateway.preconnect(id);
  const { exchanges, sources, ...earlier } = readHistory(context.history, language);
  const turn = await prepareEdits({ ...editing, earlier, findsContext, token }, request);
  const more = [...turn.references, ...sources.map((value) => ({ value, origin: "earlier" as const }))];
  const read = await gatherContext(request, { gate: editing.gate, secrets, signal, token, findsContext, more });
  onRead(read);
  const diagnostics = turn.intent === undefined ? [] : await diagnosticsPart(read.parts, secrets);
  const gathered = { ...read, parts: [...turn.parts, ...diagnostics, ...read.parts] };
  const room = tokens.room(id, model.maxInputTokens);
  const plan = planQuestion({ typed: request, gathered, exchanges, budget: room, language, rules: turn.rules });
  if (plan === undefined) {
    const hint = l10n.t("Ask a question, or open or attach a file and say what to do with it.");
    for (const line of [...noteLines(gathered.notes), extensionLine(hint)]) stream.markdown(line);
    return {};
  }
  for (const source of gathered.unattached) stream.reference(source);

  // The configuration in the model picker is for the model that is selected there.
  const isPicked = request.model.vendor === vendor && request.model.id === id;
  const reasoningEffort = chosenEffort(isPicked ? request : {}, model);
  const { messages, parts } = plan;
  const sent = { api: chatApi, model: id, messages, reasoningEffort, conversation, feature: "chat" };
  const hidesEdits = turn.intent !== undefined;
  const answer = await streamAnswer({ gateway }, sent, { stream, signal, files: filesByPath(parts), hidesEdits });
  if (answer === undefined) return recordTurn(request.command);
  const { intent } = turn;
  const details = { request: sent, maxPromptTokens: room, parts, intent, target: targetLines(request), stream, signal };
  const offer = await offerEdits({ gateway, secrets, ...editing }, { ...answer, ...details });
  const notes: Note[] = [...plan.notes];
  for (const { name, text } of parts) if (await secrets.isIn(text)) notes.push({ kind: "masked", name });
  const hasNoFile = !parts.some(({ uri }) => uri) && gathered.images.length === 0 && notes.length === 0;
  if (hasNoFile && workspace.workspaceFolders?.length) notes.push({ kind: "noFile", name: "" });
  for (const line of noteLines(notes)) stream.markdown(line);
  stream.markdown(closingLine(model.name, answer.entry, answer.reason));
  // Last, because VS Code folds what precedes the last Markdown of an answer (VS Code 1.139.1).
  if (offer.button) stream.button(offer.button);
  const { edit, refused, text } = offer;
  return recordTurn(request.command, { edit, refused, answer: intent && text });
}

/** The files that were sent, by their paths as the model has read them, without cells, whose lines are not those of their notebook. */
function filesByPath(parts: readonly ContextPart[]): ReadonlyMap<string, Uri> {
  const files = parts.flatMap(({ name, uri }) =>
    uri?.fragment === "" ? [[name.replace(/:\d+-\d+$/, ""), uri] as const] : [],
  );
  return new Map(files);
}

/** Why `/edit` cannot start, if it cannot. */
function editRefusal({ prompt }: Pick<ChatRequest, "prompt">): string | undefined {
  if (!workspace.isTrusted) return l10n.t("Files can be changed only in a trusted workspace.");
  if (!canEdit()) return l10n.t("Open a folder to change its files.");
  return prompt.trim() === "" ? l10n.t("Say what to change.") : undefined;
}

interface StreamedAnswer extends Pick<EditAnswer, "text" | "reason" | "shownLength"> {
  readonly entry: EntryName | undefined;
}

/**
 * Streams an answer, with links for the paths of `files`; with `hidesEdits`, the text before its edits, which are shown as a
 * list once it is complete. Returns `undefined` if the answer has no end.
 */
async function streamAnswer(
  { gateway }: Pick<AnswerServices, "gateway">,
  request: TextRequest,
  {
    stream,
    signal,
    files,
    hidesEdits,
  }: Pick<Turn, "stream" | "signal"> & { readonly files: ReadonlyMap<string, Uri>; readonly hidesEdits: boolean },
): Promise<StreamedAnswer | undefined> {
  let progress = "";
  const showProgress = (event: Parameters<typeof waitingText>[0]): void => {
    const text = waitingText(event);
    if (text !== progress) stream.progress(text);
    progress = text;
  };
  const links = new PathLinks(files);
  const show = (piece: string): void => {
    for (const part of links.add(piece)) {
      if (typeof part === "string") stream.markdown(part);
      else stream.anchor(part.lines ? locationOf(part.file, part.lines) : part.file, part.text);
    }
  };
  const plan = new PlanStream();
  let text = "";
  let entry: EntryName | undefined;
  let isComplete = false;
  try {
    for await (const part of gateway.ask(request, signal, showProgress)) {
      if (part.type === "start") {
        entry = part.entry;
        if (part.dropped.includes("images")) stream.markdown(extensionLine(imagesDropped()));
      } else if (part.type === "text") {
        text += part.text;
        const piece = hidesEdits ? plan.add(part.text) : { text: part.text, startsEdits: false };
        show(piece.text);
        // Not as progress, because VS Code folds what precedes the last progress of an answer (VS Code 1.139.1).
        if (piece.startsEdits) stream.markdown(extensionLine(l10n.t("Changes:"), "edit"));
      } else if (part.type === "reasoning") {
        showProgress({ type: "thinking" });
      } else if (part.type === "finish") {
        isComplete = true;
        return { text, entry, reason: part.reason, shownLength: hidesEdits ? plan.shown : text.length };
      }
    }
    return undefined;
  } finally {
    // Shows text that was held back when the answer was interrupted.
    if (hidesEdits && !isComplete) show(restOf(text, plan.shown, readEdits(text, new Map()), false));
    const rest = links.end();
    if (rest !== "") stream.markdown(rest);
  }
}

/** The location of lines, which count from one. VS Code shows their numbers in the link. */
function locationOf(file: Uri, [first, last]: readonly [number, number]): Location {
  return new Location(file, new Range(Math.max(0, first - 1), 0, Math.max(0, last - 1), 0));
}
