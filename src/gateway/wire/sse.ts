import { createParser } from "eventsource-parser";
import { GatewayError } from "../errors.ts";
import type { HttpBody } from "../network/exchange.ts";
import { parseJson } from "./json.ts";

/** The longest single event, in characters; a longer one is no answer of a text model. */
const maxEventSize = 16 * 1024 * 1024;

/** The `data` of the server-sent events in a body: one array for each read, so that the reader is woken once. */
export async function* readEvents(body: HttpBody, onRead: () => void): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent: ({ data }) => {
      if (data !== "") events.push(data);
    },
    onError: (error) => {
      if (error.type !== "max-buffer-size-exceeded") return;
      throw new GatewayError("unreadable", "An event of the stream is too long.", { sent: "maybe" });
    },
  });
  for await (const chunk of body) {
    onRead();
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (events.length > 0) {
      yield events;
      events = [];
    }
  }
  // The last event of a careless server lacks its blank line; one that was cut off is no event.
  parser.feed(`${decoder.decode()}\n\n`);
  const last = events.filter((event) => event === "[DONE]" || parseJson(event) !== undefined);
  if (last.length > 0) yield last;
}
