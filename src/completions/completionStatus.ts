import { Disposable, l10n, languages, LanguageStatusSeverity } from "vscode";
import { textLanguage } from "../failures/sentences.ts";
import { prefix } from "../manifest.ts";
import { type DenialReason, denialTexts } from "../reading/fileGate.ts";
import { schemes } from "./editorGate.ts";
import type { RequestDenial } from "./governor.ts";

/** Why nothing is suggested. */
type OffReason = DenialReason | "snoozed" | "language";
/** Why no new request is sent. Suggestions that are known already are shown. */
type WaitReason = RequestDenial | "budget" | "choice";

/** What keeps completions from coming while the user types. */
export type Denial =
  { readonly off: OffReason; readonly waits?: undefined } | { readonly off?: undefined; readonly waits: WaitReason };

/** What decides whether completions are shown in the active editor. */
export interface CompletionState {
  readonly mode: "onDemand" | "automatic";
  readonly model: string;
  readonly denial: Denial | undefined;
  /** When the denial ends, in milliseconds since the epoch. */
  readonly until: number | undefined;
  readonly languageId: string;
  readonly maxPerHour: number;
  /** The pause before a request, in milliseconds, if it is as long as it can be. */
  readonly longPause: number | undefined;
}

/** The command that lets the user choose. Not in the Command Palette. */
export const chooseCommand = `${prefix}.completions.choose`;

/** The longest delay of a timer in Node.js, in milliseconds. With a longer one, it fires at once. */
const maxTimer = 2 ** 31 - 1;

/** The language status item that shows whether completions are on, and why not. */
export class CompletionStatus {
  readonly #item = languages.createLanguageStatusItem(
    `${prefix}.completions`,
    schemes.map((scheme) => ({ scheme })),
  );
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#item.name = l10n.t("Codex Gateway Completions");
  }

  /** Shows a state. Calls `next` when it ends by itself. */
  show(state: CompletionState, next: () => void): void {
    const { denial, until } = state;
    const { text, detail } = statusOf(state);
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.command =
      denial?.waits === "choice"
        ? { command: chooseCommand, title: l10n.t("Choose") }
        : { command: `${prefix}.completions.configure`, title: l10n.t("Configure") };
    this.#item.severity = denial?.waits ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    this.#item.accessibilityInformation = { label: `${text}. ${detail}` };
    clearTimeout(this.#timer);
    if (denial === undefined || until === undefined) return;
    // A gateway may ask for a wait of any length.
    this.#timer = setTimeout(next, Math.min(Math.max(0, until - Date.now()) + 10, maxTimer)).unref();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    Disposable.from(this.#item).dispose();
  }
}

/** A state in words. */
export function statusOf({
  mode,
  model,
  denial,
  until = 0,
  languageId,
  maxPerHour,
  longPause,
}: CompletionState): Record<"text" | "detail", string> {
  const [onlyOnDemand, end] = [l10n.t("Completions only on demand"), timeOf(until)];
  const texts: Partial<Record<OffReason | WaitReason, string>> = {
    snoozed: l10n.t("Completions paused"),
    limited: l10n.t("Completions waiting"),
    hour: onlyOnDemand,
    budget: onlyOnDemand,
    choice: onlyOnDemand,
  };
  const details: Record<OffReason | WaitReason, () => string> = {
    ...denialTexts,
    snoozed: () => l10n.t("Until {0}", end),
    language: () => l10n.t("For the language {0}", languageId),
    refused: () => l10n.t("The gateway refused a request"),
    limited: () => l10n.t("The gateway is busy. Next request at {0}", end),
    hour: () => l10n.t("{0} requests in an hour. Next at {1}", maxPerHour, end),
    budget: () => l10n.t("A budget is used up"),
    choice: () => l10n.t("Until you choose between GitHub Copilot and Codex Gateway"),
  };
  const reason = denial?.off ?? denial?.waits;
  if (reason !== undefined) return { text: texts[reason] ?? l10n.t("Completions off"), detail: details[reason]() };
  if (mode === "onDemand") return { text: l10n.t("Completions on demand"), detail: model };
  if (longPause === undefined) return { text: l10n.t("Completions while typing"), detail: model };
  const seconds = new Intl.NumberFormat(textLanguage()).format(longPause / 1_000);
  const detail = l10n.t("After a pause of {0} s, since suggestions are dismissed or come late", seconds);
  return { text: l10n.t("Completions slowed"), detail };
}

function timeOf(time: number): string {
  return new Date(time).toLocaleTimeString(textLanguage(), { hour: "2-digit", minute: "2-digit" });
}
