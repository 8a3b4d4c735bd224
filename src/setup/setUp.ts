import { l10n, window, workspace } from "vscode";
import { goOn } from "../failures/actions.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { isInsecure, originsOf, saveConnection } from "../settings/connection.ts";
import { keyGroups } from "../settings/keys.ts";
import { askInOrder } from "../ui/askInOrder.ts";
import { keepingKeys } from "./apiKeyCommands.ts";
import { keyQuestion, type SetUpDraft, urlQuestion } from "./setUpQuestions.ts";
import { testAndOffer } from "./testConnection.ts";
import { saving } from "./useInChat.ts";

/** Asks for URLs and keys, saves and tests them. Returns `true` when done. */
export async function setUp(services: Services, argument?: unknown): Promise<boolean> {
  const { baseUrl, backupBaseUrl, allowInsecureHttp } = services.settings();
  const allowed = new Set(allowInsecureHttp ? [baseUrl, backupBaseUrl] : []);
  const urls = [urlQuestion("baseUrl", allowed), urlQuestion("backupBaseUrl", allowed)];
  const keys = keyGroups.map(async (group) => keyQuestion(group, await services.keys.source(group)));
  const start: SetUpDraft = { baseUrl, backupBaseUrl, keys: { codex: "", image: "" } };
  const draft = await askInOrder(start, [...urls, ...(await Promise.all(keys))]);
  if (draft === undefined) return false;
  await saveSetUp(services, draft);
  if (argument === goOn) void window.showInformationMessage(l10n.t("Codex Gateway is set up."));
  else await testAndOffer(services);
  return true;
}

/** Saves entries, and the keys of these groups. Throws `UserError` of kind `keyNotStored` or `settingsNotSaved`. */
export async function saveSetUp(
  { keys }: Pick<Services, "keys">,
  { baseUrl, backupBaseUrl, keys: typed }: SetUpDraft,
  groups: readonly KeyGroup[] = keyGroups,
): Promise<void> {
  const allowInsecureHttp = [baseUrl, backupBaseUrl].some((url) => url !== "" && isInsecure(url));
  const connection = { baseUrl, backupBaseUrl, allowInsecureHttp };
  const origins = originsOf(connection);
  await keepingKeys(async () => {
    for (const group of groups) {
      // A key that is kept now belongs to the entries as entered.
      const source = await keys.source(group);
      if (typed[group] !== "") await keys.store(group, typed[group], origins);
      else if (source === "stored" || source === "command") await keys.bind(group, source, origins);
    }
  });
  await saving(() => saveConnection(workspace.getConfiguration(prefix), connection));
}
