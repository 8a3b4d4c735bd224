import { l10n } from "vscode";
import type { GatewayError, GatewayErrorKind } from "../gateway/errors.ts";
import { code } from "./sentences.ts";

/** Whether a web page arrived in place of an answer. One with an error status is described by its status. */
export function isWebPage({ page, status }: GatewayError): boolean {
  return page !== undefined && (status === undefined || status < 300);
}

/** A short label for an entry's failure; `undefined` for failures that concern no entry. */
export function labelOf(error: GatewayError): string | undefined {
  const label = isWebPage(error) ? l10n.t("web page instead of an answer") : labels[error.kind]?.();
  return label && `${label}${code(error)}`;
}

const labels: Partial<Record<GatewayErrorKind, () => string>> = {
  keyNotAllowed: () => l10n.t("API key not sent"),
  unreachable: () => l10n.t("unreachable"),
  untrusted: () => l10n.t("certificate not trusted"),
  notHttps: () => l10n.t("https not supported"),
  proxyRefused: () => l10n.t("refused by the proxy"),
  timeout: () => l10n.t("timed out"),
  connectionLost: () => l10n.t("connection lost"),
  unauthorized: () => l10n.t("API key not accepted"),
  forbidden: () => l10n.t("permission denied"),
  notFound: () => l10n.t("path not found"),
  modelNotFound: () => l10n.t("model not found"),
  contextTooLong: () => l10n.t("prompt too long"),
  filtered: () => l10n.t("refused by the content filter"),
  rateLimited: () => l10n.t("too many requests"),
  serverError: () => l10n.t("internal error"),
  overloaded: () => l10n.t("overloaded"),
  badGateway: () => l10n.t("server in front failed"),
  redirected: () => l10n.t("redirected"),
  rejected: () => l10n.t("request rejected"),
  empty: () => l10n.t("empty answer"),
  unreadable: () => l10n.t("unreadable answer"),
  noImage: () => l10n.t("no image"),
};
