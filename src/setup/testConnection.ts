import { env, extensions, l10n, ProgressLocation, version, window } from "vscode";
import { runOwn } from "../failures/actions.ts";
import { noticeOf } from "../failures/notices.ts";
import type { GatewayErrorKind } from "../gateway/errors.ts";
import type { ProbeResult } from "../gateway/types.ts";
import { extensionId } from "../manifest.ts";
import type { Services } from "../services.ts";
import { chatUse } from "../settings/chatSettings.ts";
import { asObject } from "../text/json.ts";
import { quote } from "../text/safeText.ts";
import { pickRow, type Row } from "../ui/pickRow.ts";
import { withSignal } from "../ui/withSignal.ts";
import { offerUse } from "./useInChat.ts";

type Needs = Pick<Services, "gateway" | "settings">;

/** Tests which entries respond and accept the keys, and offers remedies for failures. */
export async function testConnection(services: Needs): Promise<void> {
  await showResults(services, await probe(services));
}

/** The end of Set Up: the same test, and where all is well, the offer to use the models in all of VS Code's chat. */
export async function testAndOffer(services: Needs & Pick<Services, "state">): Promise<void> {
  const results = await probe(services);
  if (countFailures(results) === 0 && (await offerUse(services))) return;
  await showResults(services, results);
}

async function showResults(services: Needs, results: readonly ProbeResult[]): Promise<void> {
  const failures = countFailures(results);
  const rows = results.map((result) => connectionTestRow(result, () => testConnection(services)));
  const works = results.some(({ group, failure }) => group === "codex" && failure === undefined);
  const openChat = { label: `$(comment-discussion) ${l10n.t("Open Chat")}`, run: () => runOwn("openChat") };
  const actions: readonly Row[] = [
    ...(works ? [openChat] : []),
    { label: `$(sync) ${l10n.t("Test Again")}`, run: () => testConnection(services) },
    { label: `$(copy) ${l10n.t("Copy as Text")}`, run: () => copy(results, services) },
    { label: `$(gear) ${l10n.t("Set Up")}`, run: () => runOwn("setUp") },
  ];
  await pickRow({
    title: l10n.t("Test Connection"),
    placeholder:
      failures > 0
        ? l10n.t("{0} of {1} tests failed. Select one for help.", failures, results.length)
        : l10n.t("All tests with a key passed."),
    sections: [
      { name: l10n.t("entries and keys"), rows },
      { name: l10n.t("VS Code's chat"), rows: [chatUseRow()] },
      { name: l10n.t("next steps"), rows: actions },
    ],
    active: works ? openChat : rows.find(({ run }) => run !== undefined),
  });
}

async function probe({ gateway, settings }: Needs): Promise<readonly ProbeResult[]> {
  const title = l10n.t("Testing the connection with one tiny request per entry, at no cost for images…");
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  const { chatModel, chatApi } = settings();
  return await window.withProgress(options, (_, token) =>
    withSignal(token, (signal) => gateway.probe(chatModel, signal, chatApi, "connectionTest")),
  );
}

async function copy(results: readonly ProbeResult[], { settings }: Needs): Promise<void> {
  await env.clipboard.writeText(connectionTestText(results, settings().chatModel));
  void window.showInformationMessage(l10n.t("The result was copied. It contains no keys and no prompts."));
}

/** Maximum length of a row's detail, in characters. */
const longestDetail = 1_000;

/** A result as a row of a list. Selecting a failed row runs its remedy. `again` repeats the test. */
function connectionTestRow(result: ProbeResult, again: () => Promise<void>): Row {
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

/** How many tests failed. A missing key does not count. */
function countFailures(results: readonly ProbeResult[]): number {
  return results.filter(({ failure }) => failure !== undefined && failure.kind !== "noKey").length;
}

/** Whether all of VS Code's chat uses the gateway's models, as a row that changes it where the user can. */
function chatUseRow(): Row {
  const use = chatUse();
  const label = l10n.t("Ask, Agent, and VS Code's inline chat");
  if (use === "inUse") return { label: `$(pass) ${label}`, description: l10n.t("use the gateway's models") };
  if (use === "barred")
    return { label: `$(circle-slash) ${label}`, description: l10n.t("turned off by policy or workspace") };
  const title = l10n.t("Use in VS Code's Chat");
  return { label: `$(circle-slash) ${label}`, description: `→ ${title}`, run: () => runOwn("useForAiFeatures") };
}

/** All results as text for a bug report, without keys and prompts. */
function connectionTestText(results: readonly ProbeResult[], model: string): string {
  const remote = env.remoteName === undefined ? "" : `, remote ${env.remoteName}`;
  const own = String(asObject(extensions.getExtension(extensionId)?.packageJSON)?.version);
  const place = `Codex Gateway ${own}, VS Code ${version}${remote}, ${process.platform} ${process.arch}`;
  return [place, l10n.t("Model: {0}", model), ...results.map(line)].join("\n");
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
