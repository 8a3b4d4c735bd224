import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { assemblePng } from "../support/gateway/png.ts";

/**
 * The other side of the benchmarks, in a process of its own so that its work is not counted. The path says what it does:
 * `/stream/<chunks>/v1/…` answers with that many pieces, `/image/<megabytes>` is an image file.
 */
const made = new Map<string, Buffer>();

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().once("end", () => {
    answer(request, response);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const [, kind = "", size = ""] = url.split("/");
  const body = made.get(kind + size) ?? (kind === "image" ? imageOf : streamOf)(Number(size));
  made.set(kind + size, body);
  if (kind === "image") {
    response.writeHead(200, { "content-type": "image/png", "content-length": body.length }).end(body);
    return;
  }
  // The chunks are framed beforehand: otherwise this process, not the client, would be the slower one.
  response.writeHead(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
  response.flushHeaders();
  response.chunkedEncoding = false;
  response.end(body);
}

/** Every event in an HTTP chunk of its own, as a gateway that flushes each of them sends it. */
function streamOf(chunks: number): Buffer {
  const head = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_750_000_000, model: "gpt-5.4" };
  const event = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const usage = { prompt_tokens: 9, completion_tokens: chunks, total_tokens: chunks + 9 };
  const events = [
    event({ role: "assistant", content: "" }, null),
    ...Array.from({ length: chunks }, (_, index) => event({ content: ` word${index}` }, null)),
    event({}, "stop"),
    `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`,
    "data: [DONE]\n\n",
  ];
  const frames = events.map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  return Buffer.from(`${frames.join("")}0\r\n\r\n`);
}

/** A PNG of this size; its pixels are of no use to anybody. */
function imageOf(megabytes: number): Buffer {
  const pixels = Buffer.alloc(Math.round(megabytes * 1024 * 1024), 0x5a);
  return assemblePng({ width: 1024, height: 1024, colorType: 2 }, [["IDAT", pixels]]);
}
