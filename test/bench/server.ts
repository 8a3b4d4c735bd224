import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers each request with a stream of as many pieces as its argument says, in a process of its own, which is not measured. */
const body = streamOf(Number(process.argv[2]));

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().once("end", () => {
    // The chunks are framed beforehand: otherwise this process, not the client, would be the slower one.
    response.writeHead(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
    response.flushHeaders();
    response.chunkedEncoding = false;
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());

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
