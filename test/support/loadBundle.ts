import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What happens when a bundle is loaded: the modules that it loads, what it exports, and the time, in milliseconds. */
export interface LoadedBundle {
  readonly loaded: readonly string[];
  readonly exported: readonly string[];
  readonly time: number;
}

const script = `
  const Module = require("node:module");
  const load = Module._load;
  const loaded = [];
  const toText = () => "shell";
  const get = (target, name) =>
    name === "prototype" ? target.prototype : name === Symbol.toPrimitive ? toText : shell;
  const shell = new Proxy(function () {}, { get, apply: () => shell });
  Module._load = (name, ...rest) => {
    loaded.push(name);
    return name === "vscode" ? shell : load(name, ...rest);
  };
  const start = performance.now();
  const exported = require(process.argv[1]);
  const time = performance.now() - start;
  console.log(JSON.stringify({ loaded: loaded.slice(1), exported: Object.keys(exported), time }));
  process.exit();`;

/** Loads a bundle in a process of its own, where `vscode` is an empty shell. */
export async function loadBundle(file: string): Promise<LoadedBundle> {
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script, file]);
  return JSON.parse(stdout) as LoadedBundle;
}
