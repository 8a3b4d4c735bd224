import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { commands, extensions, LanguageModelChatMessage, lm, workspace } from "vscode";
import { vendor } from "../../src/manifest.ts";
import type { HostReport } from "./host.ts";

const chats = 100;

/** Runs in a real extension host, once in each window. */
export async function run(): Promise<void> {
  await extensions.getExtension("codex-gateway.codex-gateway")?.activate();
  await extensions.getExtension("inert-gateway.inert-gateway")?.activate();
  const activation = await reportedTime("codex-gateway.codex-gateway");
  const inert = await reportedTime("inert-gateway.inert-gateway");
  const neighbor = await reportedTime("vscode.merge-conflict");
  await chat(1);
  const heapAtStart = await heapInUse();
  for (let count = 2; count <= chats; count += 1) await chat(count);
  const report: HostReport = { activation, inert, neighbor, heapAtStart, heapAtEnd: await heapInUse() };
  await appendFile(process.env.CODEX_GATEWAY_BENCH_REPORT ?? "", `${JSON.stringify(report)}\n`);
}

/** Loading and activating an extension in milliseconds, from the table that "Developer: Startup Performance" shows. */
async function reportedTime(id: string): Promise<number> {
  const row = new RegExp(`^\\| ${id} +\\| \\w+ +\\| (\\d+) +\\| (\\d+) +\\| (\\d+) +\\|`, "m");
  for (;;) {
    await commands.executeCommand("perfview.show");
    const table = workspace.textDocuments.find(({ uri }) => uri.scheme === "perf")?.getText() ?? "";
    const times = row.exec(table)?.slice(1);
    if (times) return times.reduce((sum, time) => sum + Number(time), 0);
    await sleep(200);
  }
}

async function chat(count: number): Promise<void> {
  const [model] = await lm.selectChatModels({ vendor });
  const question = LanguageModelChatMessage.User(`Question ${count}: why is the sea blue?`);
  const answer = await model?.sendRequest([question]);
  let length = 0;
  for await (const text of answer?.text ?? []) length += text.length;
  if (length === 0) throw new Error(`Chat ${count} has no answer.`);
}

/** In megabytes, without what is garbage. */
async function heapInUse(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await sleep(200);
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
