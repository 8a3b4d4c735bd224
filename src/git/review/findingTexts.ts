import { l10n } from "vscode";
import { showMarkdown } from "../../text/markdown.ts";
import { readParts } from "../../text/markdownParts.ts";
import { oneLine } from "../../text/lines.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { withUnseenMarked } from "../../text/unseen.ts";
import type { FindingKind, ReportedFinding, Severity } from "./finding.ts";

const severities: Record<Severity, () => string> = {
  high: () => l10n.t("high severity"),
  medium: () => l10n.t("medium severity"),
  low: () => l10n.t("low severity"),
};

const kinds: Record<FindingKind, (severity: string) => string> = {
  bug: (severity) => l10n.t("Bug, {0}", severity),
  improvement: (severity) => l10n.t("Improvement, {0}", severity),
};

/** What a finding is, and how bad. */
export function kindText({ kind, severity }: Pick<ReportedFinding, "kind" | "severity">): string {
  return kinds[kind](severities[severity]());
}

/** Words of a model or of the repository, in one line of Markdown that shows exactly them. */
export function plainWords(words: string): string {
  return escapeMarkdown(withUnseenMarked(oneLine(words).trim()));
}

/** The words of a finding as Markdown, which the model may use in the text. */
export function findingMarkdown({ title, text }: Pick<ReportedFinding, "title" | "text">): string {
  const more = text.trim() === title.trim() ? "" : text;
  return [`**${plainWords(title)}**`, ...(more === "" ? [] : [showMarkdown(readParts(more))])].join("\n\n");
}
