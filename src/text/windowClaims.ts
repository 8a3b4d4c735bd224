import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SocketLife, type WindowLife } from "../gateway/network/windowLife.ts";
import { namesIn } from "./fileErrors.ts";
import { isUuid } from "./fileNames.ts";

/**
 * Locks that windows hold on shared work. A claim is a file `<name>.<window>`, and is valid while the process of that window
 * is alive, however long the work takes. If two windows claim the same work at once, at most one of them succeeds.
 */
export class WindowClaims {
  readonly #folder: string;
  readonly #life: WindowLife;
  readonly #window = crypto.randomUUID();
  #started: Promise<void> | undefined;

  constructor(folder: string, life: WindowLife = new SocketLife()) {
    this.#folder = folder;
    this.#life = life;
  }

  /** Claims work for this window. `false` if another has it; rejects if the claim cannot be made. */
  async take(name: string): Promise<boolean> {
    if ((await this.taken()).has(name)) return false;
    await (this.#started ??= this.#life.start(this.#window));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#fileOf(name), "", { mode: 0o600 });
    // Another window may have written its claim meanwhile. That window sees this claim.
    if (!(await this.taken()).has(name)) return true;
    await this.release(name);
    return false;
  }

  async release(name: string): Promise<void> {
    await rm(this.#fileOf(name), { force: true }).catch(() => undefined);
  }

  /** The work that other windows have claimed. Deletes the claims of windows that are closed. */
  async taken(): Promise<ReadonlySet<string>> {
    const files = (await namesIn(this.#folder)).map((file) => ({
      file,
      name: file.slice(0, -37),
      window: file.slice(-36),
    }));
    const claims = files.filter(
      ({ file, window }) => isUuid(window) && window !== this.#window && file.at(-37) === ".",
    );
    const taken = claims.map(async ({ file, name, window }) => {
      if (await this.#life.isAlive(window)) return name;
      await rm(join(this.#folder, file), { force: true }).catch(() => undefined);
      return undefined;
    });
    return new Set((await Promise.all(taken)).filter((name) => name !== undefined));
  }

  #fileOf(name: string): string {
    return join(this.#folder, `${name}.${this.#window}`);
  }
}
