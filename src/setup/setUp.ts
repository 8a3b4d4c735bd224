import { InputBoxValidationSeverity, l10n, QuickInputButtons, window, workspace } from "vscode";
import { proceed } from "../failures/actions.ts";
import { baseUrlFlaws } from "../failures/sentences.ts";
import { saving } from "../failures/userError.ts";
import { normalizeBaseUrl } from "../gateway/baseUrl.ts";
import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { isInsecure, originsOf, saveConnection } from "../settings/connection.ts";
import { keyFlaw, keyGroups, type KeySource, keyVariables } from "../settings/keys.ts";
import { quote } from "../text/safeText.ts";
import { askText, type TextQuestion, type Validation } from "../ui/askText.ts";
import { confirmUnusualKey } from "./apiKeyCommands.ts";
import { testAndOffer } from "./testConnection.ts";
import { useInChatActions } from "./useInChat.ts";

/** Asks for URLs and keys, saves and tests them. Returns `true` when done. */
export async function setUp(services: Services, argument?: unknown): Promise<boolean> {
  const { baseUrl, backupBaseUrl, allowInsecureHttp } = services.settings();
  const confirmedHttpUrls = new Set(allowInsecureHttp ? [baseUrl, backupBaseUrl] : []);
  const urls = [
    urlQuestion("baseUrl", confirmedHttpUrls, {
      title: l10n.t("Set Up: primary entry"),
      prompt: l10n.t("The base URL of your gateway: the part of its address before /v1."),
    }),
    urlQuestion("backupBaseUrl", confirmedHttpUrls, {
      title: l10n.t("Set Up: backup entry (optional)"),
      prompt: l10n.t(
        "The base URL of the entry that answers when the primary cannot. Leave it empty if you have none.",
      ),
    }),
  ];
  const keys = keyGroups.map(async (group) => keyQuestion(group, await services.keys.source(group)));
  const initialDraft: SetUpDraft = { baseUrl, backupBaseUrl, codex: "", image: "" };
  const draft = await askInOrder(initialDraft, [...urls, ...(await Promise.all(keys))]);
  if (draft === undefined) return false;
  await saveSetUp(services, draft);
  if (argument === proceed)
    void services.notifier.inform(l10n.t("Codex Gateway is set up."), ...useInChatActions(services));
  else await testAndOffer(services);
  return true;
}

/** Saves entries, and the keys of these groups. Throws `UserError` of kind `keyNotStored` or `settingsNotSaved`. */
export async function saveSetUp(
  { keys }: Pick<Services, "keys">,
  { baseUrl, backupBaseUrl, ...typed }: SetUpDraft,
  groups: readonly KeyGroup[] = keyGroups,
): Promise<void> {
  const allowInsecureHttp = [baseUrl, backupBaseUrl].some((url) => url !== "" && isInsecure(url));
  const connection = { baseUrl, backupBaseUrl, allowInsecureHttp };
  const origins = originsOf(connection);
  await saving(async () => {
    for (const group of groups) {
      const key = typed[group].trim();
      // A key that is not replaced is allowed for the new entries.
      await (key === "" ? keys.bind(group, origins) : keys.store(group, key, origins));
    }
  }, "keyNotStored");
  await saving(() => saveConnection(workspace.getConfiguration(prefix), connection));
}

/** The entries, and each group's key as typed; empty for the current key. Only the answered questions are validated. */
type SetUpDraft = Readonly<Record<UrlName | KeyGroup, string>>;

/** A question about a value of the draft. */
interface Question extends Pick<TextQuestion, "title" | "prompt" | "placeholder" | "password"> {
  readonly name: keyof SetUpDraft;
  readonly validate: (text: string, draft: SetUpDraft) => Validation;
  /** Completes an accepted text, or refuses it, so that the question is asked again. */
  readonly accept: (text: string) => Promise<{ readonly text: string; readonly isRefused: boolean }>;
}

/** Asks questions, forwards and backwards, and returns the final draft; `undefined` if the user cancels. */
async function askInOrder(start: SetUpDraft, questions: readonly Question[]): Promise<SetUpDraft | undefined> {
  let draft = start;
  for (let index = 0; ;) {
    const question = questions[index];
    if (question === undefined) return draft;
    const { name, validate, accept, ...shown } = question;
    const current = draft;
    const answer = await askText({
      ...shown,
      value: current[name],
      step: index + 1,
      totalSteps: questions.length,
      button: index > 0 ? QuickInputButtons.Back : undefined,
      validate: (text) => validate(text, current),
    });
    if (answer === undefined) return undefined;
    const { text, isRefused } = answer.isButton ? { text: answer.text, isRefused: false } : await accept(answer.text);
    draft = { ...current, [name]: text };
    index += answer.isButton ? -1 : isRefused ? 0 : 1;
  }
}

