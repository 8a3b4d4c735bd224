import type * as vscode from "vscode";
import { UserError } from "../failures/userError.ts";
import { hasKey, normalizeBaseUrl } from "../gateway/baseUrl.ts";
import { quote } from "../text/safeText.ts";
import { withoutKeys } from "../base/withoutKeys.ts";

/** The values of a set-up link. Without a backup entry, that is empty; without a model, the current one stays. */
export interface LinkedValues {
  readonly baseUrl: string;
  readonly backupBaseUrl: string;
  readonly model: string;
}

/** Maximum length of a link's query, in characters. */
const maxLength = 8_192;

/** A model's name, which the dialog shows next to the addresses: no spaces, and no characters that resemble others. */
const modelName = /^[\w.:/+-]{0,200}$/;

const parameters = ["baseUrl", "backupBaseUrl", "model"] as const;

/**
 * Reads the parts of a link, which VS Code has already decoded once. Throws `UserError` of kind `linkRefused`, and
 * `GatewayError` for entries. The parameter is named `l10n` so that its texts are extracted.
 */
export function readSetUpLink(
  link: { readonly path: string; readonly query: string; readonly fragment: string },
  l10n: Pick<typeof vscode.l10n, "t">,
): LinkedValues {
  if (link.path !== "/setup") throw refused(l10n.t("it is not a set-up link"));
  if (link.fragment !== "") throw refused(l10n.t("it has a fragment"));
  if (link.query.length > maxLength) throw refused(l10n.t("it is too long"));
  const values = new Map<string, string>();
  // Not with `URLSearchParams`, which would decode again: `+` into a space, and `%2B` into `+`.
  for (const part of link.query.split("&").filter((part) => part !== "")) {
    const [name = "", ...rest] = part.split("=");
    const value = rest.join("=");
    if (/key|token|secret|password|command/i.test(name) || hasKey(value) || withoutKeys(value) !== value)
      throw refused(l10n.t("it contains a key or a command"));
    if (!parameters.some((known) => known === name))
      throw refused(l10n.t("its parameter “{0}” is unknown", quote(name, 60)));
    if (values.has(name)) throw refused(l10n.t("its parameter “{0}” appears twice", quote(name, 60)));
    values.set(name, value);
  }
  const [baseUrl = "", backupBaseUrl = "", model = ""] = parameters.map((name) => values.get(name) ?? "");
  if (baseUrl === "") throw refused(l10n.t("it has no base URL"));
  if (!modelName.test(model)) throw refused(l10n.t("its model name cannot be used"));
  // Non-ASCII letters can resemble others (Unicode Technical Standard 39).
  const foreign = [baseUrl, backupBaseUrl].find((url) => /\P{ASCII}/u.test(url));
  if (foreign !== undefined) {
    const host = quote(URL.parse(foreign)?.host ?? "", 60);
    throw refused(l10n.t("its host has non-ASCII characters: {0}", host));
  }
  const [primary = "", backup = ""] = [baseUrl, backupBaseUrl].map((url) => url && normalizeBaseUrl(url, false));
  return { baseUrl: primary, backupBaseUrl: backup === primary ? "" : backup, model };
}

/** The query of the link for these values, without a model whose name links cannot contain. */
export function setUpQuery({ baseUrl, backupBaseUrl, model }: LinkedValues): string {
  const linked = modelName.test(model) ? model : "";
  return new URLSearchParams({ baseUrl, ...(backupBaseUrl && { backupBaseUrl }), model: linked }).toString();
}

function refused(subject: string): UserError {
  return new UserError("linkRefused", { subject });
}
