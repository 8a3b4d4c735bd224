import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import mutations from "../test/mutations.json" with { type: "json" };
import { copyCheckout } from "./copyCheckout.ts";
import { collectTemporaryFiles } from "./temporaryFiles.ts";

/** A fault, and the folder, file, or title of the unit tests that have to notice it. */
export type Mutation = Readonly<Record<"file" | "from" | "to" | "test", string>>;

/** The text of a file with a fault, or nothing if what it changes is not there exactly once. */
export function mutate(original: string, { from, to }: Mutation): string | undefined {
  const parts = original.split(from);
  return parts.length === 2 ? parts.join(to) : undefined;
}

/** Mutations that are tried at the same time. */
const jobs = 2;

/** Maximum duration of the tests of a mutation, in milliseconds. Tests that do not end have noticed it, too. */
const timeout = 300_000;

const running = new Set<ChildProcess>();

/** `npm run mutate [-- part of a path]`: tries mutations in copies of the checkout. Fails if one is not caught. */
async function main(part = ""): Promise<void> {
  const folder = collectTemporaryFiles();
  // Before the folder is removed.
  process.prependOnceListener("exit", () => {
    for (const child of running) stop(child);
  });
  const waiting = mutations.filter(({ file }) => file.includes(part));
  const missed: string[] = [];
  const work = async (_: unknown, job: number): Promise<void> => {
    const copy = join(folder, String(job));
    await copyCheckout(copy);
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const verdict = await tryOut(mutation, copy);
      const { file, from, to, test } = mutation;
      const row = `${verdict.padEnd(8)}  ${file}: ${JSON.stringify(from)} → ${JSON.stringify(to)}  (${test})`;
      console.log(row);
      if (verdict !== "caught") missed.push(row);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  console.log(["", missed.length === 0 ? "All are caught." : "Not caught:", ...missed].join("\n"));
  process.exit(missed.length === 0 ? 0 : 1);
}

/** Puts a mutation into a copy, runs its tests, and takes it out again. */
async function tryOut(mutation: Mutation, copy: string): Promise<"caught" | "survived" | "outdated"> {
  const path = join(copy, mutation.file);
  const original = readFileSync(path, "utf8");
  const mutated = mutate(original, mutation);
  if (mutated === undefined) return "outdated";
  writeFileSync(path, mutated);
  const args = [join("test", "support", "run.ts"), "unit", mutation.test];
  // In a process group of its own, so that the processes of the tests end with it.
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ["ignore", "pipe", "ignore"], detached: true });
  running.add(child);
  const timer = setTimeout(stop, timeout, child);
  const output = await text(child.stdout);
  clearTimeout(timer);
  running.delete(child);
  writeFileSync(path, original);
  return /, 0 failed|failed: No test of/.test(output) ? "survived" : "caught";
}

function stop({ pid = 0 }: ChildProcess): void {
  process.kill(process.platform === "win32" ? pid : -pid);
}

if (import.meta.main) await main(process.argv[2]);
