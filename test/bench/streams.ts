import { newClients } from "./clients.ts";
import { duration, type Group, inTurn, row } from "./rows.ts";

const chunks = 20_000;
const [rounds, warmUps] = [120, 5];

/** The limit, as a multiple of raw undici's time. */
const limit = 1.1;

/** Time that a long answer takes, the server sending as fast as it can. */
export const streams: Group = async (url) => {
  const clients = newClients(`${url}/stream/${chunks}`);
  const whole = Array.from({ length: chunks }, (_, index) => ` word${index}`).join("").length;
  const { ours, reference } = await inTurn({ rounds, warmUps }, async (side) => {
    let length = 0;
    const time = await duration(() => clients[side]((text) => (length += text.length)));
    if (length !== whole) throw new Error(`Of ${whole} characters ${length} came.`);
    return time;
  });
  return [row(`answer of ${chunks.toLocaleString("en")} chunks, vs raw undici`, "ms", ours, reference, limit)];
};
