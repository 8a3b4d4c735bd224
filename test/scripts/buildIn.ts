import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/paths.ts";
import { runProgram } from "../../scripts/runProgram.ts";

/** Runs the build in a folder of its own, so that it does not replace the one that VS Code is running. */
export async function buildIn(folder: string, ...args: readonly string[]): Promise<void> {
  for (const name of ["src", "l10n", "node_modules"]) await symlink(join(root, name), join(folder, name), "junction");
  await runProgram(process.execPath, [join(root, "esbuild.mjs"), ...args], { cwd: folder });
}
