import { l10n } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";

/** Joins sentences, skipping empty ones. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").reduce((text, part) => (text ? l10n.t("{0} {1}", text, part) : part), "");
}

/** Ends a sentence with a quoted text; adds a full stop if it lacks one. */
export function closed(text: string): string {
  return /[.!?…。！？][)\]"'”’»）」』]*$/u.test(text) ? text : l10n.t("{0}.", text.replace(/[\s,;:，；：、]+$/u, ""));
}

/** The status in parentheses. */
export function code({ status }: Pick<GatewayError, "status">): string {
  return status === undefined ? "" : ` (${status})`;
}
