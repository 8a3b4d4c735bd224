import { GatewayError } from "../errors.ts";
import type { HttpBody } from "../network/exchange.ts";
import type { AnswerReader, ContentPart, ReadOptions } from "./answerReader.ts";
import type { Beginning } from "./beginning.ts";
import { objectOf } from "./eventObject.ts";
import { isDone, readEvents } from "./serverSentEvents.ts";

/**
 * Reads the parts of a streamed answer, one batch per read that contains any. Throws `GatewayError` and
 * `TransportError`.
 */
export async function* eventParts(
  beginning: Beginning,
  body: HttpBody,
  reader: AnswerReader,
  { afterFinish, onRead, clean }: ReadOptions,
): AsyncGenerator<readonly ContentPart[]> {
  const { ending } = reader;
  let hasEvents = false;
  let timer: NodeJS.Timeout | undefined;
  let patience = 0;
  const waiting = { isOver: false };
  try {
    for await (const events of readEvents(beginning, body, onRead)) {
      hasEvents = true;
      const parts: ContentPart[] = [];
      let isEnd = false;
      let failure: GatewayError | undefined;
      try {
        for (const event of events) {
          isEnd = isDone(event.data);
          if (isEnd) break;
          const json = objectOf(event, ending.isSure, clean);
          if (json === undefined) continue;
          for (const part of reader.read(json, event.event)) append(parts, part);
        }
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        failure = error;
      }
      // Deliver the parts before a failure, even if both arrived in one read.
      if (parts.length > 0) yield parts;
      if (failure !== undefined) throw failure;
      if (isEnd) {
        // The end of the body often arrives in a separate packet. Closing the connection before it would cost the next
        // turn a new one.
        body.linger?.(afterFinish);
        return;
      }
      if (ending.isFinished && (parts.length > 0 || patience !== ending.patience)) {
        clearTimeout(timer);
        ({ patience } = ending);
        timer = setTimeout(() => {
          waiting.isOver = true;
          void body.return();
        }, afterFinish * patience);
      }
    }
  } catch (error) {
    // A connection failure after the end of the answer does not matter.
    if (!waiting.isOver && (!ending.isSure || error instanceof GatewayError)) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (ending.isFinished) return;
  const kind = hasEvents ? "connectionLost" : "empty";
  throw new GatewayError(kind, "The stream ended without saying that the answer is whole.", { sent: "maybe" });
}

/** Adds a part. Merges text from one read, because the intermediate steps would never be visible. */
function append(parts: ContentPart[], part: ContentPart): void {
  const last = parts.at(-1);
  if (part.type === "text" && last?.type === "text") {
    parts[parts.length - 1] = { type: "text", text: last.text + part.text };
  } else if (part.type === "reasoning" && last?.type === "reasoning") {
    parts[parts.length - 1] = { type: "reasoning", text: last.text + part.text };
  } else parts.push(part);
}
