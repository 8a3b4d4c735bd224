import { l10n } from "vscode";
import type { BaseUrlFlaw } from "../gateway/errors.ts";

/** What is wrong with a base URL, as the end of a sentence. */
export function baseUrlFlawText(flaw: BaseUrlFlaw): string {
  return texts[flaw]();
}

const texts: Record<BaseUrlFlaw, () => string> = {
  tooLong: () => l10n.t("it is longer than 2,048 characters"),
  characters: () => l10n.t("it contains spaces, backslashes or invisible characters"),
  notUrl: () => l10n.t("it is not a URL"),
  scheme: () => l10n.t("it does not start with https://"),
  key: () => l10n.t("it contains an API key, which belongs in Set API Key only"),
  credentials: () => l10n.t("it contains a user name or password"),
  query: () => l10n.t("it has a query or a fragment"),
  insecure: () => l10n.t("plain http would send the key unencrypted"),
};
