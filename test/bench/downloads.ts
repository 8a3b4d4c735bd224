import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Group, row, type Row } from "./rows.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("./downloadOnce.ts", import.meta.url));
const rounds = 5;

/** What `downloadOnce.ts` prints: milliseconds, and the megabytes by which the process grew at its peak. */
interface Measurement {
  readonly time: number;
  readonly memory: number;
}

/** Image files, each download in a process of its own because only a process tells its peak of memory. */
export const downloads: Group = async (url) => {
  const rows: Row[] = [];
  for (const megabytes of [1, 8, 32]) {
    const measured: Record<"ours" | "raw", Measurement[]> = { ours: [], raw: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const who of round % 2 === 0 ? (["ours", "raw"] as const) : (["raw", "ours"] as const)) {
        measured[who].push(await downloadOnce(who, `${url}/image/${megabytes}`));
      }
    }
    const of = (field: keyof Measurement, who: "ours" | "raw"): number[] => measured[who].map((one) => one[field]);
    const name = `image of ${megabytes} MB`;
    rows.push(row(`${name}, total, vs raw undici`, "ms", of("time", "ours"), of("time", "raw")));
    rows.push(row(`${name}, peak of memory, vs raw undici`, "MB", of("memory", "ours"), of("memory", "raw")));
  }
  return rows;
};

async function downloadOnce(who: string, url: string): Promise<Measurement> {
  const { stdout } = await run(process.execPath, [program, who, url]);
  return JSON.parse(stdout) as Measurement;
}
