import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { copyWorkspace } from "../host/copyWorkspace.ts";
import { runSuite } from "../host/runSuite.ts";
import { bundleSuite, suiteFolder } from "./bundleSuite.ts";
import type { Counts } from "./counts.ts";

/** Runs the tests in a real extension host, which can query the API for what the screen does not show. */
export async function suite(grep?: string): Promise<Counts> {
  await bundleSuite();
  const reportFile = join(suiteFolder, "report.json");
  const env = {
    CODEX_GATEWAY_SUITE_REPORT: reportFile,
    CODEX_GATEWAY_SUITE_GREP: grep,
    CODEX_GATEWAY_API_KEY: undefined,
    CODEX_GATEWAY_IMAGE_API_KEY: undefined,
    CODEX_GATEWAY_ORIGINS: undefined,
  };
  await using workspace = await copyWorkspace();
  await runSuite({ suite: join(suiteFolder, "index.cjs"), workspace: workspace.folder, env });
  const { text, ...counts } = JSON.parse(await readFile(reportFile, "utf8")) as Counts & { readonly text: string };
  console.log(text);
  return counts;
}
