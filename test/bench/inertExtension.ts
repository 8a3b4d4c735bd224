import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../../scripts/paths.ts";

/** The name of its folder, as VS Code gives it to installed extensions. */
export const inertFolder = renamed(`${manifest.publisher}.${manifest.name}-${manifest.version}`);

/**
 * Writes an extension with our contributions under other names, which registers them with functions that do nothing. What
 * it takes to activate is VS Code's part in our activation.
 */
export async function writeInertExtension(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const part of ["media", "package.nls.json"]) await cp(join(root, part), join(folder, part), { recursive: true });
  const text = JSON.stringify({ ...manifest, l10n: undefined, main: "./main.cjs" });
  await writeFile(join(folder, "package.json"), renamed(text));
  const { commands, chatParticipants, languageModelTools, views } = manifest.contributes;
  const ids = {
    commands: commands.map(({ command }) => command),
    participants: chatParticipants.map(({ id }) => id),
    tools: languageModelTools.map(({ name }) => name),
    views: views.explorer.map(({ id }) => id),
    vendors: manifest.contributes.languageModelChatProviders.map(({ vendor }) => vendor),
  };
  await writeFile(join(folder, "main.cjs"), codeFor(renamed(JSON.stringify(ids))));
}

function renamed(text: string): string {
  return text.replaceAll("codexGateway", "inertGateway").replaceAll("codex-gateway", "inert-gateway");
}

function codeFor(ids: string): string {
  return `
const { chat, CodeActionKind, commands, languages, lm, window, workspace } = require("vscode");
const nothing = () => undefined;
const none = () => [];
const ids = ${ids};
exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    window.createOutputChannel("Inert Gateway", { log: true }),
    window.createStatusBarItem("inertGateway.status"),
    window.registerUriHandler({ handleUri: nothing }),
    workspace.onDidChangeConfiguration(nothing),
    workspace.onDidRenameFiles(nothing),
    languages.registerCodeActionsProvider("*", { provideCodeActions: none }, { providedCodeActionKinds: [CodeActionKind.QuickFix] }),
    ...ids.commands.map((id) => commands.registerCommand(id, nothing)),
    ...ids.participants.map((id) => chat.createChatParticipant(id, nothing)),
    ...ids.tools.map((name) => lm.registerTool(name, { invoke: nothing })),
    ...ids.views.map((id) => window.registerWebviewViewProvider(id, { resolveWebviewView: nothing })),
    ...ids.vendors.map((vendor) =>
      lm.registerLanguageModelChatProvider(vendor, {
        provideLanguageModelChatInformation: none,
        provideLanguageModelChatResponse: nothing,
        provideTokenCount: () => 0,
      }),
    ),
  );
};`;
}
