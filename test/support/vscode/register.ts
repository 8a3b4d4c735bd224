import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { stub } from "./stub.ts";

// Lets unit tests import code that imports `vscode`, which exists in the extension host only.
const url = "stub:vscode";
const types = readFileSync(fileURLToPath(import.meta.resolve("@types/vscode/index.d.ts")), "utf8");
const declared = types.matchAll(/^\texport (?:abstract )?(?:class|const|enum|namespace) (\w+)/gm);
const names = new Set([...Array.from(declared, ([, name]) => name), ...Object.keys(stub)]);
const stubUrl = JSON.stringify(import.meta.resolve("./stub.ts"));
const source = `import { stub } from ${stubUrl}; export const { ${[...names].join()} } = stub;`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url, format: "module", shortCircuit: true } : next(specifier, context),
  load: (loaded, context, next) =>
    loaded === url ? { format: "module", source, shortCircuit: true } : next(loaded, context),
});
