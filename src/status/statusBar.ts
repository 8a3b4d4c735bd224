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
import { type CommandName, prefix } from "../manifest.ts";
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
  const milestones = new WalkthroughProgress();
  let hasKey: boolean | undefined;

  const show = (): void => {
    const { baseUrl, backupBaseUrl, chatModel, models } = settings();
    const { health, servedBy, usage } = session;
    // No warning until the secret storage has answered.
    const facts: GatewayFacts = { baseUrl, backupBaseUrl, hasKey: hasKey ?? true, health, servedBy };
    const { text, label, warns, command } = looks[entryStatusOf(facts)];
    const nameOf = (model: string): string => models.find(({ id }) => id === model)?.name ?? quote(model);
    const model = nameOf(chatModel);
    const { share, sentence } = usage.budget ?? {};
    item.text = share === undefined ? text(model) : `${text(model)} $(graph) ${share}`;
    const spoken = sentence === undefined ? label(model) : l10n.t("{0} {1}", label(model), sentence);
    item.accessibilityInformation = { label: spoken, role: "button" };
    item.backgroundColor = warns ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    item.command = `${prefix}.${command}`;
    item.tooltip = statusTooltip(label(model), facts, session, nameOf);
    milestones.reach({
      isSetUp: baseUrl !== "" && hasKey === true,
      isInChat: chatUse() === "inUse",
      hasAnswered: session.answered.has("text"),
      hasGeneratedImage: session.answered.has("image"),
    });
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

/** The appearance of a status: text, accessibility label, background and command. */
interface Look {
  readonly text: (model: string) => string;
  readonly label: (model: string) => string;
  readonly warns: boolean;
  readonly command: CommandName;
}

const looks: Record<EntryStatus, Look> = {
  notSetUp: {
    text: () => `$(plug) ${l10n.t("Set Up Codex Gateway")}`,
    label: () => l10n.t("Codex Gateway is not set up yet."),
    warns: false,
    command: "setUp",
  },
  noKey: {
    text: () => `$(key) ${l10n.t("Codex Gateway: no key")}`,
    label: () => l10n.t("Codex Gateway has no API key of the codex group."),
    warns: true,
    command: "showMenu",
  },
  failing: {
    text: (model) => `$(warning) ${l10n.t("{0} · failing", model)}`,
    label: (model) => l10n.t("Codex Gateway: {0}. No entry is responding.", model),
    warns: true,
    command: "showMenu",
  },
  backup: {
    text: (model) => `$(hubot) ${l10n.t("{0} · backup", model)}`,
    label: (model) =>
      l10n.t("Codex Gateway: {0} through the backup entry because the primary entry is failing.", model),
    warns: true,
    command: "showMenu",
  },
  primary: {
    text: (model) => `$(hubot) ${l10n.t("{0} · primary", model)}`,
    label: (model) => l10n.t("Codex Gateway: {0} through the primary entry.", model),
    warns: false,
    command: "showMenu",
  },
};

/** Context keys of the walkthrough's steps. */
type WalkthroughStep = "isSetUp" | "isInChat" | "hasAnswered" | "hasGeneratedImage";

/** Updates the walkthrough's context keys when they change. */
class WalkthroughProgress {
  readonly #reached = new Set<string>();

  reach(milestones: Readonly<Record<WalkthroughStep, boolean>>): void {
    for (const [name, isReached] of Object.entries(milestones)) {
      if (this.#reached.has(name) === isReached) continue;
      this.#reached[isReached ? "add" : "delete"](name);
      void commands.executeCommand("setContext", `${prefix}.${name}`, isReached);
    }
  }
}
