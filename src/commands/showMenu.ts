import { commands, l10n } from "vscode";
import { runOwn } from "../failures/actions.ts";
import { type CommandName, extensionId } from "../manifest.ts";
import type { Services } from "../services.ts";
import { chatUse } from "../settings/chatSettings.ts";
import { openWalkthrough } from "../setup/welcome.ts";
import { pickRow, type Row } from "../ui/pickRow.ts";

/** Shows the status bar menu. */
export async function showMenu({ keys, settings }: Pick<Services, "keys" | "settings">): Promise<void> {
  const isReady = settings().baseUrl !== "" && (await keys.source("codex")) !== "none";
  const use = { name: l10n.t("use"), rows: [...uses.map(toRow), chatRow()] };
  const care = { name: l10n.t("set up and check"), rows: [...cares.map(toRow), ...pages()] };
  await pickRow({
    title: "Codex Gateway",
    placeholder: isReady ? l10n.t("Select an action") : l10n.t("Set up the gateway first; it takes a minute"),
    sections: isReady ? [use, care] : [care, use],
  });
}

/** Says whether all of VS Code's chat uses the gateway's models, and changes it. */
function chatRow(): Row {
  return chatUse() === "inUse"
    ? {
        ...toRow(["stopUsingForAiFeatures", "check", () => l10n.t("Stop Using in VS Code's Chat")]),
        description: l10n.t("in use"),
      }
    : toRow(["useForAiFeatures", "sparkle", () => l10n.t("Use in VS Code's Chat")]);
}

/** Rows that open views and pages of VS Code. */
function pages(): readonly Row[] {
  const openSettings = (): Thenable<unknown> =>
    commands.executeCommand("workbench.action.openSettings", `@ext:${extensionId}`);
  return [
    { label: `$(settings-gear) ${l10n.t("Open Settings")}`, run: openSettings },
    { label: `$(book) ${l10n.t("Get Started")}`, run: openWalkthrough },
  ];
}

/** A row for a command. `hint` says its keys or where else it is; `argument` is the command's. */
type MenuItem = readonly [name: CommandName, icon: string, title: () => string, hint?: () => string, argument?: string];

const uses: readonly MenuItem[] = [
  ["openChat", "comment-discussion", () => l10n.t("Open Chat")],
  ["openChat", "files", () => l10n.t("Edit Files in the Chat"), () => "@codex /edit", "edit"],
  ["inlineChat", "edit", () => l10n.t("Inline Chat"), () => l10n.t("Ctrl+K G (Cmd+K G on macOS)")],
  ["reviewChanges", "code-review", () => l10n.t("Review Changes"), () => l10n.t("also in Source Control")],
  ["generateCommitMessage", "sparkle", () => l10n.t("Generate Commit Message"), () => l10n.t("also in Source Control")],
  [
    "completions.configure",
    "lightbulb",
    () => l10n.t("Configure Completions"),
    () => l10n.t("Tab accepts, Alt+\\ asks (Option+\\ on macOS)"),
  ],
  ["generateImage", "file-media", () => l10n.t("Generate Image")],
  ["selectModel", "hubot", () => l10n.t("Select Model")],
];

const cares: readonly MenuItem[] = [
  ["setUp", "plug", () => l10n.t("Set Up")],
  ["testConnection", "pulse", () => l10n.t("Test Connection")],
  ["setApiKey", "key", () => l10n.t("Set API Key")],
  ["removeApiKey", "trash", () => l10n.t("Remove API Key")],
  ["clearHistory", "clear-all", () => l10n.t("Clear History")],
  ["showUsage", "graph", () => l10n.t("Show Usage")],
  ["showLog", "output", () => l10n.t("Show Log")],
];

function toRow([name, icon, title, hint, argument]: MenuItem): Row {
  return {
    label: `$(${icon}) ${title()}`,
    ...(hint && { description: hint() }),
    run: () => runOwn(name, ...(argument === undefined ? [] : [argument])),
  };
}
