import { join, relative, sep } from "node:path";
import { l10n } from "vscode";
import { asSentence, sentences } from "../../failures/sentences.ts";
import { oneLine, splitLines } from "../../text/lines.ts";
import { showMarkdown } from "../../text/markdown.ts";
import { readParts } from "../../text/markdownParts.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { withInvisibleMarked } from "../../text/hiddenText.ts";
import { nameOf } from "../repository.ts";
import type { LocatedFinding } from "./locateFindings.ts";
import type { FindingKind, ReportedFinding, Severity } from "./readFindings.ts";
import type { Review, SkippedFile } from "./reviewChanges.ts";

/** Maximum number of skipped files that are named. A folder that Git does not track yet may have thousands. */
const maxNamed = 50;

/** The result of a review, in a few sentences. */
export function resultText(review: Review): string {
  const { unlocated, skipped, secretFiles, isTruncated } = review;
  const missing = skipped.length + secretFiles;
  return sentences(
    foundText(review),
    ...(unlocated.length > 0 ? [l10n.t("{0} could not be linked to a line.", unlocated.length)] : []),
    ...(missing > 0 ? [l10n.t("Skipped or cut: {0}.", missing)] : []),
    ...(isTruncated ? [l10n.t("The review is incomplete: the model reached its output limit.")] : []),
  );
}

function foundText({ located, unlocated, others, reviewed }: Review): string {
  const found = located.length + unlocated.length;
  const files = reviewed === 1 ? l10n.t("1 changed file") : l10n.t("{0} changed files", reviewed);
  if (found === 1) return l10n.t("1 problem found in {0}.", files);
  if (found > 1) return l10n.t("{0} problems found in {1}.", found, files);
  return others === ""
    ? l10n.t("No problems found in {0}.", files)
    : l10n.t("The model's answer has no findings that can be read. The summary shows it.");
}

/**
 * A review as Markdown. Text of the model and of the repository is shown literally. `root` is the folder that links are
 * relative to; without it, there are none.
 */
export function summaryMarkdown(
  review: Review,
  root: string | undefined,
  isFixed: (finding: LocatedFinding) => boolean,
): string {
  const { repository, located, unlocated, others, skipped, secretFiles } = review;
  const changes = review.isStaged ? l10n.t("Staged changes") : l10n.t("All changes");
  const unknown = [...unlocated.map(unlocatedText), ...(others === "" ? [] : [lines(others)])];
  const missing = [
    ...skipped.slice(0, maxNamed).map(({ path, reason }) => `${literal(path)} (${reasons[reason]()})`),
    ...(skipped.length > maxNamed ? [l10n.t("and {0} more", skipped.length - maxNamed)] : []),
    ...(secretFiles === 1 ? [l10n.t("1 file that may contain secrets")] : []),
    ...(secretFiles > 1 ? [l10n.t("{0} files that may contain secrets", secretFiles)] : []),
  ];
  return [
    `# ${l10n.t("Review of {0}", literal(nameOf(repository)))}`,
    sentences(asSentence(changes), resultText(review)),
    ...section(
      l10n.t("In the code"),
      located.map((finding) => {
        const text = locatedText(finding, repository.rootUri.fsPath, root);
        return isFixed(finding) ? `~~${text}~~` : text;
      }),
    ),
    ...section(l10n.t("Not linked to a line"), unknown),
    ...section(l10n.t("Skipped or cut"), missing),
    "",
  ].join("\n\n");
}

const reasons: Record<SkippedFile["reason"], () => string> = {
  cut: () => l10n.t("too long, only a part was reviewed"),
  unread: () => l10n.t("not read"),
  large: () => l10n.t("too large"),
  excluded: () => l10n.t("untracked, and hidden by the setting files.exclude"),
  submodule: () => l10n.t("submodule"),
  "lock file": () => l10n.t("lock file"),
  generated: () => l10n.t("generated file"),
  binary: () => l10n.t("binary file"),
};

function section(heading: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`## ${heading}`, items.map((item) => `- ${item}`).join("\n")];
}

function locatedText(finding: LocatedFinding, folder: string, root: string | undefined): string {
  const line = finding.lineRange.start + 1;
  const name = `${literal(finding.path)}:${line}`;
  const target = root && encodeURIComponent(relative(root, join(folder, finding.path)).replaceAll(sep, "/"));
  const link = target === undefined ? name : `[${name}](</${target.replaceAll("%2F", "/")}#L${line}>)`;
  return `${link} · ${kindText(finding)} · **${literal(finding.title)}**`;
}

function unlocatedText(finding: ReportedFinding): string {
  const { first = 0 } = finding.lines ?? {};
  const name = `${literal(finding.file)}${first > 0 ? `:${first}` : ""}`;
  const quoted = finding.quote === "" ? [] : [l10n.t("Code: {0}", literal(finding.quote))];
  const more = finding.text === finding.title ? [] : [lines(finding.text)];
  return [`${name} · ${kindText(finding)} · **${literal(finding.title)}**`, ...quoted, ...more].join("  \n  ");
}

/** Several lines in one item of a list. */
function lines(text: string): string {
  return splitLines(text)
    .map(literal)
    .filter((line) => line !== "")
    .join("  \n  ");
}

const severities: Record<Severity, () => string> = {
  high: () => l10n.t("high severity"),
  medium: () => l10n.t("medium severity"),
  low: () => l10n.t("low severity"),
};

const kinds: Record<FindingKind, (severity: string) => string> = {
  bug: (severity) => l10n.t("Bug, {0}", severity),
  improvement: (severity) => l10n.t("Improvement, {0}", severity),
};

/** The kind and severity of a finding. */
export function kindText({ kind, severity }: Pick<ReportedFinding, "kind" | "severity">): string {
  return kinds[kind](severities[severity]());
}

/** Text of the model or of the repository as one line of Markdown that shows it literally. */
function literal(words: string): string {
  return escapeMarkdown(withInvisibleMarked(oneLine(words).trim()));
}

/** A finding as Markdown. Its text may have Markdown of its own. */
export function findingMarkdown({ title, text }: Pick<ReportedFinding, "title" | "text">): string {
  const more = text.trim() === title.trim() ? "" : text;
  return [`**${literal(title)}**`, ...(more === "" ? [] : [showMarkdown(readParts(more)).markdown])].join("\n\n");
}
