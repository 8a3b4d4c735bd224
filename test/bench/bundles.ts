import { mkdtempDisposable, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { maxSize, packageExtension } from "../../scripts/packageExtension.ts";
import { root } from "../../scripts/paths.ts";
import { loadBundle } from "../support/loadBundle.ts";
import { type Group, row, type Row } from "./rows.ts";

const rounds = 9;

/** Size of the production bundles and the time they take to load, against the `openai` package bundled the same way. */
export const bundles: Group = async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "bench-"));
  const openai = join(folder.path, "openai.cjs");
  const entry = join(root, "node_modules", "openai", "index.js");
  await build({ entryPoints: [entry], outfile: openai, bundle: true, platform: "node", format: "cjs", minify: true });
  const openaiSize = (await stat(openai)).size / 1024;
  const rows: Row[] = [];
  for (const name of ["extension", "features", "client"]) {
    const file = join(root, "dist", `${name}.cjs`);
    const times = { ours: [] as number[], openai: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.ours.push((await loadBundle(file)).time);
      times.openai.push((await loadBundle(openai)).time);
    }
    rows.push(row(`${name}.cjs, size, vs openai bundled`, "KB", [await bundleSize(name)], [openaiSize]));
    rows.push(row(`${name}.cjs, time to load, vs openai bundled`, "ms", times.ours, times.openai));
  }
  return rows;
};

/** The sizes of the bundles that load at the start, of all bundles, and of the package. */
export const sizes: Group = async () => {
  const all = await bundleSize("extension", "features", "client");
  return [
    row("loaded at activation, vs all bundles", "KB", [await bundleSize("extension")], [all]),
    row("the VSIX, vs the limit", "KB", [(await packageExtension()) / 1024], [maxSize / 1024], 1),
  ];
};

/** The size of the files that load with one of these bundles, those that bundles share included, in kilobytes. */
async function bundleSize(...bundles: readonly string[]): Promise<number> {
  const loaded = new Set(bundles.map((name) => `${name}.cjs`));
  let size = 0;
  for (const file of loaded) {
    const code = await readFile(join(root, "dist", file), "utf8");
    size += Buffer.byteLength(code);
    for (const [, other = ""] of code.matchAll(/require\("\.\/((?:shared-\w+|extension)\.cjs)"\)/g)) loaded.add(other);
  }
  return size / 1024;
}
