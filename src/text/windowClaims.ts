import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasCode, isMissing, namesIn } from "./fileErrors.ts";
import { isUuid } from "./fileNames.ts";

/** Proves that the process of a window lives. */
export interface WindowLife {
  /** Answers as this window for as long as its process lives. */
  readonly start: (window: string) => Promise<void>;
  readonly isAlive: (window: string) => Promise<boolean>;
}

/**
 * What windows are working on, known to all of them. A claim is a file `<name>.<window>`, and counts while the process of
 * that window lives, however long the work takes. Of two windows that claim the same at once, at most one gets it.
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
    // Another window may have written its claim since. Then it sees this one.
    if (!(await this.taken()).has(name)) return true;
    await this.release(name);
    return false;
  }

  async release(name: string): Promise<void> {
    await rm(this.#fileOf(name), { force: true }).catch(() => undefined);
  }

  /** What other windows have claimed. Deletes the claims of windows that are gone. */
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

/** A socket that nobody writes to. The system ends it with its process, and never lends its name to another. */
class SocketLife implements WindowLife {
  #server: Server | undefined;

  async start(window: string): Promise<void> {
    this.#server = createServer((socket) => socket.destroy()).listen(addressOf(window));
    // The window may close.
    this.#server.unref();
    await once(this.#server, "listening");
    this.#server.on("error", () => undefined);
  }

  async isAlive(window: string): Promise<boolean> {
    const socket = connect(addressOf(window));
    try {
      await once(socket, "connect");
      return true;
    } catch (error) {
      // Anything else, such as too many open files, says nothing about that window.
      return !hasCode(error, "ECONNREFUSED") && !isMissing(error);
    } finally {
      socket.destroy();
    }
  }
}

/** A pipe on Windows, and an abstract socket on Linux: neither leaves a file (Node.js 24, net, "IPC support"). */
function addressOf(window: string): string {
  const name = `codex-gateway-${window}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name);
}
