import { FaultServer } from "../support/faults/faultServer.ts";
import { silence } from "../support/faults/faults.ts";
import { askGateway, gatewayFor } from "./clients.ts";
import { duration, figures, type Group, inTurn, median, row } from "./rows.ts";

/** The limit of what the first operation takes longer, in milliseconds. */
const limit = 20;

/** The next operation may take this much longer than with a healthy primary, in milliseconds. */
const noise = 2;

/** The time an operation takes because its primary refuses connections: the first one, which finds out, and the next. */
export const failover: Group = async (url) => {
  const healthy = `${url}/stream/1`;
  const refusing = await closedAddress();
  const times = await inTurn({ rounds: 20, warmUps: 1 }, async (side) => {
    const gateway = gatewayFor(side === "ours" ? refusing : healthy, healthy);
    const [first, next] = [await timeOf(), await timeOf()];
    await gateway.dispose();
    return { first, next };

    function timeOf(): Promise<number> {
      return duration(() => askGateway(gateway, () => undefined));
    }
  });
  const added = times.ours.map(({ first }, round) => first - (times.reference[round]?.first ?? NaN));
  const next = figures(times, (one) => one.next);
  const name = "primary refuses the connection";
  return [
    row(`${name}: the first operation, added, vs the limit`, "ms", added, [limit], 1),
    row(`${name}: the next operation, vs a healthy primary`, "ms", ...next, 1 + noise / median(next[1])),
  ];
};

/** An address on which nobody listens. */
async function closedAddress(): Promise<string> {
  const server = await FaultServer.start(silence);
  const address = `http://127.0.0.1:${server.port}`;
  await server.stop();
  return address;
}
