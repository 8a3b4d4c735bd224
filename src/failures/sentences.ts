import { env, l10n } from "vscode";
import type { BaseUrlFlaw } from "../gateway/errors.ts";

/**
 * The language of the extension's texts, also for the words in numbers, times, and lists: the display language, or English
 * if there is no translation.
 */
export function textLanguage(): string {
  return l10n.bundle === undefined ? "en" : env.language;
}

/** Joins sentences, skipping empty ones, without spaces after Chinese punctuation. */
export function sentences(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== "")
    .join(" ")
    .replace(/(?<=[。！？]) /g, "");
}

/** Ends a sentence with a quoted text; adds a full stop if it lacks one. */
export function asSentence(text: string): string {
  return /[.!?…。！？][)\]"'”’»）」』]*$/u.test(text) ? text : l10n.t("{0}.", text.replace(/[\s,;:，；：、]+$/u, ""));
}

/** A sentence or label with the known ones of some facts in parentheses at its end. */
export function withFacts(sentence: string, ...facts: readonly (string | number | undefined)[]): string {
  const known = facts.filter(Boolean).join(", ");
  return known === "" ? sentence : sentence.replace(/[.。]?$/u, (end) => ` (${known})${end}`);
}

/** The flaws of a base URL, each as the end of a sentence. */
export const baseUrlFlaws: Record<BaseUrlFlaw, () => string> = {
  tooLong: () => l10n.t("it is longer than 2,048 characters"),
  characters: () => l10n.t("it contains spaces, backslashes, or invisible characters"),
  notUrl: () => l10n.t("it is not a URL"),
  scheme: () => l10n.t("it does not start with https://"),
  key: () => l10n.t("it contains an API key, which belongs only in Set API Key"),
  credentials: () => l10n.t("it contains a user name or password"),
  query: () => l10n.t("it contains a query string or fragment"),
  insecure: () => l10n.t("plain http would send the key unencrypted"),
};

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

/**
 * When to retry, as text: "in 20 seconds", "at 14:05 (in 1 hour)", with the date on another day. `wait` in milliseconds, up
 * to a year, `now` in milliseconds since the epoch.
 */
export function retryTime(wait: number, now: number, language: string = textLanguage()): string {
  if (wait < minute) return inTime(Math.max(wait, second), language);
  // Rounded up, because a minute too early would be rejected again.
  const time = Math.ceil((now + wait) / minute) * minute;
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  const date = isToday ? {} : ({ month: "short", day: "numeric" } as const);
  const format = new Intl.DateTimeFormat(language, { ...date, hour: "numeric", minute: "2-digit" });
  // Intl uses several kinds of spaces.
  const clock = format.format(time).replace(/\s+/g, " ");
  return isToday
    ? l10n.t("at {0} ({1})", clock, inTime(wait, language))
    : l10n.t("on {0} ({1})", clock, inTime(wait, language));
}

/** "in 2 hours", rounded up. */
function inTime(wait: number, language: string): string {
  const units = { day, hour, minute, second };
  const unit = (["day", "hour", "minute"] as const).find((name) => wait >= units[name]) ?? "second";
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(wait / units[unit]), unit);
}
