import { type ContenderName, contenders } from "./contenders.ts";
import { duration, type Group, row, type Row } from "./rows.ts";

/** The limit for a stream of 20,000 chunks: total time as a multiple of the reference's. */
const limits: Partial<Record<ContenderName, number>> = { "raw undici": 1.1, openai: 1 / 2.5 };

/** Chunks, and rounds for the quick contenders; the slow ones sit out after a few. */
const lengths = [
  { chunks: 2_000, rounds: 60 },
  { chunks: 20_000, rounds: 120 },
];
const slowRounds = 12;
const warmUps = 5;

/** Total time and CPU of long streams, the server sending as fast as it can. */
export const streams: Group = async (url) => {
  const all = contenders();
  const names = Object.keys(all) as ContenderName[];
  const rows: Row[] = [];
  for (const { chunks, rounds } of lengths) {
    const times = new Map(names.map((name) => [name, { total: [] as number[], cpu: [] as number[] }]));
    for (let round = -warmUps; round < rounds; round += 1) {
      // In turn, and every other round backwards, so that nobody always runs after the same neighbor.
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        if (round >= slowRounds && (name === "openai" || name === "ai")) continue;
        const used = await measured((onText) => all[name](`${url}/stream/${chunks}`, onText), chunks);
        if (round < 0) continue;
        times.get(name)?.total.push(used.total);
        times.get(name)?.cpu.push(used.cpu);
      }
    }
    const ours = times.get("ours") ?? { total: [], cpu: [] };
    for (const [name, { total, cpu }] of times) {
      if (name === "ours") continue;
      const text = `stream of ${chunks.toLocaleString("en")} chunks`;
      // Only rounds in which both ran.
      const [oursTotal, oursCpu] = [ours.total.slice(0, total.length), ours.cpu.slice(0, cpu.length)];
      const limit = chunks === 20_000 ? limits[name] : undefined;
      rows.push(row(`${text}, total, vs ${name}`, "ms", oursTotal, total, limit));
      rows.push(row(`${text}, CPU, vs ${name}`, "ms", oursCpu, cpu));
    }
  }
  return rows;
};

/** Total and CPU time of one stream in milliseconds. Throws if any of its text is missing. */
async function measured(
  ask: (onText: (text: string) => void) => Promise<void>,
  chunks: number,
): Promise<{ total: number; cpu: number }> {
  let length = 0;
  const before = process.cpuUsage();
  const total = await duration(() => ask((text) => (length += text.length)));
  const { user, system } = process.cpuUsage(before);
  const whole = Array.from({ length: chunks }, (_, index) => ` word${index}`).join("").length;
  if (length !== whole) throw new Error(`Of ${whole} characters ${length} came.`);
  return { total, cpu: (user + system) / 1_000 };
}
