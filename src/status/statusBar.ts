import {
  type ExtensionContext,
  extensions,
  l10n,
  type MarkdownString,
  StatusBarAlignment,
  ThemeColor,
  window,
  workspace,
} from "vscode";
import { textLanguage } from "../failures/sentences.ts";
import type { EntryHealth, EntryName } from "../gateway/types.ts";
import { type CommandName, prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { chatUse } from "../settings/vscodeChatSettings.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { escapeMarkdown, quote } from "../text/safeText.ts";
import { commandLinks } from "../ui/commandLink.ts";
import { ContextKeys } from "../ui/contextKeys.ts";
import { type EntryStatus, entryStatusOf, type GatewayFacts, isFailing } from "./entryStatus.ts";
import type { SessionStats } from "./sessionStats.ts";

/** Shows model and entry in the status bar, with a warning color for problems, and updates the walkthrough. */
export function showStatus(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  session: SessionStats,
): ExtensionContext["subscriptions"] {
  const item = window.createStatusBarItem(`${prefix}.status`, StatusBarAlignment.Right, 100);
  const contextKeys = new ContextKeys();
  let hasKey: boolean | undefined;

  const show = (): void => {
    const { baseUrl, backupBaseUrl, chatModel } = settings();
    const { health, servedBy, usage } = session;
    // No warning until the secret storage has answered.
    const facts: GatewayFacts = { baseUrl, backupBaseUrl, hasKey: hasKey ?? true, health, servedBy };
    const status = entryStatusOf(facts);
    const [text, label] = texts[status];
    const nameOf = (id: string): string => modelOf(id, settings()).name;
    const model = nameOf(chatModel);
    const { share, sentence } = usage.budget ?? {};
    item.text = share === undefined ? text(model) : `${text(model)} $(graph) ${share}`;
    const accessibleLabel = sentence === undefined ? label(model) : l10n.t("{0} {1}", label(model), sentence);
    item.accessibilityInformation = { label: accessibleLabel, role: "button" };
    item.backgroundColor = warnings.has(status) ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    item.command = `${prefix}.${status === "notSetUp" ? "setUp" : "showMenu"}`;
    item.tooltip = statusTooltip(label(model), facts, session, nameOf);
    const milestones = {
      isSetUp: baseUrl !== "" && hasKey === true,
      isInChat: chatUse() === "inUse",
      hasAnswered: session.answered.has("text"),
      hasGeneratedImage: session.answered.has("image"),
    };
    for (const [name, isReached] of Object.entries(milestones)) contextKeys.set(name, isReached);
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
      const hasNewEntries = ["baseUrl", "backupBaseUrl"].some((name) =>
        change.affectsConfiguration(`${prefix}.${name}`),
      );
      if (hasNewEntries) session.forgetEntries();
      if (change.affectsConfiguration(`${prefix}.chat.api`)) session.forgetApis();
      // A key command may have been set or removed.
      void readKey();
    }),
  ];
}

const texts: Record<EntryStatus, readonly [text: (model: string) => string, label: (model: string) => string]> = {
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
    (model) => l10n.t("Codex Gateway: {0} through the backup entry because the primary entry did not answer.", model),
  ],
  primary: [
    (model) => `$(hubot) ${l10n.t("{0} · primary", model)}`,
    (model) => l10n.t("Codex Gateway: {0} through the primary entry.", model),
  ],
};

const warnings: ReadonlySet<EntryStatus> = new Set(["noKey", "failing", "backup"]);

/** The entries' health, the models served through responses, today's usage, and links. Contains no text from a gateway. */
function statusTooltip(
  summary: string,
  facts: GatewayFacts,
  session: SessionStats,
  nameOf: (model: string) => string,
): MarkdownString {
  const responses = session
    .responsesModelsOf(facts.servedBy ?? "primary")
    .map(({ model = "", hasTools }) =>
      hasTools
        ? l10n.t("{0} with tools: answered through /v1/responses", nameOf(model))
        : l10n.t("{0}: answered through /v1/responses", nameOf(model)),
    );
  const { today, budget } = session.usage;
  // A model's name and a currency can be any text. `appendText` turns spaces into `&nbsp;`, so lines never wrap (VS Code
  // 1.139.1).
  const [first, ...others] = [summary, ...responses, today, budget?.sentence]
    .filter((line) => line !== undefined)
    .map((line) => escapeMarkdown(quote(line, 400)));
  const entries = facts.baseUrl === "" ? [] : [table(facts)];
  const tooltip = commandLinks(
    Object.entries(links).map(([name, title]) => ({ command: `${prefix}.${name}`, title: title() })),
  );
  tooltip.value = [first, ...entries, ...others, "---", tooltip.value].join("\n\n");
  return tooltip;
}

const links: Partial<Record<CommandName, () => string>> = {
  openChat: () => l10n.t("Open Chat"),
  testConnection: () => l10n.t("Test Connection"),
  showUsage: () => l10n.t("Show Usage"),
  setUp: () => l10n.t("Set Up"),
  showLog: () => l10n.t("Show Log"),
};

function table({ backupBaseUrl, health, servedBy }: GatewayFacts): string {
  const names: readonly EntryName[] = backupBaseUrl === "" ? ["primary"] : ["primary", "backup"];
  const head = [l10n.t("Entry"), l10n.t("State"), l10n.t("Latency"), l10n.t("Since"), l10n.t("Next attempt")];
  const rows = names.map((name) => {
    const title = name === "primary" ? l10n.t("Primary entry") : l10n.t("Backup entry");
    const known = health.find(({ entry }) => entry === name);
    const latency = known?.lastLatency === undefined ? "–" : `${Math.round(known.lastLatency)} ms`;
    const times = [known?.failingSince, known?.nextTry].map(clock);
    return [servedBy === name ? `**${title}**` : title, state(known), latency, ...times];
  });
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function state(health: EntryHealth | undefined): string {
  if (isFailing(health)) return `$(warning) ${l10n.t("failing")}`;
  return health?.lastLatency === undefined ? l10n.t("not used yet") : `$(pass) ${l10n.t("healthy")}`;
}

function clock(time: number | undefined): string {
  return time === undefined ? "–" : new Date(time).toLocaleTimeString(textLanguage());
}
