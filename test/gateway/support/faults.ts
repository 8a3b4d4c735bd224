import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Exchange, Fault, SeenRequest } from "./faultServer.ts";

export const streams = ["chatStream", "responsesStream"] as const;
export const texts = [...streams, "chatJson", "responsesJson"] as const;
export const allAsked = [...texts, "image"] as const;

/** The operations answered by an entry, each text API in both forms. */
export type Asked = (typeof allAsked)[number];

/** A correct answer, in the pieces in which a server may send it. */
interface RightAnswer {
  readonly type: string;
  readonly pieces: readonly string[];
}

/** The text of every correct answer. */
export const rightText = "Grüße, 世界 🎉!";

/** The link in every correct image answer. */
export const rightLink = "http://images.test/one.png";

const json = (value: unknown): RightAnswer => {
  const text = JSON.stringify(value);
  return { type: "application/json", pieces: [text.slice(0, 25), text.slice(25)] };
};

/** A server-sent event. */
export const event = (value: unknown): string =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

/** A piece of a chat stream. */
export const delta = (content: string, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

const response = {
  id: "resp-1",
  status: "completed",
  output: [{ type: "message", content: [{ type: "output_text", text: rightText }] }],
};
const words = rightText.split(/(?<= )/);
const streamOf = (values: readonly unknown[]): RightAnswer => ({
  type: "text/event-stream",
  pieces: values.map((value) => event(value)),
});

/** Correct answers to every operation. */
const rightAnswers: Readonly<Record<Asked, RightAnswer>> = {
  chatJson: json({ choices: [{ message: { content: rightText }, finish_reason: "stop" }] }),
  chatStream: streamOf([...words.map((word) => delta(word)), delta("", "stop"), "[DONE]"]),
  responsesJson: json(response),
  responsesStream: streamOf([
    ...words.map((word) => ({ type: "response.output_text.delta", delta: word })),
    { type: "response.completed", response },
  ]),
  image: json({ created: 1, data: [{ url: rightLink }], usage: {} }),
};

/** The correct answer to a request: in the form that its question names, else as its path and its fields want it. */
export function rightAnswer({ path, body }: SeenRequest): RightAnswer {
  const named = allAsked.find((asked) => body.includes(`"${asked}"`));
  if (named) return rightAnswers[named];
  if (path.endsWith("/images/generations")) return rightAnswers.image;
  const form = body.includes('"stream":true') ? "Stream" : "Json";
  const api = path.endsWith("/responses") ? "responses" : "chat";
  return rightAnswers[`${api}${form}`];
}

/** The fields of a request. */
export const bodyOf = ({ body }: SeenRequest): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;

/** Sends a complete answer with its length and keeps the connection open. */
export function send(status: number | string, type: string, body: string | Buffer, headers = ""): Fault {
  return ({ socket, done }) => {
    const length = `content-type: ${type}\r\ncontent-length: ${String(Buffer.byteLength(body))}`;
    socket.cork();
    socket.write(`HTTP/1.1 ${String(status)} X\r\n${headers}${length}\r\n\r\n`);
    socket.write(body);
    socket.uncork();
    done();
  };
}

/** Sends JSON. */
export function sendJson(status: number, value: unknown, headers = ""): Fault {
  return send(status, "application/json", JSON.stringify(value), headers);
}

/** Sends a correct answer. */
export const right: Fault = (exchange) => {
  const { type, pieces } = rightAnswer(exchange.request);
  send(200, type, pieces.join(""))(exchange);
};

/** Sends a stream. */
export const stream = (body: string): Fault => send(200, "text/event-stream", body);

/** Answers with an error as JSON. */
export function failure(status: number, code: string, headers = ""): Fault {
  return sendJson(status, { error: { code, message: `It says ${code}.` } }, headers);
}

/** Refuses a request with the first of these fields that it has, named or not; `input` only as a list. */
export function refusingFields(fields: readonly string[], isNamed = true, then: Fault = right): Fault {
  return (exchange) => {
    const body = bodyOf(exchange.request);
    const param = fields.find((field) => (field === "input" ? Array.isArray(body.input) : field in body));
    const error = isNamed ? { message: "Unsupported parameter.", param } : { message: "Bad request." };
    (param === undefined ? then : sendJson(400, { error }))(exchange);
  };
}

/** How an answer breaks off. */
interface Break {
  /** How the body ends: by its chunks, its length, or the end of the connection. Default: by its chunks. */
  readonly framing?: "chunked" | "length" | "none";
  /** Number of pieces of the correct answer that are sent first. */
  readonly after: number;
  readonly how: "reset" | "close" | "end" | "stall";
}

/** Time for the client to read what was sent, in milliseconds, because a reset can overtake it. */
const reading = 50;

/** Sends a part of the correct answer and breaks off. `end` ends the body cleanly. */
export function broken({ framing = "chunked", after, how }: Break): Fault {
  return ({ socket, request }) => {
    const { type, pieces } = rightAnswer(request);
    const sent = pieces.slice(0, after).join("");
    const length = framing === "chunked" ? "transfer-encoding: chunked\r\n" : "content-length: 10000\r\n";
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${framing === "none" ? "" : length}\r\n`);
    if (sent !== "") socket.write(framing === "chunked" ? chunk(sent) : sent);
    if (how === "stall") return;
    setTimeout(() => {
      if (how === "reset") abort(socket);
      else if (how === "close") socket.end();
      else socket.end(framing === "chunked" ? "0\r\n\r\n" : "");
    }, reading);
  };
}

/** One chunk of a chunked body. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Sends exactly these bytes, and closes the connection if it `ends`. */
export function raw(text: string, ends = false): Fault {
  return ({ socket }) => {
    if (ends) socket.end(text);
    else socket.write(text);
  };
}

/** Sends an answer that these bytes come before. */
export function preceded(text: string, answer: Fault = right): Fault {
  return (exchange) => {
    exchange.socket.write(text);
    answer(exchange);
  };
}

/** Closes the connection without an answer. */
export const close: Fault = ({ socket }) => void socket.destroy();

/** Resets the connection without an answer. */
export const reset: Fault = ({ socket }) => {
  abort(socket);
};

/**
 * Resets a connection. TLS sockets are closed instead, because Node's `resetAndDestroy` needs a TCP socket (Node 24).
 */
function abort(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Answers the first request of each connection, and resets the connection at the next. */
export function firstUseOnly(): Fault {
  const used = new Set<Socket>();
  return (exchange) => {
    const fault = used.has(exchange.socket) ? reset : right;
    used.add(exchange.socket);
    fault(exchange);
  };
}

/** Never answers. */
export const silence: Fault = () => undefined;

/** Sends so many pieces, one every `pause` milliseconds, until the client disconnects, and ends with `last` if there is one. */
export function drip(head: string, piece: string, pause: number, count = Infinity, last = ""): Fault {
  return ({ socket }) => {
    socket.write(head);
    let left = count;
    const timer = setInterval(() => {
      left -= 1;
      if (left >= 0) socket.write(piece);
      else clearInterval(timer);
      if (left < 0 && last !== "") socket.end(last);
    }, pause);
    socket.once("close", () => {
      clearInterval(timer);
    });
  };
}

/** Answers once something has happened. */
export function onceAfter(event: (exchange: Exchange) => Promise<unknown>, fault: Fault = right): Fault {
  return (exchange) =>
    void event(exchange).then(() => {
      fault(exchange);
    });
}

/** Holds answers back until `release` is called. */
export function holding(fault: Fault = right): { readonly fault: Fault; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const release = (): void => {
    resolve(undefined);
  };
  return { fault: onceAfter(() => promise, fault), release };
}

/** An interim answer that nobody asked for. */
export const unasked = "HTTP/1.1 100 Continue\r\n\r\n";
