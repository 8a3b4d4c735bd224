import { globSync, readFileSync, watch } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { root } from "../../../scripts/paths.ts";
import type { Counts } from "./counts.ts";
import { longestFirst, runMocha, runMochaInParallel } from "./runMocha.ts";

/** Tests with other requirements than Node. */
const elsewhere = /^test[\\/]((suite|e2e|bench|samples)[\\/]|coverage\.test\.ts$)/;

const options = { timeout: 60_000 };

/** Runs every test that needs no VS Code, or those of a pattern: a part of a path, or else of the titles. */
export async function unit(pattern?: string): Promise<Counts | undefined> {
  const files = unitFiles();
  if (pattern === undefined) {
    const batches = longestFirst(files).map((file) => [file]);
    // One more than there are processors, because many wait for sockets and programs.
    // On a busy machine a test may need a second attempt, which the summary names.
    return runMochaInParallel(batches, { ...options, retries: 1, processes: availableParallelism() + 1 });
  }
  const inPlace = files.filter((file) => file.replaceAll(sep, "/").includes(pattern));
  if (pattern.includes("/") && inPlace.length > 0) return runMocha(inPlace, options);
  // Most files have other words. A title that is put together, or a regular expression, may stand in none.
  const named = files.filter((file) => textOf(file).includes(pattern));
  const counts = named.length > 0 ? await runMocha(named, { ...options, grep: pattern }) : undefined;
  return counts && counts.passed.length + counts.failed > 0 ? counts : runMocha(files, { ...options, grep: pattern });
}

/** Runs the tests of a pattern, and after each change those of the tests that import what has changed, until Ctrl+C. */
export async function watchUnits(pattern?: string): Promise<void> {
  if (pattern !== undefined) await unit(pattern);
  const changed = new Set<string>();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = async (): Promise<void> => {
    const files = testsOf([...changed]);
    changed.clear();
    if (files.length > 0) await runMocha(files, { ...options, grep: pattern });
    console.log("Waiting for changes in src and test …");
  };
  for (const folder of ["src", "test"]) {
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (!name?.endsWith(".ts")) return;
      changed.add(join(folder, name));
      clearTimeout(timer);
      // An editor may write a file in several steps.
      timer = setTimeout(() => {
        running = running.then(run);
      }, 200);
    });
  }
  console.log("Waiting for changes in src and test …");
  await new Promise(() => undefined);
}

/** The unit tests that import one of these files, directly or through others, or are among them. */
export function testsOf(changed: readonly string[]): readonly string[] {
  const importers = new Map<string, string[]>();
  for (const file of globSync("{src,test}/**/*.ts", { cwd: root })) {
    for (const [, path = ""] of textOf(file).matchAll(/(?:\bfrom|\bimport\(?)\s*"(\.[^"]+\.ts)"/g)) {
      const imported = relative(root, join(root, dirname(file), path));
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const found = new Set(changed);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return unitFiles().filter((file) => found.has(file));
}

function unitFiles(): readonly string[] {
  return globSync("test/**/*.test.ts", { cwd: root }).filter((file) => !elsewhere.test(file));
}

function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
