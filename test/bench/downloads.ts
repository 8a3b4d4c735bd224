import { request } from "undici";
import { runProgram } from "../../scripts/runProgram.ts";
import { gatewayFor } from "./clients.ts";
import { figures, type Group, inTurn, row, type Row } from "./rows.ts";

/** Files, and the limit of the time for one as a multiple of raw undici's. */
const files = [
  { megabytes: 1, limit: undefined },
  { megabytes: 8, limit: undefined },
  { megabytes: 32, limit: 1.3 },
];

/** Image files, each download in a process of its own because the peak of memory is measured for a whole process. */
export const downloads: Group = async (url) => {
  const rows: Row[] = [];
  for (const { megabytes, limit } of files) {
    const measured = await inTurn({ rounds: 5 }, async (side) => {
      const args = [import.meta.filename, side, `${url}/image/${megabytes}`];
      return JSON.parse(await runProgram(process.execPath, args, { cwd: "." })) as Measurement;
    });
    const name = `image of ${megabytes} MB`;
    rows.push(row(`${name}, total, vs raw undici`, "ms", ...figures(measured, ({ time }) => time), limit));
    rows.push(row(`${name}, peak of memory, vs raw undici`, "MB", ...figures(measured, ({ memory }) => memory)));
  }
  return rows;
};

/** The cost of a download: milliseconds, and the megabytes by which the process grew at its peak. */
interface Measurement {
  readonly time: number;
  readonly memory: number;
}

/** Downloads an image file with one of the two clients, after a small one. */
async function measure(side: string, url: string): Promise<Measurement> {
  const { origin } = new URL(url);
  const gateway = gatewayFor(origin);
  const download = async (address: string): Promise<number> => {
    if (side === "ours") return (await gateway.downloadImage(address, new AbortController().signal)).bytes.length;
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
  const [side = "", url = ""] = process.argv.slice(2);
  console.log(JSON.stringify(await measure(side, url)));
  process.exit();
}
