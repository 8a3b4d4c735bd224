import { build } from "esbuild";
import { cp, rm } from "node:fs/promises";

/**
 * The bundles. What is loaded at activation stays small: the client with its network stack is a file of its own that
 * loads at the first request. `errors` is one too, so that both see the same class.
 */
const bundles = {
  extension: "src/extension.ts",
  client: "src/gateway/client.ts",
  errors: "src/gateway/errors.ts",
};

/** Leaves an import of another bundle as a `require` of that bundle. */
const separateBundles = {
  name: "separate-bundles",
  setup({ onResolve }) {
    onResolve({ filter: /\/(client|errors)\.ts$/ }, ({ path, kind }) => {
      if (kind === "entry-point") return undefined;
      return { path: `./${/(\w+)\.ts$/.exec(path)[1]}.cjs`, external: true };
    });
  },
};

/** VS Code looks up which extension asks at every `require`, and each source file has one of its API: ask once. */
const requireOnce = `{
  const load = require, loaded = new Map();
  require = (name) => loaded.get(name) ?? loaded.set(name, load(name)).get(name);
}`;

const isProduction = process.argv.includes("--production");
await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: bundles,
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node24",
  supported: { "dynamic-import": false },
  external: ["vscode"],
  plugins: [separateBundles],
  minify: isProduction,
  sourcemap: isProduction ? false : "linked",
  legalComments: "none",
  banner: { js: `"use strict";${requireOnce}` },
  logLevel: "warning",
});
await cp("l10n", "dist/l10n", { recursive: true });
