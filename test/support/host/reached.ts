import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Environment variable with the folder for the records. */
export const reachedVariable = "CODEX_GATEWAY_REACHED";

/** Everything reached in all extension hosts: `command <id>`, `setting <id>`, `view <id>`. */
export function readReached(): ReadonlySet<string> {
  const folder = process.env[reachedVariable];
  if (folder === undefined) throw new Error(`${reachedVariable} names no folder.`);
  const texts = globSync("*.txt", { cwd: folder }).map((name) => readFileSync(join(folder, name), "utf8"));
  return new Set(texts.flatMap((text) => text.split("\n")).filter((line) => line !== ""));
}
