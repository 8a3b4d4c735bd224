import { newClients } from "./clients.ts";
import { duration, figures, type Group, inTurn, row, type Row } from "./rows.ts";

/** Long streams, and the limit of their total time as a multiple of raw undici's. */
const streamed = [
  { chunks: 2_000, rounds: 60, limit: undefined },
  { chunks: 20_000, rounds: 120, limit: 1.1 },
];
const warmUps = 5;

/** Total time and CPU of long streams, the server sending as fast as it can. */
export const streams: Group = async (url) => {
  const rows: Row[] = [];
  for (const { chunks, rounds, limit } of streamed) {
    const clients = newClients(`${url}/stream/${chunks}`);
    const whole = Array.from({ length: chunks }, (_, index) => ` word${index}`).join("").length;
    const measured = await inTurn({ rounds, warmUps }, async (side) => {
      let length = 0;
      const before = process.cpuUsage();
      const total = await duration(() => clients[side]((text) => (length += text.length)));
      const { user, system } = process.cpuUsage(before);
      if (length !== whole) throw new Error(`Of ${whole} characters ${length} came.`);
      return { total, cpu: (user + system) / 1_000 };
    });
    const name = `stream of ${chunks.toLocaleString("en")} chunks`;
    const total = figures(measured, (one) => one.total);
    rows.push(row(`${name}, total, vs raw undici`, "ms", ...total, limit));
    rows.push(row(`${name}, CPU, vs raw undici`, "ms", ...figures(measured, ({ cpu }) => cpu)));
  }
  return rows;
};
