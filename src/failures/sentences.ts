import { env, l10n } from "vscode";
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
  return withFacts(sentence, status);
}

/** A sentence, or a label, with what is known of some facts in parentheses at its end. */
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

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Longest wait to display; keeps dates valid. */
const longest = 365 * day;

/**
 * When to retry, as text: "in 20 s", "at 14:05 (in 1 h)", with the date on another day. `wait` in milliseconds, `now`
 * in milliseconds since the epoch; `undefined` if no time can be named.
 */
export function retryTime(wait: number, now: number, language: string = env.language): string | undefined {
  if (!(wait <= longest)) return undefined;
  if (wait < minute) return l10n.t("in {0} s", Math.max(1, Math.ceil(wait / 1000)));
  // Rounded up, because a minute too early would be rejected again.
  const time = Math.ceil((now + wait) / minute) * minute;
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  return isToday
    ? l10n.t("at {0} ({1})", formatted(time, {}, language), duration(wait))
    : l10n.t("on {0} ({1})", formatted(time, { month: "short", day: "numeric" }, language), duration(wait));
}

function duration(wait: number): string {
  const minutes = Math.ceil(wait / minute);
  if (minutes < 60) return l10n.t("in {0} min", minutes);
  if (wait > 2 * day) return l10n.t("in {0} days", Math.ceil(wait / day));
  const rest = minutes % 60;
  const hours = Math.floor(minutes / 60);
  return rest === 0 ? l10n.t("in {0} h", hours) : l10n.t("in {0} h {1} min", hours, rest);
}

/** The time of day, with the date if the options include one. */
function formatted(time: number, date: Intl.DateTimeFormatOptions, language: string): string {
  const options = { ...date, hour: "numeric", minute: "2-digit" } as const;
  // Intl uses several kinds of spaces.
  return new Intl.DateTimeFormat(language, options).format(time).replace(/\s+/g, " ");
}
