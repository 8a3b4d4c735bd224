import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Asked, rightAnswers, send } from "./answers.ts";
import type { Fault } from "./faultServer.ts";

/** How a body ends: by its chunks, its length, or the end of the connection. */
type Framing = "chunked" | "length" | "none";

/** How an answer breaks off. */
interface Break {
  readonly framing: Framing;
  /** Number of pieces of the correct answer that are sent first. */
  readonly after: number;
  readonly how: "reset" | "close" | "end" | "stall";
}

/** Time for the client to read what was sent, in milliseconds, because a reset can overtake it. */
const reading = 50;

/** Sends a part of the correct answer and breaks off. `end` ends the body cleanly. */
export function broken(asked: Asked, { framing, after, how }: Break): Fault {
  const { type, pieces } = rightAnswers[asked];
  return ({ socket }) => {
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

/** Sends exactly these bytes. */
export function raw(text: string): Fault {
  return ({ socket }) => void socket.write(text);
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

/** Never answers. */
export const silence: Fault = () => undefined;

/** Answers with an error as JSON. */
export function failure(status: number, code: string, headers = ""): Fault {
  return send(status, "application/json", JSON.stringify({ error: { code, message: `It says ${code}.` } }), headers);
}

/** Sends pieces every `pause` milliseconds until the client disconnects. */
export function drip(head: string, piece: string, pause: number): Fault {
  return ({ socket }) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), pause);
    socket.once("close", () => {
      clearInterval(timer);
    });
  };
}
