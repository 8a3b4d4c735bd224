import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { CompletionCache } from "../../../src/completions/completionCache.ts";
import { CompletionSession } from "../../../src/completions/completionSession.ts";
import { Governor } from "../../../src/completions/governor.ts";
import { systemClock } from "../../../src/gateway/policy/clock.ts";
import { untilClosed } from "../cancel.ts";
import { gatewayFor } from "../contenders.ts";
import { duration } from "../rows.ts";

const rounds = 30;
/** More than the client takes for the first text, in milliseconds. */
const timeForFirstText = 20;
const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "sum(" }, finish_reason: null }] })}\n\n`;
const place = { prefix: "const total = ", suffix: "\n", languageId: "typescript" };

/** Times from a key that an answer under way does not fit until the server sees the socket closed, in milliseconds. */
export async function abortOnSocket(): Promise<number[]> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const gateway = gatewayFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const session = new CompletionSession({
    governor: new Governor({ mostPerHour: 10 * rounds, now: () => performance.now() }),
    cache: new CompletionCache(),
    clock: systemClock,
    endOf: () => ({ outcome: "failed" }),
    async *ask(_, signal) {
      const messages = [{ role: "user" as const, content: "Complete." }];
      for await (const part of gateway.ask({ model: "gpt-5.3-codex-spark", messages }, signal)) {
        if (part.type === "text") yield part.text;
      }
    },
  });
  const times: number[] = [];
  while (times.length < rounds) {
    const stop = new AbortController();
    const arrival = once(server, "request");
    const suggested = session.suggest(place, stop.signal, true);
    const [{ socket }] = (await arrival) as [IncomingMessage];
    await sleep(timeForFirstText);
    const closed = untilClosed(socket);
    times.push(
      await duration(async () => {
        session.moved({ ...place, prefix: `${place.prefix}x` });
        await closed;
      }),
    );
    stop.abort();
    await suggested;
  }
  await gateway.dispose();
  server.close();
  return times;
}
