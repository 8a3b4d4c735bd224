import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpAnswer, HttpBody } from "../../../src/gateway/network/exchange.ts";

/** How a body ends after its last read. */
export type End = "ends" | "dies" | "stays open";

/** An answer whose body arrives in these reads, with pauses between them. */
export function answerOf(reads: readonly (string | Buffer)[], type: string, end: End = "ends", pause = 0): HttpAnswer {
  const closed = new AbortController();
  async function* pieces(): AsyncGenerator<Buffer, undefined> {
    for (const [at, one] of reads.entries()) {
      if (at > 0 && pause > 0) await sleep(pause);
      yield Buffer.from(one);
    }
    if (end === "dies") throw new Error("The socket died.");
    if (end === "stays open") await once(closed.signal, "abort");
  }
  const left = pieces();
  const body: HttpBody = {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => left.next(),
    return() {
      closed.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { status: 200, headers: { "content-type": type }, body };
}
