import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { unreadable } from "../errors.ts";
import { type HttpAnswer, type HttpBody, TransportError } from "./exchange.ts";

/** Maximum size of a decoded body, in bytes. */
const maxSize = 256 * 1024 * 1024;

/** Maximum number of stacked content codings; more suggest an attack. */
const maxCodings = 2;

/** Size of decoded chunks, in bytes. */
const pieces = { chunkSize: 64 * 1024 };

/** Supported content codings (RFC 9110, 8.4.1). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(pieces),
  "x-gzip": () => createGunzip(pieces),
  br: () => createBrotliDecompress(pieces),
  deflate: () => createInflate(pieces),
};

/**
 * Decodes an answer's body as it arrives. Requests accept no coding, but servers and proxies may apply one anyway.
 * Decoding errors are thrown when the body is read, so the status is known by then.
 */
export function decoded(answer: HttpAnswer): HttpAnswer {
  const codings = [answer.headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value: string) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0) return answer;
  const coded = answer.body;
  const plain = decode(coded, codings);
  const body: HttpBody = {
    [Symbol.asyncIterator]: () => body,
    next: () => plain.next(),
    linger: (limit) => coded.linger?.(limit),
    return: async () => {
      const result = await coded.return();
      plain.return(undefined).catch(() => undefined);
      return result;
    },
  };
  return { ...answer, body };
}

async function* decode(coded: HttpBody, codings: readonly string[]): AsyncGenerator<Buffer, undefined, undefined> {
  const known = codings.flatMap((coding) => (Object.hasOwn(decoders, coding) ? (decoders[coding] ?? []) : []));
  try {
    if (known.length < codings.length || known.length > maxCodings)
      throw unreadable("The answer has an unknown content coding.");
    // Codings are undone in reverse order.
    const transforms = known.toReversed().map((create) => create());
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
    await coded.return();
  }
}

function failureOf(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // zlib's code for truncated data.
  if (code === "Z_BUF_ERROR") return new TransportError("maybe", error);
  return /^(Z_|ERR_|BROTLI)/.test(code) ? unreadable("The answer cannot be decoded.", { cause: error }) : error;
}
