import { once } from "node:events";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Tells whether the process of a window is running. Here, because only this folder may use sockets. */
export interface WindowLife {
  /** Listens as this window until its process ends. */
  readonly start: (window: string) => Promise<void>;
  readonly isAlive: (window: string) => Promise<boolean>;
}

/** A socket that only accepts connections. The system closes it with its process. */
export const socketLife: WindowLife = {
  start: async (window) => {
    const server = createServer((socket) => socket.destroy()).listen(addressOf(window));
    // The window may close.
    server.unref();
    await once(server, "listening");
    server.on("error", () => undefined);
  },
  isAlive: async (window) => {
    const socket = connect(addressOf(window));
    try {
      await once(socket, "connect");
      return true;
    } catch (error) {
      // Anything else, such as too many open files, proves nothing about that window.
      return !(error instanceof Error && "code" in error && (error.code === "ECONNREFUSED" || error.code === "ENOENT"));
    } finally {
      socket.destroy();
    }
  },
};

/** A pipe on Windows, and an abstract socket on Linux: neither leaves a file (Node.js 24, net, "IPC support"). */
function addressOf(window: string): string {
  const name = `codex-gateway-${window}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name);
}
