import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { GatewayError } from "../errors.ts";
import { type HttpAnswer, type HttpBody, TransportError } from "./exchange.ts";

/** Maximum size of a decoded body, in bytes. */
const maxSize = 256 * 1024 * 1024;

/** Maximum number of stacked content codings; more suggest an attack. */
const maxCodings = 2;

/** Size of decoded chunks, in bytes. */
const pieces = { chunkSize: 64 * 1024 };

/** Supported content codings (RFC 9110, 8.4.1); `start` is the first chunk. */
const decoders: Readonly<Record<string, (start: Buffer) => Transform>> = {
  gzip: () => createGunzip(pieces),
  "x-gzip": () => createGunzip(pieces),
  br: () => createBrotliDecompress(pieces),
  // Some servers send deflate data without the zlib header (RFC 9110, 8.4.1.2).
  deflate: (start) => (((start[0] ?? 0) & 0x0f) === 8 ? createInflate(pieces) : createInflateRaw(pieces)),
};

/**
 * Decodes an answer's body as it arrives. Requests ask for no coding, but servers and proxies may apply one anyway.
 * Decoding errors are thrown when the body is read, so the status is known by then.
 */
export function decoded(answer: HttpAnswer): HttpAnswer {
  const value = answer.headers["content-encoding"];
  if (value === undefined) return answer;
  const text = typeof value === "string" ? value : value.join();
  const codings = text
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length === 0) return answer;
  const isKnown = codings.length <= maxCodings && codings.every((coding) => Object.hasOwn(decoders, coding));
  // Codings are undone in reverse order.
  const body = isKnown
    ? codings.reduceRight((coded: HttpBody, coding) => new DecodedBody(coded, decoders[coding]), answer.body)
    : new DecodedBody(answer.body, undefined);
  return { ...answer, body };
}

/** A body that is decoded as far as it is read. */
class DecodedBody implements HttpBody {
  readonly #coded: HttpBody;
  readonly #create: ((start: Buffer) => Transform) | undefined;
  #decoder: Transform | undefined;
  #plain: AsyncIterator<Buffer, undefined> | undefined;
  #size = 0;
  #isLeft = false;

  constructor(coded: HttpBody, create: ((start: Buffer) => Transform) | undefined) {
    this.#coded = coded;
    this.#create = create;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    try {
      this.#plain ??= await this.#start();
      if (this.#plain === undefined) return { done: true, value: undefined };
      const result = await this.#plain.next();
      // The coded content may end before its body does.
      if (result.done) await this.#coded.return();
      this.#size += result.done ? 0 : result.value.length;
      if (this.#size > maxSize) throw unreadable("The decoded answer is too large.");
      return result;
    } catch (error) {
      if (this.#isLeft) throw new Error("The reader left.", { cause: error });
      await this.return();
      throw failureOf(error);
    }
  }

  linger(limit: number): void {
    this.#coded.linger?.(limit);
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isLeft = true;
    const result = await this.#coded.return();
    this.#decoder?.destroy();
    return result;
  }

  /** Starts decoding; `undefined` for an empty body. */
  async #start(): Promise<AsyncIterator<Buffer, undefined> | undefined> {
    if (this.#create === undefined) throw unreadable("The answer has an unknown content coding.");
    const first = await this.#coded.next();
    if (first.done) return undefined;
    const decoder = this.#create(first.value);
    this.#decoder = decoder;
    void this.#feed(decoder, first.value);
    return decoder[Symbol.asyncIterator]();
  }

  async #feed(decoder: Transform, first: Buffer): Promise<void> {
    try {
      for (let chunk = first; ;) {
        await written(decoder, chunk);
        const next = await this.#coded.next();
        if (next.done) break;
        chunk = next.value;
      }
      decoder.end();
    } catch (error) {
      decoder.destroy(error instanceof Error ? error : new Error("The body broke off.", { cause: error }));
    }
  }
}

/** Resolves when the decoder has accepted a chunk, which waits for its reader. */
function written(decoder: Transform, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    decoder.write(chunk, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function failureOf(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // zlib's code for truncated data.
  if (code === "Z_BUF_ERROR") return new TransportError("maybe", error);
  return /^(Z_|ERR_|BROTLI)/.test(code) ? unreadable("The answer cannot be decoded.", error) : error;
}

function unreadable(message: string, cause?: unknown): GatewayError {
  return new GatewayError("unreadable", message, { sent: "maybe", ...(cause !== undefined && { cause }) });
}
