import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { startGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/profile.ts";
import { root, sampleWorkspace } from "../../scripts/paths.ts";
import { runSuite } from "../support/host/runSuite.ts";
import { inertFolder, writeInertExtension } from "./inertExtension.ts";
import { type Group, row } from "./rows.ts";

/**
 * What `hostSuite.ts` measures in one window. Memory is in megabytes. Times are in milliseconds, as VS Code reports them for
 * loading and activating an extension: what else the extension host does meanwhile counts, too.
 */
export interface HostReport {
  readonly activation: number;
  /** Of an extension that registers what ours registers, and does nothing. */
  readonly inert: number;
  /** Of VS Code's own merge-conflict, a small extension that starts on the same event. */
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

/** What we cost an extension host, in windows opened one after the other: time to activate, and memory. */
export const host: Group = async () => {
  await using gateway = await startGateway();
  const { settings, env } = connectedTo(gateway);
  await using temporary = await mkdtempDisposable(join(tmpdir(), "bench-"));
  const folder = temporary.path;
  const [suite, reports] = [join(folder, "suite.cjs"), join(folder, "reports")];
  const neighbor = join(folder, inertFolder);
  await bundle(suite);
  await writeInertExtension(neighbor);
  const reporting = { ...env, CODEX_GATEWAY_BENCH_REPORT: reports };
  await runSuite({ suite, neighbor, workspace: sampleWorkspace, settings, env: reporting, windows });
  const lines = (await readFile(reports, "utf8")).trimEnd().split("\n");
  const all = lines.map((line) => JSON.parse(line) as HostReport);
  const of = (field: keyof HostReport): number[] => all.map((report) => report[field]);
  return [
    row("activation, vs VS Code's own merge-conflict", "ms", of("activation"), of("neighbor"), activationLimit),
    row("activation, vs the same contributions without code", "ms", of("activation"), of("inert")),
    row("heap after 100 chats, vs after the first", "MB", of("heapAtEnd"), of("heapAtStart"), heapLimit),
  ];
};

async function bundle(outfile: string): Promise<void> {
  const entryPoints = [join("test", "bench", "hostSuite.ts")];
  const form = { bundle: true, platform: "node", format: "cjs", target: "node24" } as const;
  await build({ absWorkingDir: root, entryPoints, outfile, ...form, external: ["vscode"] });
}
