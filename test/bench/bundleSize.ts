import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/paths.ts";

/** The size of the files that load with one of these bundles, those that bundles share included, in kilobytes. */
export async function bundleSize(...bundles: readonly string[]): Promise<number> {
  const loaded = new Set(bundles.map((name) => `${name}.cjs`));
  let size = 0;
  for (const file of loaded) {
    const code = await readFile(join(root, "dist", file), "utf8");
    size += Buffer.byteLength(code);
    for (const [, other = ""] of code.matchAll(/require\("\.\/((?:shared-\w+|extension)\.cjs)"\)/g)) loaded.add(other);
  }
  return size / 1024;
}
