import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { request } from "undici";
import { gatewayFor } from "./contenders.ts";
import { type Group, row, type Row } from "./rows.ts";

const run = promisify(execFile);
const rounds = 5;

/** The limit for a file of 32 MB: total time as a multiple of the reference's. */
const limits: Readonly<Record<number, number>> = { 32: 1.3 };

/** The cost of a download: milliseconds, and the megabytes by which the process grew at its peak. */
interface Measurement {
  readonly time: number;
  readonly memory: number;
}

/** Image files, each download in a process of its own because the peak of memory is measured for a whole process. */
export const downloads: Group = async (url) => {
  const rows: Row[] = [];
  for (const megabytes of [1, 8, 32]) {
    const measured: Record<"ours" | "raw", Measurement[]> = { ours: [], raw: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const who of round % 2 === 0 ? (["ours", "raw"] as const) : (["raw", "ours"] as const)) {
        const args = [import.meta.filename, who, `${url}/image/${megabytes}`];
        measured[who].push(JSON.parse((await run(process.execPath, args)).stdout) as Measurement);
      }
    }
    const of = (field: keyof Measurement, who: "ours" | "raw"): number[] => measured[who].map((one) => one[field]);
    const name = `image of ${megabytes} MB`;
    rows.push(row(`${name}, total, vs raw undici`, "ms", of("time", "ours"), of("time", "raw"), limits[megabytes]));
    rows.push(row(`${name}, peak of memory, vs raw undici`, "MB", of("memory", "ours"), of("memory", "raw")));
  }
  return rows;
};

/** Downloads an image file with one of the two clients, after a small one. */
async function measure(who: string, url: string): Promise<Measurement> {
  const { origin } = new URL(url);
  const gateway = gatewayFor(origin);
  const download = async (address: string): Promise<number> => {
    if (who === "ours") return (await gateway.downloadImage(address, new AbortController().signal)).bytes.length;
    return (await (await request(address)).body.arrayBuffer()).byteLength;
  };
  await download(`${origin}/image/0.01`);
  const before = process.resourceUsage().maxRSS;
  const start = performance.now();
  const size = await download(url);
  const time = performance.now() - start;
  if (size < 1_000_000) throw new Error("The file is not whole.");
  return { time, memory: (process.resourceUsage().maxRSS - before) / 1024 };
}

if (import.meta.main) {
  const [who = "", url = ""] = process.argv.slice(2);
  console.log(JSON.stringify(await measure(who, url)));
  process.exit();
}
