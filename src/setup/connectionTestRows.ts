import { env, extensions, l10n, version } from "vscode";
import { runOwn } from "../failures/actions.ts";
import { noticeOf } from "../failures/notices.ts";
import type { GatewayErrorKind } from "../gateway/errors.ts";
import type { ProbeResult } from "../gateway/types.ts";
import { extensionId } from "../manifest.ts";
import { chatUse } from "../settings/chatSettings.ts";
import { quote } from "../text/safeText.ts";
import type { Row } from "../ui/pickRow.ts";

/** Maximum length of a row's detail, in characters. */
const longestDetail = 1_000;

/** A result as a row of a list. Selecting a failed row runs its remedy. `again` repeats the test. */
export function connectionTestRow(result: ProbeResult, again: () => Promise<void>): Row {
  const { failure, group } = result;
  if (failure === undefined) {
    const description = l10n.t("key accepted · {0} ms", Math.round(result.duration));
    return {
      label: `$(pass) ${subject(result)}`,
      description,
      detail: quote(address(result).join(" · "), longestDetail),
    };
  }
  const icon = failure.kind === "noKey" ? "$(circle-slash)" : "$(error)";
  const { text, actions } = noticeOf(failure, { name: "testConnection", keyGroup: group, retry: again });
  const [action] = actions;
  return {
    label: `${icon} ${subject(result)}`,
    description: [...(action ? [`→ ${action.title}`] : []), quote(result.baseUrl)].join(" · "),
    detail: quote(text, longestDetail),
    run: action?.run,
  };
}

/** Summary of all results in one sentence. A missing key does not count as a failure. */
export function connectionTestSummary(results: readonly ProbeResult[]): string {
  const failures = countFailures(results);
  if (failures > 0) return l10n.t("{0} of {1} tests failed. Select one for help.", failures, results.length);
  return l10n.t("All tests with a key passed.");
}

/** How many tests failed. A missing key does not count. */
export function countFailures(results: readonly ProbeResult[]): number {
  return results.filter(({ failure }) => failure !== undefined && failure.kind !== "noKey").length;
}

/** Whether all of VS Code's chat uses the gateway's models, as a row that changes it where the user can. */
export function chatUseRow(): Row {
  const use = chatUse();
  const label = l10n.t("Ask, Agent, and VS Code's inline chat");
  if (use === "inUse") return { label: `$(pass) ${label}`, description: l10n.t("use the gateway's models") };
  if (use === "barred")
    return { label: `$(circle-slash) ${label}`, description: l10n.t("turned off by policy or workspace") };
  const title = l10n.t("Use in VS Code's Chat");
  return { label: `$(circle-slash) ${label}`, description: `→ ${title}`, run: () => runOwn("useForAiFeatures") };
}

/** All results as text for a bug report, without keys and prompts. */
export function connectionTestText(results: readonly ProbeResult[], model: string): string {
  const remote = env.remoteName === undefined ? "" : `, remote ${env.remoteName}`;
  const place = `Codex Gateway ${ownVersion()}, VS Code ${version}${remote}, ${process.platform} ${process.arch}`;
  return [place, l10n.t("Model: {0}", model), ...results.map(line)].join("\n");
}

function ownVersion(): string {
  const manifest: unknown = extensions.getExtension(extensionId)?.packageJSON;
  const isKnown = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isKnown ? String(manifest.version) : "";
}

function line(result: ProbeResult): string {
  const { failure } = result;
  const outcome = failure
    ? [failure.kind, failure.status, failure.requestId, failure.gatewayMessage]
        .filter((fact) => fact !== undefined)
        .join(" ")
    : l10n.t("key accepted · {0} ms", Math.round(result.duration));
  return [subject(result), ...address(result), quote(outcome)].join(" · ");
}

function subject({ entry, group }: ProbeResult): string {
  const key = group === "codex" ? l10n.t("codex key") : l10n.t("image key");
  return l10n.t("{0}, {1}", entry === "primary" ? l10n.t("Primary entry") : l10n.t("Backup entry"), key);
}

/** The address tested, and how far the connection came. */
function address({ baseUrl, proxy, failure }: ProbeResult): readonly string[] {
  return [
    baseUrl,
    proxy ? l10n.t("proxy {0} from {1}", proxy.address, proxy.source) : l10n.t("no proxy"),
    connection(baseUrl, failure?.kind),
  ];
}

/** The connection result. A failure reported by the gateway proves that the connection works. */
function connection(baseUrl: string, failure: GatewayErrorKind | undefined): string {
  if (failure === "untrusted") return l10n.t("certificate not trusted");
  if (failure !== undefined && withoutConnection.has(failure)) return l10n.t("not connected");
  return baseUrl.startsWith("https:") ? l10n.t("connected, TLS verified") : l10n.t("connected, not encrypted");
}

const withoutConnection: ReadonlySet<GatewayErrorKind> = new Set([
  "keyNotAllowed",
  "certificateFile",
  "offline",
  "unreachable",
  "notHttps",
  "proxyRefused",
]);
