import { commands, l10n } from "vscode";
import { runOwn } from "../failures/actions.ts";
import { type CommandName, extensionId } from "../manifest.ts";
import type { Services } from "../services.ts";
import { chatUse } from "../settings/vscodeChatSettings.ts";
import { openWalkthrough } from "../setup/welcome.ts";
import { pickRow, type Row } from "../ui/pickRow.ts";

/** Shows the status bar menu. */
export async function showMenu({ keys, settings }: Pick<Services, "keys" | "settings">): Promise<void> {
  const isReady = settings().baseUrl !== "" && (await keys.source("codex")) !== "none";
  const features = { name: l10n.t("use"), rows: featureRows() };
  const management = { name: l10n.t("set up and check"), rows: setUpRows() };
  await pickRow({
    title: "Codex Gateway",
    placeholder: isReady ? l10n.t("Select an action") : l10n.t("Set up the gateway first; it takes a minute"),
    sections: isReady ? [features, management] : [management, features],
  });
}

function featureRows(): readonly Row[] {
  return [
    row("openChat", "comment-discussion", l10n.t("Open Chat")),
    row("openChat", "files", l10n.t("Edit Files in the Chat"), "@codex /edit", "edit"),
    row("inlineChat", "edit", l10n.t("Inline Chat"), l10n.t("Ctrl+K G (Cmd+K G on macOS)")),
    row("reviewChanges", "code-review", l10n.t("Review Changes"), l10n.t("also in Source Control")),
    row("generateCommitMessage", "sparkle", l10n.t("Generate Commit Message"), l10n.t("also in Source Control")),
    row(
      "completions.configure",
      "lightbulb",
      l10n.t("Configure Completions"),
      l10n.t("Tab accepts, Alt+\\ triggers (Option+\\ on macOS)"),
    ),
    row("generateImage", "file-media", l10n.t("Generate Image")),
    row("selectModel", "hubot", l10n.t("Select Model")),
    chatUse() === "inUse"
      ? row("stopUsingForAiFeatures", "check", l10n.t("Stop Using in VS Code's Chat"), l10n.t("in use"))
      : row("useForAiFeatures", "sparkle", l10n.t("Use in VS Code's Chat"), l10n.t("Ask, Agent, and Codex Lean")),
  ];
}

function setUpRows(): readonly Row[] {
  const openSettings = (): Thenable<unknown> =>
    commands.executeCommand("workbench.action.openSettings", `@ext:${extensionId}`);
  return [
    row("setUp", "plug", l10n.t("Set Up")),
    row("testConnection", "pulse", l10n.t("Test Connection")),
    row("setApiKey", "key", l10n.t("Set API Key")),
    row("removeApiKey", "trash", l10n.t("Remove API Key")),
    row("clearHistory", "clear-all", l10n.t("Clear History")),
    row("showUsage", "graph", l10n.t("Show Usage")),
    row("showLog", "output", l10n.t("Show Log")),
    { label: `$(settings-gear) ${l10n.t("Open Settings")}`, run: openSettings },
    { label: `$(book) ${l10n.t("Get Started")}`, run: openWalkthrough },
  ];
}

/** A row for a command with these arguments. `hint` is its key binding, or where else it is offered. */
function row(name: CommandName, icon: string, title: string, hint = "", ...args: readonly string[]): Row {
  return { label: `$(${icon}) ${title}`, description: hint, run: () => runOwn(name, ...args) };
}
