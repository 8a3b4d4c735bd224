import { l10n, window, workspace } from "vscode";
import { goOn } from "../failures/actions.ts";
import { UserError } from "../failures/userError.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { isInsecure, originsOf, saveConnection } from "../settings/connection.ts";
import { keyGroups, type Keys } from "../settings/keys.ts";
import { runSteps } from "../ui/steps.ts";
import { bindKey, storeKey } from "./keyInput.ts";
import { keyStep, type SetUpDraft, urlStep } from "./setUpSteps.ts";
import { testAndOffer } from "./testConnection.ts";

/** Asks for URLs and keys, saves and tests them. Returns `true` when done. */
export async function setUp(services: Services, argument?: unknown): Promise<boolean> {
  const { baseUrl, backupBaseUrl, allowInsecureHttp } = services.settings();
  const start: SetUpDraft = {
    baseUrl,
    backupBaseUrl,
    allowedInsecure: allowInsecureHttp ? [baseUrl, backupBaseUrl] : [],
    keys: { codex: "", image: "" },
  };
  const [codexSource, imageSource] = await Promise.all([services.keys.source("codex"), services.keys.source("image")]);
  const steps = [
    urlStep("baseUrl"),
    urlStep("backupBaseUrl"),
    keyStep("codex", codexSource),
    keyStep("image", imageSource),
  ];
  const draft = await runSteps(start, steps);
  if (draft === undefined) return false;
  await save(services, draft);
  if (argument === goOn) void window.showInformationMessage(l10n.t("Codex Gateway is set up."));
  else await testAndOffer(services);
  return true;
}

async function save({ keys }: Services, { baseUrl, backupBaseUrl, keys: typed }: SetUpDraft): Promise<void> {
  const allowInsecureHttp = [baseUrl, backupBaseUrl].some((url) => url !== "" && isInsecure(url));
  const connection = { baseUrl, backupBaseUrl, allowInsecureHttp };
  for (const group of keyGroups) await saveKey(keys, group, typed[group], originsOf(connection));
  try {
    await saveConnection(workspace.getConfiguration(prefix), connection);
  } catch (cause) {
    throw new UserError("settingsNotSaved", { cause });
  }
}

/** Stores a new key, or assigns a kept one to the entries as entered. */
async function saveKey(keys: Keys, group: KeyGroup, typed: string, origins: readonly string[]): Promise<void> {
  if (typed !== "") await storeKey(keys, group, typed, origins);
  else if ((await keys.source(group)) === "stored") await bindKey(keys, group, origins);
}
