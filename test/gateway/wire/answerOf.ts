import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { HttpAnswer } from "../../../src/gateway/network/exchange.ts";
import { readAnswer } from "../../../src/gateway/wire/readAnswer.ts";
import type { AnswerReader } from "../../../src/gateway/wire/answerReader.ts";
import type { ContentPart } from "../../../src/gateway/wire/answerState.ts";
import { errorAnswer } from "../../../src/gateway/wire/errorAnswer.ts";

/** How a body ends after its last read. */
export type End = "ends" | "dies" | "stays open";

/** An answer whose body arrives in these reads, with pauses between them. */
export function answerOf(reads: readonly (string | Buffer)[], type: string, end: End = "ends", pause = 0): HttpAnswer {
  const closed = new AbortController();
  async function* pieces(): AsyncGenerator<Buffer, undefined, undefined> {
    for (const [at, one] of reads.entries()) {
      if (at > 0 && pause > 0) await sleep(pause);
      yield Buffer.from(one);
    }
    if (end === "dies") throw new Error("The socket died.");
    if (end === "stays open") await once(closed.signal, "abort");
  }
  const close = (): void => {
    closed.abort();
  };
  return { status: 200, headers: { "content-type": type }, body: pieces(), close, linger: close };
}

/** The parts of an answer, with consecutive texts joined, and the error that ends it. */
export async function readAll(answer: HttpAnswer, reader: AnswerReader, afterFinish = 10) {
  const parts: ContentPart[] = [];
  try {
    for await (const batch of readAnswer(answer, reader, { afterFinish, onRead: () => undefined })) {
      for (const part of batch) {
        const last = parts.at(-1);
        if (part.type !== "text" || last?.type !== "text") parts.push(part);
        else parts.splice(-1, 1, { type: "text", text: last.text + part.text });
      }
    }
    return { parts, failure: undefined };
  } catch (failure) {
    if (failure instanceof GatewayError) return { parts, failure };
    throw failure;
  }
}

/** The error that is read from an answer with this status and body. */
export async function answered(status: number, body: unknown): Promise<GatewayError> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await errorAnswer({ ...answerOf([text], ""), status }, 0);
}
