import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { ownFile, ownFolder } from "../text/ownFiles.ts";
import { currentGeneration } from "./generations.ts";

/** Lets exactly one window tell the user something: the first that creates the file with its name. */
export class OncePerPeriod {
  readonly #folder: string;
  readonly #known = new Set<string>();

  /** `folder`: the ledger's. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether this window is the first to ask for `key`. Where nothing can be written, each window is once. */
  async isFirst(key: string): Promise<boolean> {
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    try {
      const folder = join(this.#folder, (await currentGeneration(this.#folder)).name);
      await mkdir(folder, { recursive: true, mode: ownFolder });
      await (await open(join(folder, `told-${key.replace(/[^\w.-]/g, "_")}`), "wx", ownFile)).close();
      return true;
    } catch (error) {
      return !(error instanceof Error && "code" in error && error.code === "EEXIST");
    }
  }
}
