import { Module } from "node:module";
import { sep } from "node:path";
import type * as vscode from "vscode";
import manifest from "../../../package.json" with { type: "json" };
import { makeNote, notesVariable } from "./notes.ts";

/**
 * Loaded into the extension host with `--import`: notes which commands, settings and views of the extension are used. The
 * extension is unaware of it.
 */
const ours = `${sep}${manifest.publisher}.${manifest.name}-`;
const seen = new Set<string>();
const watchedApis = new WeakMap<object, object>();

if (process.env[notesVariable]) {
  const { require: load } = Module.prototype as { require: (this: Module, id: string) => unknown };
  Object.assign(Module.prototype, {
    require(this: Module, id: string): unknown {
      const loaded = load.call(this, id);
      return id === "vscode" && this.filename.includes(ours) ? watched(loaded as typeof vscode) : loaded;
    },
  });
}

function noteOnce(kind: "command" | "setting" | "view", id: string): void {
  if (seen.has(`${kind} ${id}`)) return;
  seen.add(`${kind} ${id}`);
  makeNote(kind, id);
}

/** VS Code's API, with calls noted. */
function watched(api: typeof vscode): object {
  const known = watchedApis.get(api);
  if (known) return known;
  const { commands, window, workspace } = api;
  const view = {
    // Bundlers copy the properties of namespace imports, so these must be its own.
    ...api,
    commands: overriding(commands, {
      registerCommand: (id: string, run: (...args: unknown[]) => unknown) =>
        commands.registerCommand(id, (...args: unknown[]) => {
          noteOnce("command", id);
          return run(...args);
        }),
    }),
    window: overriding(window, {
      registerWebviewViewProvider: (id: string, provider: vscode.WebviewViewProvider) =>
        window.registerWebviewViewProvider(id, {
          resolveWebviewView: (...call) => {
            noteOnce("view", id);
            return provider.resolveWebviewView(...call);
          },
        }),
    }),
    workspace: overriding(workspace, {
      getConfiguration: (section = "", scope?: vscode.ConfigurationScope | null) =>
        watchedConfiguration(workspace.getConfiguration(section, scope), section),
    }),
  };
  watchedApis.set(api, view);
  return view;
}

/** A setting counts only if it is set, because every snapshot reads all defaults. */
function watchedConfiguration(configuration: vscode.WorkspaceConfiguration, section: string): object {
  return overriding(configuration, {
    get: (name: string, fallback?: unknown) => {
      const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(name) ?? {};
      const isSet = [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined);
      if (isSet) noteOnce("setting", `${section}.${name}`);
      return configuration.get(name, fallback);
    },
  });
}

/** An object with the properties of another, which VS Code has frozen, except these. */
function overriding(target: object, overrides: Readonly<Record<string, unknown>>): object {
  return Object.create(target, Object.getOwnPropertyDescriptors(overrides)) as object;
}
