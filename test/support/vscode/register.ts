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

const namespaces: readonly object[] = [stub.window, stub.workspace, stub.extensions, stub.env, stub.l10n];
const originals = namespaces.map((namespace) => [namespace, { ...namespace }] as const);

/** What a test puts into the namespaces of the API is there until its end. */
export const mochaHooks = {
  afterEach: (): void => {
    for (const [namespace, original] of originals) {
      for (const name of Object.keys(namespace)) Reflect.deleteProperty(namespace, name);
      Object.assign(namespace, original);
    }
  },
};

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url, format: "module", shortCircuit: true } : next(specifier, context),
  load: (loaded, context, next) =>
    loaded === url ? { format: "module", source, shortCircuit: true } : next(loaded, context),
});
