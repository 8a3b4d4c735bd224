import { globSync } from "node:fs";
import { root } from "../host/paths.ts";
import type { Counts } from "./counts.ts";
import { runMocha } from "./runMocha.ts";

/** Runs the tests that drive a real VS Code with the packaged extension. */
export async function e2e(grep?: string): Promise<Counts | undefined> {
  const files = globSync("test/e2e/**/*.test.ts", { cwd: root });
  const hooks = new URL("../../e2e/support/hooks.ts", import.meta.url).href;
  return runMocha(files.sort(), { timeout: 120_000, grep, hooks });
}
