import { env, extensions, l10n, ProgressLocation, version, window } from "vscode";
import { runOwn } from "../failures/actions.ts";
import type { FailedAction } from "../failures/notice.ts";
import { noticeOf } from "../failures/notices.ts";
import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import type { KeyGroup, ProbeResult } from "../gateway/types.ts";
import { extensionId } from "../manifest.ts";
import type { Services } from "../services.ts";
import { chatUse } from "../settings/vscodeChatSettings.ts";
import { originsOf } from "../settings/connection.ts";
import { keyGroups, type Keys } from "../settings/keys.ts";
import { asObject } from "../base/json.ts";
import { quote } from "../text/safeText.ts";
import { pickRow, type Row } from "../ui/pickRow.ts";
import { showMessage } from "../ui/showMessage.ts";
import { withSignal } from "../ui/withSignal.ts";
import { isUnfinished, offerUse, setUpUnfinishedKey } from "./useInChat.ts";

type Needs = Pick<Services, "gateway" | "keys" | "settings" | "state">;

/** The results of the key commands, as rows of a list, and of the entries. */
interface TestResults {
  readonly commandRows: readonly Row[];
  readonly probes: readonly ProbeResult[];
}

/**
 * Tests which entries respond and accept the keys, and offers remedies for failures. After Set Up, also offers once to use
 * the models in all of VS Code's chat: at once if there are no failures, otherwise when the results are closed.
 */
export async function testConnection(services: Needs): Promise<void> {
  const results = await probe(services);
  const isOffered = isUnfinished(services) && results.probes.some(worksForText);
  if (isOffered && countFailures(results.probes) === 0 && (await offerUse(services))) return;
  const isClosed = !(await showResults(services, results));
  if (isOffered && isClosed) await offerUse(services);
}

/** The end of Set Up: `testConnection`, with the offer. */
export async function testAndOffer(services: Needs): Promise<void> {
  await services.state.update(setUpUnfinishedKey, true);
  await testConnection(services);
}

/** Shows the results. Returns whether the user has chosen one. */
async function showResults(services: Needs, { commandRows, probes }: TestResults): Promise<boolean> {
  const failures = countFailures(probes);
  const again = (): Promise<void> => testConnection(services);
  const rows = probes.map((result) => connectionTestRow(result, again));
  const works = probes.some(worksForText);
  const openChat = { label: `$(comment-discussion) ${l10n.t("Open Chat")}`, run: () => runOwn("openChat") };
  const actions: readonly Row[] = [
    ...(works ? [openChat] : []),
    { label: `$(sync) ${l10n.t("Test Again")}`, run: again },
    { label: `$(copy) ${l10n.t("Copy as Text")}`, run: () => copy(probes, services) },
    { label: `$(gear) ${l10n.t("Set Up")}`, run: () => runOwn("setUp") },
  ];
  const failed = [...commandRows, ...rows.filter((_, index) => isFailed(probes[index]))];
  return await pickRow({
    title: l10n.t("Test Connection"),
    placeholder:
      failures > 0
        ? l10n.t("{0} of {1} tests failed. Select one for help.", failures, probes.length)
        : probes.some(({ failure }) => failure === undefined)
          ? l10n.t("All tests with a key passed.")
          : l10n.t("No key is set. Select a row to set one."),
    sections: [
      ...(commandRows.length > 0 ? [{ name: l10n.t("key commands"), rows: commandRows }] : []),
      { name: l10n.t("entries and keys"), rows },
      { name: l10n.t("VS Code's chat"), rows: [chatUseRow()] },
      { name: l10n.t("next steps"), rows: actions },
    ],
    active: [...failed, ...(works ? [openChat] : rows)].find(({ run }) => run !== undefined),
  });
}

async function probe({ gateway, keys, settings }: Needs): Promise<TestResults> {
  const title = l10n.t("Testing the connection with one tiny request per entry, at no cost for images…");
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  const { chatModel, chatApi } = settings();
  return await window.withProgress(options, (_, token) =>
    withSignal(token, async (signal) => {
      const origins = originsOf(settings());
      const commandRows = await Promise.all(keyGroups.map((group) => runCommand(group, keys, origins, signal)));
      return {
        commandRows: commandRows.flat(),
        probes: await gateway.probe(chatModel, signal, chatApi, "connectionTest"),
      };
    }),
  );
}

