import { cp, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import manifest from "../../package.json" with { type: "json" };
import { startGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/profile.ts";
import { root, sampleWorkspace } from "../../scripts/paths.ts";
import { runSuite } from "../support/host/runSuite.ts";
import { inertFolder, writeInertExtension } from "./inertExtension.ts";
import { type Group, row } from "./rows.ts";

/** What `hostSuite.ts` measures in one window. Times are in milliseconds, memory in megabytes. */
export interface HostReport {
  /** Loading our bundle and running `activate`. */
  readonly activation: number;
  /** The same of an extension that registers what we register, and does nothing. */
  readonly inert: number;
  /** The same as VS Code reports it, which counts what else the extension host does meanwhile. */
  readonly reported: number;
  /** What VS Code reports of a small extension of its own that starts on the same event. */
  readonly neighbor: number;
  /** What is in use after the first chat, which loads the client. */
  readonly heapAtStart: number;
  readonly heapAtEnd: number;
}

const windows = 10;

/** What was promised of activation, against VS Code's merge-conflict in the same window. */
const activationLimit = 1;

/** What the heap may be of what it was: what VS Code itself goes on to load is in it. */
const heapLimit = 1.05;

/** The entry of the measured copy: ours, between two looks at the clock. */
const timedEntry = `
const start = performance.now();
const { activate, ...others } = require("./dist/extension.cjs");
const loaded = performance.now() - start;
module.exports = {
  ...others,
  activate(context) {
    const start = performance.now();
    const result = activate(context);
    globalThis.codexGatewayActivation = loaded + performance.now() - start;
    return result;
  },
};`;

/** What we cost an extension host, in windows opened one after the other: time to activate, and memory. */
export const host: Group = async () => {
  await using gateway = await startGateway();
  const { settings, env } = connectedTo(gateway);
  await using temporary = await mkdtempDisposable(join(tmpdir(), "bench-"));
  const folder = temporary.path;
  const [suite, reports] = [join(folder, "suite.cjs"), join(folder, "reports")];
  const [extension, neighbor] = [join(folder, "extension"), join(folder, inertFolder)];
  await bundle(suite);
  await copyExtension(extension);
  await writeInertExtension(neighbor);
  const reportTo = { CODEX_GATEWAY_BENCH_REPORT: reports };
  await runSuite({
    suite,
    extension,
    neighbor,
    workspace: sampleWorkspace,
    settings,
    env: { ...env, ...reportTo },
    windows,
  });
  const lines = (await readFile(reports, "utf8")).trimEnd().split("\n");
  const all = lines.map((line) => JSON.parse(line) as HostReport);
  const of = (field: keyof HostReport): number[] => all.map((report) => report[field]);
  return [
    row(
      "activation as VS Code reports it, vs its own merge-conflict",
      "ms",
      of("reported"),
      of("neighbor"),
      activationLimit,
    ),
    row("activation of our code, vs the same contributions without code", "ms", of("activation"), of("inert")),
    row("heap after 100 chats, vs after the first", "MB", of("heapAtEnd"), of("heapAtStart"), heapLimit),
  ];
};

async function copyExtension(folder: string): Promise<void> {
  for (const part of ["dist", "media", "package.nls.json"])
    await cp(join(root, part), join(folder, part), { recursive: true });
  await writeFile(join(folder, "timed.cjs"), timedEntry);
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, main: "./timed.cjs" }));
}

async function bundle(outfile: string): Promise<void> {
  const entryPoints = [join("test", "bench", "hostSuite.ts")];
  const form = { bundle: true, platform: "node", format: "cjs", target: "node24" } as const;
  await build({ absWorkingDir: root, entryPoints, outfile, ...form, external: ["vscode"] });
}
