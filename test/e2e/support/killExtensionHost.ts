import { readdir, readFile } from "node:fs/promises";

/** Kills the extension host whose environment holds this, as a crash or a power cut would. Linux only. */
export async function killExtensionHost(mark: string): Promise<void> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    // Processes come and go meanwhile.
    const read = (file: string): Promise<string> => readFile(`/proc/${id}/${file}`, "utf8").catch(() => "");
    const isHost = (await read("cmdline")).includes("--type=extensionHost") && (await read("environ")).includes(mark);
    if (isHost) process.kill(Number(id), "SIGKILL");
  }
}
