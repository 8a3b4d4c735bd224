import { env, l10n, MarkdownString } from "vscode";
import type { EntryHealth, EntryName } from "../gateway/types.ts";
import { type CommandName, prefix } from "../manifest.ts";
import { escapeMarkdown, quote } from "../text/safeText.ts";
import { type GatewayFacts, isFailing } from "./entryStatus.ts";
import type { SessionStats } from "./sessionStats.ts";

/**
 * The health of each entry, the models that it serves through responses, today's usage and links to commands.
 * Contains no text from a gateway.
 */
export function statusTooltip(
  summary: string,
  facts: GatewayFacts,
  session: SessionStats,
  nameOf: (model: string) => string,
): MarkdownString {
  const tooltip = new MarkdownString(undefined, true);
  tooltip.isTrusted = { enabledCommands: Object.keys(links).map((name) => `${prefix}.${name}`) };
  // A model name can be any text. `appendText` would turn its spaces into `&nbsp;`, which never wrap (VS Code 1.139.1).
  tooltip.appendMarkdown(escapeMarkdown(quote(summary)));
  if (facts.baseUrl !== "") tooltip.appendMarkdown(`\n\n${table(facts)}`);
  for (const { model, withTools } of session.responsesModels.at(facts.servedBy ?? "primary")) {
    const name = nameOf(model);
    const line = withTools
      ? l10n.t("{0} with tools: answered through /v1/responses", name)
      : l10n.t("{0}: answered through /v1/responses", name);
    tooltip.appendMarkdown(`\n\n${escapeMarkdown(quote(line))}`);
  }
  const { today, budget } = session.usage;
  // A currency can be any text.
  for (const line of [today, budget?.sentence].filter((line) => line !== undefined))
    tooltip.appendMarkdown(`\n\n${escapeMarkdown(quote(line, 400))}`);
  const entries = Object.entries(links).map(([name, title]) => `[${title()}](command:${prefix}.${name})`);
  tooltip.appendMarkdown(`\n\n---\n\n${entries.join(" · ")}`);
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
  return time === undefined ? "–" : new Date(time).toLocaleTimeString(env.language);
}
