import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { startGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { root, sampleWorkspace } from "../support/host/paths.ts";
import { runSuite } from "../support/host/runSuite.ts";
import { type Group, row } from "./rows.ts";

/** What `hostSuite.ts` measures in one window. */
export interface HostReport {
  /** Loading and activating our extension, in milliseconds. */
  readonly activation: number;
  /** The same of a small extension of VS Code itself that starts on the same event. */
  readonly neighbor: number;
  /** What is in use after the first chat, which loads the client, in megabytes. */
  readonly heapAtStart: number;
  readonly heapAtEnd: number;
}

const windows = 10;

/** What was promised of activation, in milliseconds. */
const activationLimit = 10;

/** What the heap may be of what it was: what VS Code itself goes on to load is in it. */
const heapLimit = 1.1;

/** What we cost an extension host, in windows opened one after the other: time to activate, and memory. */
export const host: Group = async () => {
  await using gateway = await startGateway();
  const { settings, env } = connectedTo(gateway);
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const [suite, reportFile] = [join(folder, "hostSuite.cjs"), join(folder, "reports")];
    await bundle(suite);
    const reportTo = { CODEX_GATEWAY_BENCH_REPORT: reportFile };
    await runSuite({ suite, workspace: sampleWorkspace, settings, env: { ...env, ...reportTo }, windows });
    const lines = (await readFile(reportFile, "utf8")).trimEnd().split("\n");
    const reports = lines.map((line) => JSON.parse(line) as HostReport);
    const of = (field: keyof HostReport): number[] => reports.map((report) => report[field]);
    return [
      row("activation, as VS Code measures it, vs the limit", "ms", of("activation"), [activationLimit], 1),
      row("activation, as VS Code measures it, vs its own merge-conflict", "ms", of("activation"), of("neighbor")),
      row("heap after 100 chats, vs after the first", "MB", of("heapAtEnd"), of("heapAtStart"), heapLimit),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
};

async function bundle(outfile: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [join("test", "bench", "hostSuite.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node24",
    external: ["vscode"],
  });
}