type UrlName = "baseUrl" | "backupBaseUrl";

/** Asks for the base URL of an entry. The backup is optional. `allowed` has plain http URLs that the user has confirmed. */
function urlQuestion(name: UrlName, allowed: Set<string>, texts: Pick<Question, "title" | "prompt">): Question {
  return {
    name,
    ...texts,
    placeholder: "https://gateway.example.com",
    validate: (text, draft) => validateUrl(name, text, draft),
    accept: async (text) => {
      const url = text.trim() === "" ? "" : completeUrl(text);
      const isAllowed = url === "" || !isInsecure(url) || allowed.has(url) || (await confirmInsecure(url));
      if (isAllowed) allowed.add(url);
      return { text: url, isRefused: !isAllowed };
    },
  };
}

/** Asks for the key of a group. Optional if a key is already set, and for images. */
function keyQuestion(group: KeyGroup, source: KeySource): Question {
  const mayBeEmpty = group === "image" || source !== "none";
  return {
    name: group,
    title:
      group === "image"
        ? l10n.t("Set Up: API key of the image group (optional)")
        : l10n.t("Set Up: API key of the codex group, for chat and code"),
    prompt: keyPrompts[source](group),
    placeholder: "sk-…",
    password: true,
    validate: (text) => {
      if (mayBeEmpty && text.trim() === "") return undefined;
      // A stored key would not be used.
      return source === "command" ? keyPrompts.command(group) : keyFlaw(text, l10n);
    },
    accept: async (text) => ({ text, isRefused: text.trim() !== "" && !(await confirmUnusualKey(text)) }),
  };
}

function validateUrl(name: UrlName, text: string, draft: SetUpDraft): Validation {
  if (text.trim() === "") {
    return name === "backupBaseUrl" ? undefined : l10n.t("Enter the base URL of your gateway.");
  }
  let url: string;
  try {
    url = completeUrl(text);
  } catch (error) {
    const flaw = (error instanceof GatewayError ? error.flaw : undefined) ?? "notUrl";
    return l10n.t("This URL cannot be used: {0}.", baseUrlFlaws[flaw]());
  }
  if (name === "backupBaseUrl" && url === draft.baseUrl) {
    return l10n.t("The backup must differ from the primary entry. Leave it empty if you have none.");
  }
  if (isInsecure(url)) {
    const message = l10n.t("Plain http sends the key unencrypted. You are asked to confirm this.");
    return { message, severity: InputBoxValidationSeverity.Warning };
  }
  if (url === text) return undefined;
  return { message: l10n.t("Used as {0}", quote(url)), severity: InputBoxValidationSeverity.Info };
}

/** Normalizes a URL, which may lack `https://` or, on this machine, `http://`. Throws `GatewayError` of kind `badUrl`. */
function completeUrl(text: string): string {
  try {
    return normalizeBaseUrl(text, true);
  } catch (error) {
    if (/:\/\/|^\s*https?[:/]/i.test(text)) throw error;
    const url = normalizeBaseUrl(`http://${text.trim()}`, true);
    return isInsecure(url) ? normalizeBaseUrl(`https://${text.trim()}`, true) : url;
  }
}

async function confirmInsecure(url: string): Promise<boolean> {
  const refuse = { label: l10n.t("Enter Another URL") };
  const allow = {
    label: l10n.t("Send Unencrypted"),
    detail: l10n.t("Anyone on the network path can read the key and what you ask. Use https if you can."),
  };
  const title = l10n.t("Send your API key unencrypted to {0}?", quote(url));
  // The safe choice comes first, so that pressing Enter twice does not consent.
  return (await window.showQuickPick([refuse, allow], { title, ignoreFocusOut: true })) === allow;
}

const keyPrompts: Record<KeySource, (group: KeyGroup) => string> = {
  command: () => l10n.t("A command provides the key. Leave this empty to use it."),
  stored: () => l10n.t("A key is stored. Leave this empty to keep it."),
  environment: (group) =>
    l10n.t("The environment variable {0} sets a key. Leave this empty to use it.", keyVariables[group]),
  none: (group) =>
    group === "image"
      ? l10n.t("Images need a separate key. Leave this empty if you do not need images.")
      : l10n.t("The key is stored in VS Code's secret storage and sent only to your gateway."),
};
