import { env, l10n, ProgressLocation, window } from "vscode";
import { runOwn } from "../failures/actions.ts";
import type { ProbeResult } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { pickRow, type Row } from "../ui/pickRow.ts";
import { withSignal } from "../ui/withSignal.ts";
import {
  chatUseRow,
  connectionTestRow,
  connectionTestSummary,
  connectionTestText,
  countFailures,
} from "./connectionTestRows.ts";
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
    placeholder: connectionTestSummary(results),
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
