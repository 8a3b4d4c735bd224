import { build, context, transform } from "esbuild";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import manifest from "./package.json" with { type: "json" };
import { billOfMaterials } from "./test/support/build/billOfMaterials.ts";
import { bundledPackages } from "./test/support/build/bundledPackages.ts";
import { thirdPartyNotices } from "./test/support/build/thirdPartyNotices.ts";

/** What loads at activation, at the first use of a feature, and (with the network stack) at the first request. */
const entryPoints = { extension: "src/extension.ts", features: "src/features.ts", client: "src/gateway/client.ts" };

/** VS Code looks up which extension asks at every `require`, and each source file has one of its API: ask once. */
const requireOnce = `{
  const load = require, loaded = new Map();
  require = (name) => loaded.get(name) ?? loaded.set(name, load(name)).get(name);
}`;

const isProduction = process.argv.includes("--production");
const form = { target: "node24", minify: isProduction, sourcemap: isProduction ? false : "inline" };

/** @type {import("esbuild").BuildOptions} Only modules can be split, so that what several bundles need stands in a file that they share. */
const options = {
  ...form,
  entryPoints,
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  chunkNames: "shared-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  external: ["vscode"],
  legalComments: "none",
  logLevel: "warning",
  write: false,
  metafile: true,
};

/** Writes the modules as CommonJS, which is what VS Code loads, and the lists of what they include. */
async function write({ outputFiles, metafile }) {
  await rm("dist", { recursive: true, force: true });
  await mkdir("dist");
  for (const { path, text } of outputFiles) {
    const asCommonJs = { ...form, format: "cjs", supported: { "dynamic-import": false } };
    // The file's place is what the sources of its source map are relative to.
    const { code } = await transform(text, {
      ...asCommonJs,
      sourcefile: path,
      banner: `"use strict";${requireOnce}`,
    });
    await writeFile(join("dist", basename(path)), code);
  }
  await cp("l10n", "dist/l10n", { recursive: true });
  const packages = await bundledPackages(metafile, { root: import.meta.dirname });
  await writeFile("dist/ThirdPartyNotices.txt", thirdPartyNotices(packages));
  await writeFile("dist/sbom.cdx.json", billOfMaterials(manifest, packages));
  // What esbuild itself says is in the bundles; it is not packaged.
  await writeFile("dist/meta.json", JSON.stringify(metafile));
}

if (process.argv.includes("--watch")) {
  // The two lines are what the task "watch" in .vscode/tasks.json waits for.
  const reporter = {
    name: "reporter",
    setup(build) {
      build.onStart(() => console.log("build started"));
      build.onEnd(async (result) => {
        if (result.errors.length === 0) await write(result);
        console.log("build finished");
      });
    },
  };
  await (await context({ ...options, plugins: [reporter] })).watch();
} else {
  await write(await build(options));
}
