import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The variable that names the folder where extension hosts note what was reached. */
export const reachedVariable = "CODEX_GATEWAY_REACHED";

/** What was reached in all extension hosts so far: `command <id>`, `setting <id>`, `view <id>`. */
export function readReached(): ReadonlySet<string> {
  const folder = process.env[reachedVariable];
  if (folder === undefined) throw new Error(`${reachedVariable} names no folder.`);
  const texts = globSync("*.txt", { cwd: folder }).map((name) => readFileSync(join(folder, name), "utf8"));
  return new Set(texts.flatMap((text) => text.split("\n")).filter((line) => line !== ""));
}
