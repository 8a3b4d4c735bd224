import { build } from "esbuild";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { copyWorkspace } from "../host/copyWorkspace.ts";
import { cacheFolder, root } from "../host/paths.ts";
import { runSuite } from "../host/runSuite.ts";
import { asCounts, type Counts } from "./counts.ts";

/** Where the bundled suite goes; `require` still finds mocha from there. */
const folder = join(cacheFolder, "suite");

/** Runs the tests inside a real extension host, where they can ask the API what a screen does not show. */
export async function suite(grep?: string): Promise<Counts | undefined> {
  await bundle();
  const reportFile = join(folder, "report.json");
  const env = {
    CODEX_GATEWAY_SUITE_REPORT: reportFile,
    CODEX_GATEWAY_SUITE_GREP: grep,
    CODEX_GATEWAY_API_KEY: undefined,
    CODEX_GATEWAY_IMAGE_API_KEY: undefined,
    CODEX_GATEWAY_ORIGINS: undefined,
  };
  await using workspace = await copyWorkspace();
  await runSuite({ suite: join(folder, "index.cjs"), workspace: workspace.folder, env });
  const report: unknown = JSON.parse(await readFile(reportFile, "utf8"));
  if (typeof report !== "object" || report === null || !("text" in report)) return undefined;
  console.log(report.text);
  return asCounts(report);
}

async function bundle(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ["test/suite/index.ts", ...globSync("test/suite/**/*.test.ts", { cwd: root })],
    outbase: join("test", "suite"),
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node24",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    logLevel: "warning",
  });
}
