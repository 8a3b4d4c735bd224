import { build, context, transform } from "esbuild";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import manifest from "./package.json" with { type: "json" };
import { billOfMaterials } from "./scripts/bundle/billOfMaterials.ts";
import { bundledPackages } from "./scripts/bundle/bundledPackages.ts";
import { thirdPartyNotices } from "./scripts/bundle/thirdPartyNotices.ts";

/**
 * Bundles loaded at activation, at the first use of a feature, when completions are on, and at the first request (with the
 * network stack).
 */
const entryPoints = {
  extension: "src/extension.ts",
  features: "src/features.ts",
  completions: "src/completions/completions.ts",
  client: "src/gateway/client.ts",
};

/**
 * Caches `require`: VS Code searches for the calling extension at every `require("vscode")`
 * (extHostRequireInterceptor.ts, VS Code 1.139), and each source file has one.
 */
const requireOnce = `{
  const load = require, loaded = new Map();
  require = (name) => loaded.get(name) ?? loaded.set(name, load(name)).get(name);
}`;

/**
 * Makes the features import the extension, which is always loaded before them, and the completions both. What activation
 * needs is then in two files: one with what the client shares, which knows nothing of VS Code, and one with the rest. Each
 * additional file takes time to find, read and compile.
 * @type {import("esbuild").Plugin}
 */
const afterActivation = {
  name: "after-activation",
  setup(build) {
    const first = `import ${JSON.stringify(resolve(entryPoints.extension))};`;
    const second = `import ${JSON.stringify(resolve(entryPoints.features))};`;
    build.onLoad({ filter: /[\\/]src[\\/]features\.ts$/ }, async ({ path }) => ({
      contents: first + (await readFile(path, "utf8")),
      loader: "ts",
    }));
    build.onLoad({ filter: /[\\/]src[\\/]completions[\\/]completions\.ts$/ }, async ({ path }) => ({
      contents: first + second + (await readFile(path, "utf8")),
      loader: "ts",
    }));
  },
};

const isProduction = process.argv.includes("--production");
const form = { target: "node24", minify: isProduction, sourcemap: isProduction ? false : "inline" };

/**
 * @type {import("esbuild").BuildOptions} ESM output, because esbuild can split only modules: code shared by several
 * bundles goes into a file of its own.
 */
const options = {
  ...form,
  // Identifiers keep their names here because the file that becomes the entry exports `activate` under its own.
  minify: false,
  minifySyntax: isProduction,
  minifyWhitespace: isProduction,
  entryPoints,
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  chunkNames: "shared-[hash]",
  bundle: true,
  // Paths of packages become part of the bundle: the same where node_modules is a link.
  preserveSymlinks: true,
  splitting: true,
  platform: "node",
  format: "esm",
  external: ["vscode"],
  legalComments: "none",
  logLevel: "warning",
  write: false,
  metafile: true,
  // As Node bundles undici: without milo, its second HTTP parser, which is off unless asked for (undici 8.12, client-h1.js).
  define: { esbuildDetection: "1" },
  plugins: [afterActivation],
};

/** Writes the bundles as CommonJS, which VS Code loads, and the lists of what they contain. */
async function write({ outputFiles, metafile }) {
  await rm("dist", { recursive: true, force: true });
  await mkdir("dist");
  // These entries only re-export from the files with their own code, so those take their places.
  const names = new Map(
    ["extension", "features"].map((name) => {
      const [own] = Object.entries(metafile.outputs)
        .filter(([, { inputs }]) => Object.keys(inputs).some((path) => path.endsWith(entryPoints[name])))
        .map(([path]) => basename(path));
      return [own, `${name}.cjs`];
    }),
  );
  const shells = new Set([...names].filter(([own, entry]) => own !== entry).map(([, entry]) => entry));
  for (const { path, text } of outputFiles) {
    if (shells.has(basename(path))) continue;
    const asCommonJs = { ...form, format: "cjs", supported: { "dynamic-import": false } };
    // Source paths in a source map are relative to its file.
    const { code } = await transform(text, {
      ...asCommonJs,
      sourcefile: path,
      banner: `"use strict";${requireOnce}`,
    });
    const renamed = [...names].reduce((all, [own, entry]) => all.replaceAll(`./${own}`, `./${entry}`), code);
    await writeFile(join("dist", names.get(basename(path)) ?? basename(path)), renamed);
  }
  await cp("l10n", "dist/l10n", { recursive: true });
  const packages = await bundledPackages(metafile, import.meta.dirname);
  await writeFile("dist/ThirdPartyNotices.txt", thirdPartyNotices(packages));
  await writeFile("dist/sbom.cdx.json", billOfMaterials(manifest, packages));
  // esbuild's list of bundled files; it is not packaged.
  await writeFile("dist/meta.json", JSON.stringify(metafile));
}

if (process.argv.includes("--watch")) {
  // The two messages that the task "watch" in .vscode/tasks.json waits for.
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
  await (await context({ ...options, plugins: [afterActivation, reporter] })).watch();
} else {
  await write(await build(options));
}
