import { packageStub } from "../support/host/packageStub.ts";

const manifest = {
  name: "empty-page",
  publisher: "bench",
  version: "1.0.0",
  activationEvents: [],
  contributes: { commands: [{ command: "bench.emptyPage", title: "Open Empty Page", category: "Bench" }] },
};

const code = `
const { commands, ViewColumn, window } = require("vscode");
const open = () => {
  const options = { enableScripts: true, localResourceRoots: [] };
  const panel = window.createWebviewPanel("bench.emptyPage", "Empty Page", ViewColumn.Active, options);
  panel.webview.html = '<!DOCTYPE html><html><body><p id="empty">Empty</p></body></html>';
};
exports.activate = ({ subscriptions }) => {
  subscriptions.push(commands.registerCommand("bench.emptyPage", open));
};`;

/** Packages an extension with a command that opens a page with one word: the least that a page of VS Code takes. */
export async function packageEmptyPage(folder: string): Promise<string> {
  return packageStub(folder, manifest, code);
}
