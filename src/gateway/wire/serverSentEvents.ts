import { createParser } from "eventsource-parser";
import { parseJson } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import type { HttpBody } from "../network/exchange.ts";
import type { Beginning } from "./beginning.ts";

/** Maximum length of an event, in characters. */
const maxEventSize = 8 * 1024 * 1024;

/** A server-sent event. */
export interface ServerEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Reads server-sent events, one array per read, so that the reader is woken once. */
export async function* readEvents(
  { text, decoder }: Pick<Beginning, "text" | "decoder">,
  body: HttpBody,
  onRead: () => void,
): AsyncGenerator<readonly ServerEvent[]> {
  let events: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent: (event) => {
      if (event.data !== "" || event.event === "error") events.push(event);
    },
    onError: ({ type, field, value, line = "" }) => {
      if (type === "max-buffer-size-exceeded") {
        throw new GatewayError("unreadable", "An event of the stream is too long.", { sent: "maybe" });
      }
      // Errors of llama.cpp have a field of their own, and those of servers in front may be a bare line.
      if (field === "error") events.push({ event: "error", data: value ?? "" });
      else if (line.startsWith("{") && parseJson(line) !== undefined) events.push({ data: line });
    },
  });
  parser.feed(text);
  if (events.length > 0) {
    yield events;
    events = [];
  }
  for await (const chunk of body) {
    onRead();
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (events.length > 0) {
      yield events;
      events = [];
    }
  }
  // A last event without its blank line still counts; a truncated one is dropped.
  parser.feed(`${decoder.decode()}\n\n`);
  const last = events.filter(({ data }) => isDone(data) || parseJson(data) !== undefined);
  if (last.length > 0) yield last;
}

/** Whether an event is the `[DONE]` marker, with optional whitespace and quotes. */
export function isDone(data: string): boolean {
  return data.length < 32 && /^[\s"']*\[DONE\][\s"']*$/i.test(data);
}