async function runCommand(
  group: KeyGroup,
  keys: Keys,
  origins: readonly string[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const command = keys.command(group);
  const known = (await keys.origins(group).catch(() => undefined)) ?? [];
  // If it is not allowed for any entry, the test of the entry asks before it runs.
  if (command === undefined || !origins.some((origin) => known.includes(origin))) return [];
  const startedAt = performance.now();
  const failure = await command.renew(signal).catch((error: unknown) => error);
  signal.throwIfAborted();
  // No retry, because "Test Again" is a row of its own.
  if (failure !== undefined) return [failedRow(keyName(group), failure, { keyGroup: group })];
  const description = l10n.t("printed · {0} ms", Math.round(performance.now() - startedAt));
  const detail = l10n.t(
    "A command takes precedence over a stored key, which takes precedence over an environment variable.",
  );
  return [{ label: `$(pass) ${keyName(group)}`, description, detail }];
}

/** Copies all results as text for a bug report, without keys and prompts. */
async function copy(results: readonly ProbeResult[], { settings }: Needs): Promise<void> {
  const remote = env.remoteName === undefined ? "" : `, remote ${env.remoteName}`;
  const own = String(asObject(extensions.getExtension(extensionId)?.packageJSON)?.version);
  const versions = `Codex Gateway ${own}, VS Code ${version}${remote}, ${process.platform} ${process.arch}`;
  const lines = [versions, l10n.t("Model: {0}", settings().chatModel), ...results.map(line)];
  await env.clipboard.writeText(lines.join("\n"));
  void showMessage("Information", l10n.t("The result was copied. It contains no keys and no prompts."));
}

/** Maximum length of a row's detail, in characters. */
const maxDetail = 1_000;

/** A result as a row of a list. `again` repeats the test. */
function connectionTestRow(result: ProbeResult, again: () => Promise<void>): Row {
  const { failure, group, baseUrl } = result;
  if (failure) return failedRow(subject(result), failure, { keyGroup: group, retry: again }, quote(baseUrl));
  const detail = quote(address(result).join(" · "), maxDetail);
  return { label: `$(pass) ${subject(result)}`, description: acceptedText(result), detail };
}

/** A failed test as a row, which runs its remedy. */
function failedRow(
  name: string,
  failure: unknown,
  operation: Omit<FailedAction, "name">,
  ...facts: readonly string[]
): Row {
  const icon = kindOf(failure) === "noKey" ? "$(circle-slash)" : "$(error)";
  const { text, actions } = noticeOf(failure, { name: "testConnection", ...operation });
  const [action] = actions;
  return {
    label: `${icon} ${name}`,
    description: [...(action ? [`→ ${action.title}`] : []), ...facts].join(" · "),
    detail: quote(text, maxDetail),
    run: action?.run,
  };
}

/** How many tests failed. A missing key does not count. */
function countFailures(results: readonly ProbeResult[]): number {
  return results.filter(isFailed).length;
}

function isFailed(result: ProbeResult | undefined): boolean {
  return result?.failure !== undefined && kindOf(result.failure) !== "noKey";
}

function worksForText({ group, failure }: ProbeResult): boolean {
  return group === "codex" && failure === undefined;
}

/** A row that shows whether VS Code's chat uses the gateway's models, and changes that if possible. */
function chatUseRow(): Row {
  const use = chatUse();
  const label = l10n.t("Ask, Agent, and VS Code's inline chat");
  if (use === "inUse") return { label: `$(pass) ${label}`, description: l10n.t("use the gateway's models") };
  if (use === "blocked")
    return { label: `$(circle-slash) ${label}`, description: l10n.t("prevented by policy or workspace") };
  const title = l10n.t("Use in VS Code's Chat");
  return { label: `$(circle-slash) ${label}`, description: `→ ${title}`, run: () => runOwn("useForAiFeatures") };
}

function line(result: ProbeResult): string {
  const { failure } = result;
  const facts =
    failure instanceof GatewayError
      ? [failure.kind, failure.status, failure.requestId, failure.gatewayMessage]
      : [failure ? failure.message : acceptedText(result)];
  const outcome = facts.filter((fact) => fact !== undefined).join(" ");
  return [subject(result), ...address(result), quote(outcome)].join(" · ");
}

function subject({ entry, group }: ProbeResult): string {
  return l10n.t("{0}, {1}", entry === "primary" ? l10n.t("Primary entry") : l10n.t("Backup entry"), keyName(group));
}

function keyName(group: KeyGroup): string {
  return group === "codex" ? l10n.t("codex key") : l10n.t("image key");
}

function acceptedText({ duration }: ProbeResult): string {
  return l10n.t("key accepted · {0} ms", Math.round(duration));
}

/** The tested address and the state of the connection. A failure that the gateway reports proves that it is connected. */
function address({ baseUrl, proxy, failure }: ProbeResult): readonly string[] {
  const connected = baseUrl.startsWith("https:")
    ? l10n.t("connected, TLS verified")
    : l10n.t("connected, not encrypted");
  const kind = kindOf(failure);
  const isConnected = kind === undefined || !withoutConnection.has(kind);
  const other = kind === "untrusted" ? l10n.t("certificate not trusted") : l10n.t("not connected");
  return [
    baseUrl,
    proxy ? l10n.t("proxy {0} from {1}", proxy.address, proxy.source) : l10n.t("no proxy"),
    isConnected ? connected : other,
  ];
}

function kindOf(failure: unknown): GatewayErrorKind | undefined {
  return failure instanceof GatewayError ? failure.kind : undefined;
}

const withoutConnection: ReadonlySet<GatewayErrorKind> = new Set([
  ...["keyNotAllowed", "certificateFile", "offline", "unreachable", "untrusted", "notHttps", "proxyRefused"],
] as const);
