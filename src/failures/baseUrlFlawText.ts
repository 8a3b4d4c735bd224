import { l10n } from "vscode";
import type { BaseUrlFlaw } from "../gateway/errors.ts";

/** A base URL's flaw, as the end of a sentence. */
export function baseUrlFlawText(flaw: BaseUrlFlaw): string {
  return texts[flaw]();
}

const texts: Record<BaseUrlFlaw, () => string> = {
  tooLong: () => l10n.t("it is longer than 2,048 characters"),
  characters: () => l10n.t("it contains spaces, backslashes, or invisible characters"),
  notUrl: () => l10n.t("it is not a URL"),
  scheme: () => l10n.t("it does not start with https://"),
  key: () => l10n.t("it contains an API key, which belongs only in Set API Key"),
  credentials: () => l10n.t("it contains a user name or password"),
  query: () => l10n.t("it contains a query string or fragment"),
  insecure: () => l10n.t("plain http would send the key unencrypted"),
};
