import {
  chat,
  type ChatContext,
  type ChatParticipant,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  commands,
  l10n,
  MarkdownString,
  ThemeIcon,
} from "vscode";
import { textModels } from "../gateway/models.ts";
import type { ChatMessage, EntryName, FinishReason } from "../gateway/types.ts";
import { participantId, participantName } from "../manifest.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import { ask } from "../gateway/ask.ts";
import { chooseModel } from "./chooseModel.ts";
import { readHistory } from "./history.ts";

type Needs = Pick<Services, "gateway" | "settings" | "notifier">;

/** Registers `@codex`. */
export function registerParticipant(services: Needs): ChatParticipant {
  const participant = chat.createChatParticipant(participantId, async (request, context, stream, token) => {
    try {
      await withSignal(token, (signal) => answer(services, request, context, stream, signal));
      return {};
    } catch (error) {
      return explain(services, error, request);
    }
  });
  participant.iconPath = new ThemeIcon("hubot");
  return participant;
}

async function answer(
  services: Needs,
  request: ChatRequest,
  context: ChatContext,
  stream: ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const model = chooseModel(request.model, services.settings().chatModel);
  const question: ChatMessage = { role: "user", content: request.prompt };
  const messages = [...readHistory(context.history, participantId), question];
  let entry: EntryName | undefined;
  for await (const part of ask(services.gateway, services.settings().chatApi, { model, messages }, signal)) {
    if (part.type === "start") entry = part.entry;
    if (part.type === "text") stream.markdown(part.text);
    if (part.type === "finish") stream.markdown(closingLine(model, entry, part.reason));
  }
}

/** The cause stands in the chat and in a notification. */
function explain({ notifier }: Needs, error: unknown, { prompt }: ChatRequest): ChatResult {
  const retry = async (): Promise<void> => {
    await commands.executeCommand("workbench.action.chat.open", { query: `@${participantName} ${prompt}` });
  };
  const notice = notifier.report(error, { name: "chat", keyGroup: "codex", retry });
  return notice ? { errorDetails: { message: notice.text } } : {};
}

/** One quiet line: how the answer ended, if not as usual, which model gave it and through which entry. */
function closingLine(model: string, entry: EntryName | undefined, reason: FinishReason): MarkdownString {
  const name = textModels.find(({ id }) => id === model)?.name ?? model;
  const facts = [name, entry === "backup" ? l10n.t("backup entry") : l10n.t("primary entry")];
  if (reason === "length") facts.unshift(l10n.t("cut off at the longest length of an answer"));
  if (reason === "contentFilter") facts.unshift(l10n.t("cut off by the gateway's content filter"));
  // With theme icons allowed it is a part of its own: `readHistory` leaves it out, and no open code block swallows it.
  return new MarkdownString("$(hubot) ", true).appendMarkdown("_").appendText(facts.join(" · ")).appendMarkdown("_");
}
