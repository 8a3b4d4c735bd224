import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { GatewayError } from "../errors.ts";
import { type HttpAnswer, type HttpBody, TransportError } from "./exchange.ts";

/** What a body may come to, in bytes: beyond any answer, but not beyond memory. */
const maxSize = 256 * 1024 * 1024;

/** More codings on top of each other are nobody's but an attacker's. */
const maxCodings = 2;

/** Plain bytes that are decoded in one go. */
const pieces = { chunkSize: 64 * 1024 };

/** The codings that can be undone, by their names in RFC 9110 (8.4.1); `start` is the first chunk. */
const decoders: Readonly<Record<string, (start: Buffer) => Transform>> = {
  gzip: () => createGunzip(pieces),
  "x-gzip": () => createGunzip(pieces),
  br: () => createBrotliDecompress(pieces),
  // Meant to be in the zlib format, but some servers leave its header out.
  deflate: (start) => (((start[0] ?? 0) & 0x0f) === 8 ? createInflate(pieces) : createInflateRaw(pieces)),
};

/**
 * The answer with its body decoded as it arrives. The request asks for no coding, but servers and proxies apply one all
 * the same. What cannot be decoded is found out when the body is read, so that the status is known by then.
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
  // The last coding applied is the first to undo.
  const body = isKnown
    ? codings.reduceRight((coded: HttpBody, coding) => new DecodedBody(coded, decoders[coding]), answer.body)
    : new DecodedBody(answer.body, undefined);
  return { ...answer, body };
}

/** A coded body, read as its plain content. It decodes only as far as it is read. */
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
      // Coded content may end before the body around it does.
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

  /** Begins to decode; `undefined` for an empty body. */
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

/** Resolves when the decoder has taken a chunk in, which waits for its reader. */
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
  // zlib's word for an end that comes too early.
  if (code === "Z_BUF_ERROR") return new TransportError("maybe", error);
  return /^(Z_|ERR_|BROTLI)/.test(code) ? unreadable("The answer cannot be decoded.", error) : error;
}

function unreadable(message: string, cause?: unknown): GatewayError {
  return new GatewayError("unreadable", message, { sent: "maybe", ...(cause !== undefined && { cause }) });
}
