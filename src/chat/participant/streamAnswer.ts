import { type ChatResponseStream, l10n } from "vscode";
import type { ChatRequest, EntryName, FinishReason } from "../../gateway/types.ts";
import type { Services } from "../../services.ts";
import { PlanStream } from "../edit/planStream.ts";
import { extensionLine, waitingText } from "./extensionLines.ts";

/** An answer that has ended. */
export interface StreamedAnswer {
  readonly text: string;
  readonly entry: EntryName | undefined;
  readonly reason: FinishReason;
}

/** How an answer is shown. */
export interface AnswerView {
  readonly stream: Pick<ChatResponseStream, "markdown" | "progress">;
  readonly signal: AbortSignal;
  /** Whether edits are shown as a list when the answer has ended, and not as they arrive. */
  readonly hidesEdits: boolean;
}

/** Sends a request and shows its answer as it arrives. `undefined` if it has no end. */
export async function streamAnswer(
  { gateway }: Pick<Services, "gateway">,
  request: ChatRequest,
  { stream, signal, hidesEdits }: AnswerView,
): Promise<StreamedAnswer | undefined> {
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
  for await (const part of answer) {
    if (part.type === "start") entry = part.entry;
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
    show(plan.end());
    return { text, entry, reason: part.reason };
  }
  return undefined;
}
