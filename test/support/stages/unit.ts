import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/paths.ts";
import type { Counts } from "./counts.ts";
import { runMocha, testFiles } from "./runMocha.ts";

/** Tests that need more than Node. */
const elsewhere = /^test\/(suite|e2e|bench|samples)\//;

const timeout = 60_000;

/** Stands in for the module `vscode`. */
const hooks = join(root, "test", "support", "vscode", "register.ts");

// One more than there are processors, because many tests wait for sockets and programs.
const jobs = availableParallelism() + 1;

/** Runs the tests that need no VS Code: all, those of a folder or file, or those whose titles match. */
export async function unit(pattern?: string): Promise<Counts> {
  const { files, grep } = choose(pattern);
  return runMocha(files, { timeout, grep, hooks, jobs });
}

/** Runs these tests again after each change in `src` or `test`, until Ctrl+C. */
export function watchUnits(pattern?: string): void {
  const { files, grep } = choose(pattern);
  const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
  // Mocha's watch mode loads ES modules anew only in new processes.
  const args = ["--watch", "--watch-files=src,test", "--parallel", `--jobs=${jobs}`, `--timeout=${timeout}`];
  const filter = grep === undefined ? [] : ["--grep", grep];
  spawnSync(process.execPath, [mocha, ...args, `--require=${hooks}`, ...filter, ...files], {
    cwd: root,
    stdio: "inherit",
  });
}

function choose(pattern = ""): { readonly files: readonly string[]; readonly grep?: string } {
  const files = testFiles("test/**/*.test.ts").filter((file) => !elsewhere.test(file));
  const ofPath = files.filter((file) => pattern.includes("/") && file.includes(pattern));
  if (pattern === "") return { files };
  if (ofPath.length > 0) return { files: ofPath };
  // A title is in the text of its file, unless it is put together or the pattern is a regular expression.
  const named = files.filter((file) => readFileSync(join(root, file), "utf8").includes(pattern));
  return { files: named.length > 0 ? named : files, grep: pattern };
}
