import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Lets this process and those that it starts put temporary files into one folder, which is removed at the end, and on Ctrl+C.
 * Returns the folder.
 */
export function collectTemporaryFiles(): string {
  // The temporary folder of macOS has so long a path that those of sockets in it can have no more folders.
  const parent = realpathSync(process.platform === "win32" ? tmpdir() : "/tmp");
  const folder = mkdtempSync(join(parent, "codex-gateway-"));
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  process.once("exit", () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}
