import { l10n } from "vscode";
import type { BaseUrlFlaw, GatewayError } from "../gateway/errors.ts";

/** Joins sentences, skipping empty ones. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").reduce((text, part) => (text ? l10n.t("{0} {1}", text, part) : part), "");
}

/** Ends a sentence with a quoted text; adds a full stop if it lacks one. */
export function closed(text: string): string {
  return /[.!?…。！？][)\]"'”’»）」』]*$/u.test(text) ? text : l10n.t("{0}.", text.replace(/[\s,;:，；：、]+$/u, ""));
}

/** A sentence with the status in parentheses at its end, if there is one, for those who look it up. */
export function withStatus(sentence: string, { status }: Pick<GatewayError, "status">): string {
  return withFacts(sentence, status === undefined ? [] : [String(status)]);
}

/** A sentence, or a label, with facts in parentheses at its end. */
export function withFacts(sentence: string, facts: readonly string[]): string {
  return facts.length === 0 ? sentence : sentence.replace(/[.。]?$/u, (end) => ` (${facts.join(", ")})${end}`);
}

/** A base URL's flaw, as the end of a sentence. */
export function baseUrlFlawText(flaw: BaseUrlFlaw): string {
  return flawTexts[flaw]();
}

const flawTexts: Record<BaseUrlFlaw, () => string> = {
  tooLong: () => l10n.t("it is longer than 2,048 characters"),
  characters: () => l10n.t("it contains spaces, backslashes, or invisible characters"),
  notUrl: () => l10n.t("it is not a URL"),
  scheme: () => l10n.t("it does not start with https://"),
  key: () => l10n.t("it contains an API key, which belongs only in Set API Key"),
  credentials: () => l10n.t("it contains a user name or password"),
  query: () => l10n.t("it contains a query string or fragment"),
  insecure: () => l10n.t("plain http would send the key unencrypted"),
};
