import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../text/missingFiles.ts";

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
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await (await open(join(this.#folder, `told-${key.replace(/[^\w.-]/g, "_")}`), "wx", 0o600)).close();
      return true;
    } catch (error) {
      return !hasCode(error, "EEXIST");
    }
  }
}
