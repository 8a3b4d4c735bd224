import {
  commands,
  type ExtensionContext,
  extensions,
  l10n,
  StatusBarAlignment,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { chatUse } from "../settings/chatSettings.ts";
import { quote } from "../text/safeText.ts";
import { type EntryStatus, entryStatusOf, type GatewayFacts } from "./entryStatus.ts";
import type { SessionStats } from "./sessionStats.ts";
import { statusTooltip } from "./statusTooltip.ts";

/** Shows model and entry in the status bar, with a warning color for problems, and updates the walkthrough. */
export function showStatus(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  session: SessionStats,
): ExtensionContext["subscriptions"] {
  const item = window.createStatusBarItem(`${prefix}.status`, StatusBarAlignment.Right, 100);
  const reached = new Set<string>();
  let hasKey: boolean | undefined;

  const show = (): void => {
    const { baseUrl, backupBaseUrl, chatModel, models } = settings();
    const { health, servedBy, usage } = session;
    // No warning until the secret storage has answered.
    const facts: GatewayFacts = { baseUrl, backupBaseUrl, hasKey: hasKey ?? true, health, servedBy };
    const status = entryStatusOf(facts);
    const [text, label] = looks[status];
    const nameOf = (model: string): string => models.find(({ id }) => id === model)?.name ?? quote(model);
    const model = nameOf(chatModel);
    const { share, sentence } = usage.budget ?? {};
    item.text = share === undefined ? text(model) : `${text(model)} $(graph) ${share}`;
    const spoken = sentence === undefined ? label(model) : l10n.t("{0} {1}", label(model), sentence);
    item.accessibilityInformation = { label: spoken, role: "button" };
    item.backgroundColor = warnings.has(status) ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    item.command = `${prefix}.${status === "notSetUp" ? "setUp" : "showMenu"}`;
    item.tooltip = statusTooltip(label(model), facts, session, nameOf);
    const milestones = {
      isSetUp: baseUrl !== "" && hasKey === true,
      isInChat: chatUse() === "inUse",
      hasAnswered: session.answered.has("text"),
      hasGeneratedImage: session.answered.has("image"),
    };
    for (const [name, isReached] of Object.entries(milestones)) {
      if (reached.has(name) === isReached) continue;
      reached[isReached ? "add" : "delete"](name);
      void commands.executeCommand("setContext", `${prefix}.${name}`, isReached);
    }
  };
  const readKey = async (): Promise<void> => {
    hasKey = (await keys.source("codex")) !== "none";
    show();
  };

  item.name = "Codex Gateway";
  void readKey().then(() => {
    item.show();
  });
  return [
    item,
    session.onDidChange(show),
    keys.onDidChange(() => void readKey()),
    extensions.onDidChange(show),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("chat")) show();
      if (!change.affectsConfiguration(prefix)) return;
      const areOthers = ["baseUrl", "backupBaseUrl"].some((name) => change.affectsConfiguration(`${prefix}.${name}`));
      if (areOthers) session.forgetEntries();
      if (change.affectsConfiguration(`${prefix}.chat.api`)) session.responsesModels.clear();
      show();
    }),
  ];
}

/** The text and the accessibility label of each status. */
const looks: Record<EntryStatus, readonly [text: (model: string) => string, label: (model: string) => string]> = {
  notSetUp: [() => `$(plug) ${l10n.t("Set Up Codex Gateway")}`, () => l10n.t("Codex Gateway is not set up yet.")],
  noKey: [
    () => `$(key) ${l10n.t("Codex Gateway: no key")}`,
    () => l10n.t("Codex Gateway has no API key of the codex group."),
  ],
  failing: [
    (model) => `$(warning) ${l10n.t("{0} · failing", model)}`,
    (model) => l10n.t("Codex Gateway: {0}. No entry is responding.", model),
  ],
  backup: [
    (model) => `$(hubot) ${l10n.t("{0} · backup", model)}`,
    (model) => l10n.t("Codex Gateway: {0} through the backup entry because the primary entry is failing.", model),
  ],
  primary: [
    (model) => `$(hubot) ${l10n.t("{0} · primary", model)}`,
    (model) => l10n.t("Codex Gateway: {0} through the primary entry.", model),
  ],
};

/** What the user has to do something about. */
const warnings: ReadonlySet<EntryStatus> = new Set(["noKey", "failing", "backup"]);
