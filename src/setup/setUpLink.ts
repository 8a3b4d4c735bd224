import { env, l10n, type Uri, workspace } from "vscode";
import { baseUrlFlaws } from "../failures/sentences.ts";
import { saving, UserError } from "../failures/userError.ts";
import { GatewayError } from "../gateway/errors.ts";
import { extensionId, prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { originsOf } from "../settings/connection.ts";
import { quote } from "../text/safeText.ts";
import { showMessage } from "../ui/showMessage.ts";
import { askKey } from "./apiKeyCommands.ts";
import { agreesTo } from "./confirmKeyOrigin.ts";
import { type LinkedValues, readSetUpLink, setUpQuery } from "./readSetUpLink.ts";
import { saveSetUp } from "./setUp.ts";
import { testAndOffer } from "./testConnection.ts";

/**
 * Sets up the gateway from links, one at a time, after showing what changes and where keys are sent. A link carries no key:
 * the user types it, or the current one is used. Nothing is written before the user agrees. Throws `UserError` of kind
 * `linkRefused`.
 */
export function setUpLinks(services: Services): (uri: Uri) => Promise<void> {
  let isOpen = false;
  return async (uri) => {
    const values = read(uri);
    // A second click on a link, while its question is still there.
    if (isOpen) return;
    isOpen = true;
    const isSaved = await saved(services, values).finally(() => {
      isOpen = false;
    });
    if (isSaved) await testAndOffer(services);
  };
}

/** Copies a link that sets the same entries and model. Throws `UserError` of kind `linkNotCopied`. */
export async function copySetUpLink({ settings }: Pick<Services, "settings">): Promise<void> {
  const { baseUrl, backupBaseUrl, chatModel } = settings();
  const query = setUpQuery({ baseUrl, backupBaseUrl, model: chatModel });
  try {
    read({ path: "/setup", query: decodeURIComponent(query), fragment: "" });
  } catch (cause) {
    throw cause instanceof UserError ? new UserError("linkNotCopied", { subject: cause.subject, cause }) : cause;
  }
  await env.clipboard.writeText(`${env.uriScheme}://${extensionId}/setup?${query}`);
  void showMessage("Information", l10n.t("The set-up link was copied. It contains no key."));
}

function read(uri: Pick<Uri, "path" | "query" | "fragment">): LinkedValues {
  try {
    return readSetUpLink(uri, l10n);
  } catch (error) {
    if (error instanceof GatewayError && error.flaw !== undefined)
      throw new UserError("linkRefused", { subject: baseUrlFlaws[error.flaw]() });
    throw error;
  }
}

/** Asks, and saves the values of a link. Returns whether the user agreed. */
async function saved({ keys, settings }: Services, values: LinkedValues): Promise<boolean> {
  const { baseUrl, backupBaseUrl, model } = values;
  const origins = originsOf({ baseUrl, backupBaseUrl, allowInsecureHttp: false });
  const source = await keys.source("codex");
  const known = source === "stored" ? ((await keys.origins("codex")) ?? []) : origins;
  const hasKey = source !== "none" && origins.every((origin) => known.includes(origin));
  if (!(await confirm(settings(), values, origins))) return false;
  const typed = hasKey ? "" : await askKey("codex", origins);
  if (typed === undefined) return false;
  await saveSetUp({ keys }, { baseUrl, backupBaseUrl, codex: typed, image: "" }, ["codex"]);
  const target = true; // ConfigurationTarget.Global
  if (model !== "") await saving(async () => workspace.getConfiguration(prefix).update("chat.model", model, target));
  return true;
}

async function confirm(
  now: Readonly<Record<"baseUrl" | "backupBaseUrl" | "chatModel", string>>,
  next: LinkedValues,
  origins: readonly string[],
): Promise<boolean> {
  const row = (name: string, before: string, after: string): string =>
    before === after
      ? l10n.t("{0}: {1}", name, after || l10n.t("not set"))
      : l10n.t("{0}: {1} → {2}", name, quote(before) || l10n.t("not set"), after || l10n.t("not set"));
  const rows = [
    row(l10n.t("Primary entry"), now.baseUrl, next.baseUrl),
    row(l10n.t("Backup entry"), now.backupBaseUrl, next.backupBaseUrl),
    row(l10n.t("Chat model"), now.chatModel, next.model || now.chatModel),
  ];
  const warning = l10n.t(
    "Your API key and everything you ask will be sent to {0}. Continue only if you trust whoever gave you this link.",
    origins.join(", "),
  );
  const question = l10n.t("Set up Codex Gateway from a link?");
  const refuse = { title: l10n.t("Don't Set Up"), run: () => Promise.resolve() };
  return await agreesTo(question, [rows.join("\n"), warning].join("\n\n"), l10n.t("Set Up"), refuse);
}
