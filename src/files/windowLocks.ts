import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { socketLife, type WindowLife } from "../gateway/network/windowLife.ts";
import { namesIn } from "./fileErrors.ts";
import { isUuid } from "./fileNames.ts";

/**
 * Locks of windows on shared work. A lock is a file `<name>.<window>`, and is valid while the process of that window
 * is alive, however long the work takes. If two windows acquire the same lock at once, at most one of them succeeds.
 */
export class WindowLocks {
  readonly #folder: string;
  readonly #life: WindowLife;
  readonly #window = crypto.randomUUID();
  #started: Promise<void> | undefined;

  constructor(folder: string, life: WindowLife = socketLife) {
    this.#folder = folder;
    this.#life = life;
  }

  /** Acquires a lock for this window. `false` if another window has it; rejects if its file cannot be written. */
  async acquire(name: string): Promise<boolean> {
    if ((await this.heldByOthers()).has(name)) return false;
    await (this.#started ??= this.#life.start(this.#window));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#fileOf(name), "", { mode: 0o600 });
    // Another window may have written its file in the meantime. That window sees this file.
    if (!(await this.heldByOthers()).has(name)) return true;
    await this.release(name);
    return false;
  }

  async release(name: string): Promise<void> {
    await rm(this.#fileOf(name), { force: true }).catch(() => undefined);
  }

  /** The names of the locks that other windows hold. Deletes the files of windows that are closed. */
  async heldByOthers(): Promise<ReadonlySet<string>> {
    const files = (await namesIn(this.#folder)).map((file) => ({
      file,
      name: file.slice(0, -37),
      window: file.slice(-36),
    }));
    const locks = files.filter(({ file, window }) => isUuid(window) && window !== this.#window && file.at(-37) === ".");
    const held = locks.map(async ({ file, name, window }) => {
      if (await this.#life.isAlive(window)) return name;
      await rm(join(this.#folder, file), { force: true }).catch(() => undefined);
      return undefined;
    });
    return new Set((await Promise.all(held)).filter((name) => name !== undefined));
  }

  #fileOf(name: string): string {
    return join(this.#folder, `${name}.${this.#window}`);
  }
}
