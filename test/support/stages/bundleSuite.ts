import { build } from "esbuild";
import { globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, root } from "../../../scripts/paths.ts";

/** Output folder of the bundled suite, from where `require` still finds mocha. */
export const suiteFolder = join(cacheFolder, "suite");

/** Bundles the tests that run in the extension host, with source maps for the debugger. */
export async function bundleSuite(): Promise<void> {
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
