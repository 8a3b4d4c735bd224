import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { askGateway, gatewayFor } from "./contenders.ts";
import { duration, type Group, median, row, type Row } from "./rows.ts";
import { swallowPackets } from "./swallowPackets.ts";

/** What was promised of the first operation, in added milliseconds. */
const limits = { "refuses the connection": 20, "swallows packets": 3_500 };

/** How much longer than a healthy primary the next operation may take to count as not at all longer, in milliseconds. */
const noise = 2;

/** The time an operation takes because its primary fails: the first one, which finds out, and the next. */
export const failover: Group = async (url) => {
  const healthy = `${url}/stream/1`;
  await using swallowing = await swallowPackets();
  // `failing`: operations after which the breaker has to be open.
  const cases = [
    { how: "refuses the connection", primary: await refusing(), failing: 1, rounds: 20 },
    { how: "answers 529", primary: `${url}/overloaded`, failing: 2, rounds: 9 },
    { how: "swallows packets", primary: swallowing.url, failing: 1, rounds: 3 },
  ] as const;
  const rows: Row[] = [];
  for (const { how, primary, failing, rounds } of cases) {
    const added: number[] = [];
    const next: number[] = [];
    const usual: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const broken = await firstAndNext(primary, healthy, failing);
      const working = await firstAndNext(healthy, healthy, failing);
      if (round < 0 && how !== "swallows packets") continue;
      added.push(broken.first - working.first);
      next.push(broken.next);
      usual.push(working.next);
    }
    const limit = how === "answers 529" ? undefined : limits[how];
    const name = `primary ${how}: the first operation`;
    rows.push(
      limit === undefined
        ? row(`${name}, added, vs the backoff's mean of 500 ms`, "ms", added, [500])
        : row(`${name}, added, vs the limit`, "ms", added, [limit], 1),
    );
    const which = failing === 1 ? "the next operation" : "the operation after two";
    rows.push(row(`primary ${how}: ${which}, vs a healthy primary`, "ms", next, usual, 1 + noise / median(usual)));
  }
  return rows;
};

/** The first of `failing` operations of a client that knows nothing yet, and the one after them, in milliseconds. */
async function firstAndNext(
  primary: string,
  backup: string,
  failing: number,
): Promise<{ first: number; next: number }> {
  const gateway = gatewayFor(primary, backup);
  const times: number[] = [];
  while (times.length <= failing) times.push(await duration(() => askGateway(gateway, () => undefined)));
  await gateway.dispose();
  return { first: times[0] ?? NaN, next: times.at(-1) ?? NaN };
}

/** An address on which nobody listens. */
async function refusing(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
