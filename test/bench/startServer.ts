import { fork } from "node:child_process";

/** The benchmark's server, running. */
export interface BenchServer {
  readonly url: string;
  stop(): void;
}

/** Starts `server.ts` in a process of its own. */
export async function startServer(): Promise<BenchServer> {
  const child = fork(new URL("./server.ts", import.meta.url));
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once("message", resolve).once("error", reject).once("exit", reject);
  });
  return { url: `http://127.0.0.1:${String(port)}`, stop: () => void child.kill() };
}
