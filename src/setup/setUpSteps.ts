import { type InputBoxValidationMessage, InputBoxValidationSeverity, l10n, window } from "vscode";
import { baseUrlFlawText } from "../failures/sentences.ts";
import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { isInsecure, usualForm } from "../settings/connection.ts";
import { type KeySource, keyVariables } from "../settings/keys.ts";
import { quote } from "../text/safeText.ts";
import { askText } from "../ui/askText.ts";
import type { Step } from "../ui/steps.ts";
import { keyFlawText } from "./apiKeyCommands.ts";

/** The values entered so far. Each step validates its own URL, so only a finished draft is valid. */
export interface SetUpDraft {
  readonly baseUrl: string;
  readonly backupBaseUrl: string;
  /** Plain http URLs beyond this machine that the user has confirmed. */
  readonly allowedInsecure: readonly string[];
  /** As typed; empty keeps the stored key. */
  readonly keys: Readonly<Record<KeyGroup, string>>;
}

type UrlName = "baseUrl" | "backupBaseUrl";

/** Asks for the base URL of an entry. The backup is optional. */
export function urlStep(name: UrlName): Step<SetUpDraft> {
  return async (draft, place) => {
    const answer = await askText({
      ...urlTexts[name](),
      placeholder: "https://gateway.example.com",
      value: draft[name],
      place,
      judge: (text) => judgeUrl(name, text, draft),
    });
    if (answer === undefined) return undefined;
    if (answer.goesBack) return { draft: { ...draft, [name]: answer.text }, goesTo: "previous" };
    const url = answer.text.trim() === "" ? "" : usualForm(answer.text);
    const next = { ...draft, [name]: url };
    if (url === "" || !isInsecure(url) || draft.allowedInsecure.includes(url)) return { draft: next, goesTo: "next" };
    if (!(await confirmInsecure(url))) return { draft: next, goesTo: "same" };
    return { draft: { ...next, allowedInsecure: [...draft.allowedInsecure, url] }, goesTo: "next" };
  };
}

/** Asks for the key of a group. Optional if a key is already set, and for images. */
export function keyStep(group: KeyGroup, source: KeySource): Step<SetUpDraft> {
  const mayBeEmpty = group === "image" || source !== "none";
  return async (draft, place) => {
    const answer = await askText({
      title: keyTitles[group](),
      prompt: keyPrompts[source](group),
      placeholder: "sk-…",
      value: draft.keys[group],
      isPassword: true,
      place,
      judge: (text) => (mayBeEmpty && text.trim() === "" ? undefined : refusal(keyFlawText(text))),
    });
    if (answer === undefined) return undefined;
    const keys = { ...draft.keys, [group]: answer.text.trim() };
    return { draft: { ...draft, keys }, goesTo: answer.goesBack ? "previous" : "next" };
  };
}

function judgeUrl(name: UrlName, text: string, draft: SetUpDraft): InputBoxValidationMessage | undefined {
  if (text.trim() === "") {
    return name === "backupBaseUrl" ? undefined : refusal(l10n.t("Enter the base URL of your gateway."));
  }
  let url: string;
  try {
    url = usualForm(text);
  } catch (error) {
    const complete = withScheme(text);
    if (complete !== undefined) return refusal(l10n.t("The beginning is missing. Enter {0}", quote(complete)));
    const flaw = (error instanceof GatewayError ? error.flaw : undefined) ?? "notUrl";
    return refusal(l10n.t("This URL cannot be used: {0}.", baseUrlFlawText(flaw)));
  }
  if (name === "backupBaseUrl" && url === draft.baseUrl) {
    return refusal(l10n.t("The backup must differ from the primary entry. Leave it empty if you have none."));
  }
  if (isInsecure(url)) {
    const message = l10n.t("Plain http sends the key unencrypted. You are asked to confirm this.");
    return { message, severity: InputBoxValidationSeverity.Warning };
  }
  if (url === text) return undefined;
  return { message: l10n.t("Used as {0}", quote(url)), severity: InputBoxValidationSeverity.Info };
}

/** A URL that only lacks `http://`, on this machine, or `https://`, with it. */
function withScheme(text: string): string | undefined {
  if (text.includes("://")) return undefined;
  try {
    const url = usualForm(`http://${text.trim()}`);
    return isInsecure(url) ? usualForm(`https://${text.trim()}`) : url;
  } catch {
    return undefined;
  }
}

function refusal(message: string | undefined): InputBoxValidationMessage | undefined {
  return message === undefined ? undefined : { message, severity: InputBoxValidationSeverity.Error };
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

const urlTexts: Record<UrlName, () => { readonly title: string; readonly prompt: string }> = {
  baseUrl: () => ({
    title: l10n.t("Set Up: primary entry"),
    prompt: l10n.t("The base URL of your gateway: the part of its address before /v1."),
  }),
  backupBaseUrl: () => ({
    title: l10n.t("Set Up: backup entry (optional)"),
    prompt: l10n.t("The base URL of the entry that answers when the primary cannot. Leave it empty if you have none."),
  }),
};

const keyTitles: Record<KeyGroup, () => string> = {
  codex: () => l10n.t("Set Up: API key of the codex group, for chat and code"),
  image: () => l10n.t("Set Up: API key of the image group (optional)"),
};

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
