import { request } from "undici";
import { gatewayFor } from "./contenders.ts";

/** Downloads one image file as `ours` or `raw` and prints how long it took and how much memory. */
const [who, url = ""] = process.argv.slice(2);
const { origin } = new URL(url);
const gateway = gatewayFor(origin);

await download(`${origin}/image/0.01`);
const before = process.resourceUsage().maxRSS;
const start = performance.now();
const size = await download(url);
const time = performance.now() - start;
const memory = (process.resourceUsage().maxRSS - before) / 1024;
if (size < 1_000_000) throw new Error("The file is not whole.");
console.log(JSON.stringify({ time, memory }));
process.exit();

async function download(address: string): Promise<number> {
  if (who === "ours") return (await gateway.downloadImage(address, new AbortController().signal)).bytes.length;
  return (await (await request(address)).body.arrayBuffer()).byteLength;
}
