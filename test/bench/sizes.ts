import { stat } from "node:fs/promises";
import { join } from "node:path";
import { maxSize, packageExtension } from "../support/host/packageExtension.ts";
import { root } from "../support/host/paths.ts";
import { type Group, row } from "./rows.ts";

/** The bundles that are read before anybody asks for anything. */
const atActivation = ["extension", "errors"];
const all = [...atActivation, "client"];

/** What is loaded at activation, of all there is, and the package. */
export const sizes: Group = async () => [
  row("loaded at activation, vs all bundles", "KB", [await size(atActivation)], [await size(all)]),
  row("the VSIX, vs the limit", "KB", [(await packageExtension()) / 1024], [maxSize / 1024], 1),
];

async function size(bundles: readonly string[]): Promise<number> {
  const files = await Promise.all(bundles.map((name) => stat(join(root, "dist", `${name}.cjs`))));
  return files.reduce((sum, file) => sum + file.size, 0) / 1024;
}
