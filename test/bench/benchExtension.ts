import { createVSIX } from "@vscode/vsce";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vsixPath } from "../../scripts/paths.ts";
import { openWorkbench, type Workbench } from "../e2e/support/workbench.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import type { GatewayStart } from "../support/gateway/types.ts";
import { connectedTo } from "../support/host/profile.ts";

const manifest = {
  name: "bench",
  publisher: "bench",
  version: "1.0.0",
  engines: { vscode: "^1.127.0" },
  main: "./main.js",
  activationEvents: ["onStartupFinished"],
  contributes: {
    chatParticipants: [{ id: "bench.plain", name: "plain", description: "Answers at once", isSticky: true }],
  },
};

/** What the local gateway and `@plain` answer where this is the whole answer. */
export const answer = "Sunlight is scattered by the air, and blue most of all.";

const code = `
const { chat, ThemeIcon } = require("vscode");
exports.activate = ({ subscriptions }) => {
  const answer = (_, __, stream) => stream.markdown(${JSON.stringify(answer)});
  const participant = chat.createChatParticipant("bench.plain", answer);
  participant.iconPath = new ThemeIcon("hubot");
  participant.followupProvider = { provideFollowups: () => [] };
  subscriptions.push(participant);
};`;

/** Measures in a real VS Code with our extension, and with one that does the minimum. */
export async function inWorkbench(
  measure: (workbench: Workbench, gateway: LocalGateway) => Promise<void>,
  start: GatewayStart,
): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "bench-"));
  await using gateway = await startGateway(start);
  const extensions = [vsixPath, await packageBenchExtension(folder.path)];
  await using workbench = await openWorkbench({ ...connectedTo(gateway), extensions });
  await measure(workbench, gateway);
}

/**
 * Packages an extension with a participant, `@plain`, that looks like `@codex` and answers at once. Returns the path of the
 * VSIX.
 */
async function packageBenchExtension(folder: string): Promise<string> {
  const [cwd, packagePath] = [join(folder, "bench"), join(folder, "bench.vsix")];
  await mkdir(cwd);
  await writeFile(join(cwd, "package.json"), JSON.stringify(manifest));
  await writeFile(join(cwd, "main.js"), code);
  await createVSIX({ cwd, packagePath, dependencies: false, skipLicense: true, allowMissingRepository: true });
  return packagePath;
}
