import { l10n } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";

/** Sentences one after the other; empty ones are left out. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").reduce((text, part) => (text ? l10n.t("{0} {1}", text, part) : part), "");
}

/** A sentence that ends with somebody else's words, with a full stop unless they bring the end along. */
export function closed(text: string): string {
  return /[.!?…。！？][)\]"'”’»）」』]*$/u.test(text) ? text : l10n.t("{0}.", text.replace(/[\s,;:，；：、]+$/u, ""));
}

/** The status in parentheses, for those who look it up. */
export function code({ status }: Pick<GatewayError, "status">): string {
  return status === undefined ? "" : ` (${status})`;
}
