import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { unreadable } from "../errors.ts";
import { type HttpAnswer, TransportError } from "./exchange.ts";

/** Maximum size of a decoded body, in bytes. */
const maxSize = 256 * 1024 * 1024;

/** Maximum number of stacked content codings; more suggest an attack. */
const maxCodings = 2;

/** Size of decoded chunks, in bytes. */
const pieces = { chunkSize: 64 * 1024 };

/** Supported content codings (RFC 9110, 8.4.1). */
const decoders: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", () => createGunzip(pieces)],
  ["x-gzip", () => createGunzip(pieces)],
  ["br", () => createBrotliDecompress(pieces)],
  ["deflate", () => createInflate(pieces)],
  ["zstd", () => createZstdDecompress(pieces)],
]);

/**
 * Decodes an answer's body as it arrives. Requests accept no coding, but servers and proxies may apply one anyway. As in
 * browsers, unknown names mean none, such as the `aws-chunked` of file hosts (versity/versitygw#2398). Decoding errors are
 * thrown when the body is read, so the status is known by then.
 */
export function decoded(answer: HttpAnswer): HttpAnswer {
  const header = answer.headers["content-encoding"];
  if (header === undefined) return answer;
  const codings = String(header).toLowerCase().split(",");
  const known = codings.map((coding) => decoders.get(coding.trim())).filter((create) => create !== undefined);
  if (known.length === 0) return answer;
  return Object.assign(answer, { body: decode(answer, answer.body, known) });
}

async function* decode(
  answer: HttpAnswer,
  coded: HttpAnswer["body"],
  codings: readonly (() => Transform)[],
): HttpAnswer["body"] {
  try {
    if (codings.length > maxCodings) throw unreadable("The answer has too many content codings.");
    // Codings are undone in reverse order.
    const transforms = codings.toReversed().map((create) => create());
    const plain = pipeline([Readable.from(coded), ...transforms], () => undefined) as unknown as Readable;
    let size = 0;
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxSize) throw unreadable("The decoded answer is too large.");
      yield chunk;
    }
  } catch (error) {
    throw failureOf(error);
  } finally {
    // The coded content may end before its body does.
    answer.close();
  }
}

function failureOf(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // zlib's code for truncated data.
  if (code === "Z_BUF_ERROR") return new TransportError("maybe", error);
  return /^(Z_|ZSTD_|ERR_|BROTLI)/.test(code) ? unreadable("The answer cannot be decoded.", { cause: error }) : error;
}
