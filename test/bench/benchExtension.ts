import { createVSIX } from "@vscode/vsce";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const manifest = {
  name: "bench",
  publisher: "bench",
  version: "1.0.0",
  engines: { vscode: "^1.127.0" },
  main: "./main.js",
  activationEvents: ["onStartupFinished"],
  contributes: {
    chatParticipants: [{ id: "bench.plain", name: "plain", description: "Answers at once" }],
    commands: [{ command: "bench.emptyPage", title: "Open Empty Page", category: "Bench" }],
  },
};

const code = `
const { chat, commands, ViewColumn, window } = require("vscode");
const open = () => {
  const options = { enableScripts: true, localResourceRoots: [] };
  const panel = window.createWebviewPanel("bench.emptyPage", "Empty Page", ViewColumn.Active, options);
  panel.webview.html = '<!DOCTYPE html><html><body><p id="empty">Empty</p></body></html>';
};
exports.activate = ({ subscriptions }) => {
  const answer = ({ prompt }, _, stream) => stream.markdown(prompt);
  subscriptions.push(chat.createChatParticipant("bench.plain", answer));
  subscriptions.push(commands.registerCommand("bench.emptyPage", open));
};`;

/**
 * Packages an extension that takes the least that VS Code takes: a participant, `@plain`, that repeats the question at once,
 * and a command that opens a page with one word. Returns the path of the VSIX.
 */
export async function packageBenchExtension(folder: string): Promise<string> {
  const [cwd, packagePath] = [join(folder, "bench"), join(folder, "bench.vsix")];
  await mkdir(cwd);
  await writeFile(join(cwd, "package.json"), JSON.stringify(manifest));
  await writeFile(join(cwd, "main.js"), code);
  await createVSIX({ cwd, packagePath, dependencies: false, skipLicense: true, allowMissingRepository: true });
  return packagePath;
}
