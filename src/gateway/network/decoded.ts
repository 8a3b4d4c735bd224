import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { unreadable } from "../errors.ts";
import { type HttpAnswer, type HttpBody, TransportError } from "./exchange.ts";

/** Maximum size of a decoded body, in bytes. */
const maxSize = 256 * 1024 * 1024;

/** Maximum number of stacked content codings; more suggest an attack. */
const maxCodings = 2;

/** Size of decoded chunks, in bytes. */
const pieces = { chunkSize: 64 * 1024 };

/** Supported content codings (RFC 9110, 8.4.1); `start` is the first chunk of the body. */
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
  const codings = [answer.headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value: string) => value.toLowerCase().split(","))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  return codings.length === 0 ? answer : { ...answer, body: new DecodedBody(answer.body, codings) };
}

/** A body that is decoded as far as it is read. */
class DecodedBody implements HttpBody {
  readonly #coded: HttpBody;
  readonly #codings: readonly string[];
  #decoders: readonly Transform[] = [];
  #plain: AsyncIterator<Buffer, undefined> | undefined;
  #size = 0;
  #isLeft = false;

  constructor(coded: HttpBody, codings: readonly string[]) {
    this.#coded = coded;
    this.#codings = codings;
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
    for (const decoder of this.#decoders) decoder.destroy();
    return result;
  }

  /** Starts decoding; `undefined` for an empty body. */
  async #start(): Promise<AsyncIterator<Buffer, undefined> | undefined> {
    const known = this.#codings.flatMap((coding) => (Object.hasOwn(decoders, coding) ? (decoders[coding] ?? []) : []));
    if (known.length < this.#codings.length || known.length > maxCodings) {
      throw unreadable("The answer has an unknown content coding.");
    }
    const coded = this.#coded;
    const first = await coded.next();
    if (first.done) return undefined;
    const start = first.value;
    // Codings are undone in reverse order.
    this.#decoders = known.toReversed().map((create) => create(start));
    const source = async function* (): AsyncGenerator<Buffer> {
      yield start;
      for (let next = await coded.next(); !next.done; next = await coded.next()) yield next.value;
    };
    // Failures reach the reader through the last decoder.
    pipeline([Readable.from(source()), ...this.#decoders], () => undefined);
    return this.#decoders.at(-1)?.[Symbol.asyncIterator]();
  }
}

function failureOf(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // zlib's code for truncated data.
  if (code === "Z_BUF_ERROR") return new TransportError("maybe", error);
  return /^(Z_|ERR_|BROTLI)/.test(code) ? unreadable("The answer cannot be decoded.", { cause: error }) : error;
}
