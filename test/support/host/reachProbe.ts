import { appendFileSync } from "node:fs";
import { Module } from "node:module";
import { join, sep } from "node:path";
import type * as vscode from "vscode";
import manifest from "../../../package.json" with { type: "json" };
import { reachedVariable } from "./reached.ts";

/**
 * Loaded into the extension host with `--import`: records which commands, settings and views of the extension are used,
 * one per line, in a folder named by the environment. The extension is unaware of it.
 */
const folder = process.env[reachedVariable];
const ours = `${sep}${manifest.publisher}.${manifest.name}-`;
const seen = new Set<string>();
const wrapped = new WeakMap<object, object>();

if (folder) {
  const { require: load } = Module.prototype as { require: (this: Module, id: string) => unknown };
  Object.assign(Module.prototype, {
    require(this: Module, id: string): unknown {
      const loaded = load.call(this, id);
      return id === "vscode" && this.filename.includes(ours) ? watched(loaded as typeof vscode) : loaded;
    },
  });
}

function note(what: string): void {
  if (seen.has(what)) return;
  seen.add(what);
  appendFileSync(join(folder ?? "", `${process.pid}.txt`), `${what}\n`);
}

/** VS Code's API, with calls recorded. */
function watched(api: typeof vscode): object {
  const known = wrapped.get(api);
  if (known) return known;
  const replacements: Readonly<Record<string, object>> = {
    commands: replacing(api.commands, {
      registerCommand: (id: string, run: (...args: unknown[]) => unknown) =>
        api.commands.registerCommand(id, (...args: unknown[]) => {
          note(`command ${id}`);
          return run(...args);
        }),
    }),
    window: replacing(api.window, {
      registerWebviewViewProvider: (id: string, provider: vscode.WebviewViewProvider) =>
        api.window.registerWebviewViewProvider(id, {
          resolveWebviewView: (...call) => {
            note(`view ${id}`);
            return provider.resolveWebviewView(...call);
          },
        }),
    }),
    workspace: replacing(api.workspace, {
      getConfiguration: (section?: string, scope?: vscode.ConfigurationScope | null) =>
        watchedConfiguration(api.workspace.getConfiguration(section, scope), section ?? ""),
    }),
  };
  const view = replacing(api, replacements);
  wrapped.set(api, view);
  return view;
}

/** A setting counts only if it is set, because every snapshot reads all defaults. */
function watchedConfiguration(configuration: vscode.WorkspaceConfiguration, section: string): object {
  return replacing(configuration, {
    get: (name: string, fallback?: unknown) => {
      const known = configuration.inspect(name);
      const isSet = [known?.globalValue, known?.workspaceValue, known?.workspaceFolderValue].some(
        (value) => value !== undefined,
      );
      if (isSet) note(`setting ${section}.${name}`);
      return configuration.get(name, fallback);
    },
  });
}

/**
 * A stand-in for another object. Not a proxy of it: VS Code's API is frozen, and proxies must report frozen properties
 * truthfully (ECMAScript, 10.5).
 */
function replacing(target: object, replacements: Readonly<Record<string, unknown>>): object {
  const valueOf = (name: string | symbol): unknown =>
    typeof name === "string" && Object.hasOwn(replacements, name) ? replacements[name] : Reflect.get(target, name);
  return new Proxy(
    {},
    {
      has: (_, name) => name in target,
      get: (_, name) => valueOf(name),
      // Bundlers copy the properties of namespace imports.
      ownKeys: () => Reflect.ownKeys(target),
      getOwnPropertyDescriptor: (_, name) =>
        name in target ? { configurable: true, enumerable: true, get: () => valueOf(name) } : undefined,
    },
  );
}
