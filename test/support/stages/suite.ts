import { build } from "esbuild";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { outputFolder, root } from "../../../scripts/paths.ts";
import { copyWorkspace } from "../host/profile.ts";
import { runSuite } from "../host/runSuite.ts";
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
  return JSON.parse(await readFile(reportFile, "utf8")) as Counts;
}

/** Output folder of the bundled suite, from where `require` still finds mocha. */
const suiteFolder = join(outputFolder, "suite");

/** Bundles the tests that run in the extension host, with source maps for the debugger. */
async function bundleSuite(): Promise<void> {
  await rm(suiteFolder, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ["test/suite/index.ts", ...globSync("test/suite/**/*.test.ts", { cwd: root })],
    outbase: join("test", "suite"),
    outdir: suiteFolder,
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

// `npm run build:suite`
if (import.meta.main) await bundleSuite();
