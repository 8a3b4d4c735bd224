import { createVSIX } from "@vscode/vsce";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageExtension } from "../../scripts/packageExtension.ts";
import { vsixPath } from "../../scripts/paths.ts";
import { openWorkbench, type Workbench } from "../e2e/support/workbench.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { reply } from "../support/gateway/reply.ts";
import type { GatewayStart } from "../support/gateway/types.ts";
import { connectedTo } from "../support/host/profile.ts";
import type { Times } from "./rows.ts";

const manifest = {
  name: "bench",
  publisher: "bench",
  version: "1.0.0",
  engines: { vscode: "^1.127.0" },
  main: "./main.js",
  activationEvents: ["onStartupFinished"],
  contributes: {
    chatParticipants: [{ id: "bench.plain", name: "plain", description: "Answers at once", isSticky: true }],
    commands: [{ command: "bench.emptyPage", title: "Open Empty Page", category: "Bench" }],
  },
};

/** The question of the benchmarks, and the answer of the local gateway. */
export const question = "Question";
export const answer = reply({
  model: "gpt-5.5",
  turns: [{ role: "user", text: question, calls: [] }],
  tools: [],
  mustCall: false,
}).text;

const code = `
const { chat, commands, ThemeIcon, ViewColumn, window } = require("vscode");
const open = () => {
  const options = { enableScripts: true, localResourceRoots: [] };
  const panel = window.createWebviewPanel("bench.emptyPage", "Empty Page", ViewColumn.Active, options);
  panel.webview.html = '<!DOCTYPE html><html><body><p id="empty">Empty</p></body></html>';
};
exports.activate = ({ subscriptions }) => {
  const answer = (_, __, stream) => stream.markdown(${JSON.stringify(answer)});
  const participant = chat.createChatParticipant("bench.plain", answer);
  participant.iconPath = new ThemeIcon("hubot");
  participant.followupProvider = { provideFollowups: () => [] };
  subscriptions.push(participant, commands.registerCommand("bench.emptyPage", open));
};`;

/** Measures in a real VS Code with our extension, and with one that does the minimum. */
export async function inWorkbench(
  measure: (workbench: Workbench, gateway: LocalGateway) => Promise<void>,
  start?: GatewayStart,
): Promise<void> {
  await packageExtension();
  await using folder = await mkdtempDisposable(join(tmpdir(), "bench-"));
  await using gateway = await startGateway(start);
  const extensions = [vsixPath, await packageBenchExtension(folder.path)];
  await using workbench = await openWorkbench({ ...connectedTo(gateway), extensions });
  await measure(workbench, gateway);
}

/** The measurements in a window. */
interface Measured {
  readonly prepare: () => Promise<void>;
  readonly measure: () => Promise<number>;
  readonly laterTimes: number;
}

/** Measures in a new window, which a reload makes with an extension host of its own: the first time, and later ones. */
export async function measureWindow(
  workbench: Workbench,
  { first, later }: Times,
  { prepare, measure, laterTimes }: Measured,
): Promise<void> {
  await workbench.reload();
  await workbench.statusBarItem(/primary$/).waitFor();
  await prepare();
  first.push(await measure());
  for (let count = 0; count < laterTimes; count += 1) later.push(await measure());
}

/**
 * Packages an extension with a participant, `@plain`, that looks like `@codex` and gives the local gateway's answer at once,
 * and a command that opens a page with one word. Returns the path of the VSIX.
 */
async function packageBenchExtension(folder: string): Promise<string> {
  const [cwd, packagePath] = [join(folder, "bench"), join(folder, "bench.vsix")];
  await mkdir(cwd);
  await writeFile(join(cwd, "package.json"), JSON.stringify(manifest));
  await writeFile(join(cwd, "main.js"), code);
  await createVSIX({ cwd, packagePath, dependencies: false, skipLicense: true, allowMissingRepository: true });
  return packagePath;
}
