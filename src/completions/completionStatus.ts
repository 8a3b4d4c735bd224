import { Disposable, env, l10n, languages, LanguageStatusSeverity } from "vscode";
import { prefix } from "../manifest.ts";
import { type DenialReason, denialTexts } from "../reading/fileGate.ts";
import { schemes } from "./editorGate.ts";
import type { Silence } from "./governor.ts";

/** What decides whether completions come in the editor in front. */
export interface CompletionState {
  readonly mode: "onDemand" | "automatic";
  readonly model: string;
  /** The language of the editor, if it has none. */
  readonly languageOff: string | undefined;
  /** Why its file is not sent, as far as that is known. */
  readonly denial: DenialReason | undefined;
  /** When a pause of the user ends, in milliseconds since the epoch. */
  readonly pausedUntil: number | undefined;
  readonly isOverBudget: boolean;
  readonly silence: Silence | undefined;
  /** When the silence ends, in milliseconds since the epoch. */
  readonly silentUntil: number | undefined;
  readonly maxPerHour: number;
  /** Whether the user has yet to choose between this and GitHub Copilot. */
  readonly isWaiting: boolean;
  /** The pause before a request, in milliseconds, if it is as long as it can be. */
  readonly longPause: number | undefined;
}

/** The command that asks for the choice. Not in the palette. */
export const chooseCommand = `${prefix}.completions.choose`;

/** The longest that a timer waits, in milliseconds: Node ends one of more than 24.8 days at once. */
const longestTimer = 2 ** 31 - 1;

/** Shows in the status bar, among what belongs to the language, whether completions come and why not. */
export class CompletionStatus {
  readonly #item = languages.createLanguageStatusItem(
    `${prefix}.completions`,
    schemes.map((scheme) => ({ scheme })),
  );
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#item.name = l10n.t("Codex Gateway Completions");
  }

  /** Shows a state, and asks for the next one when it ends by itself. */
  show(state: CompletionState, next: () => void): void {
    const { text, detail, warns } = wordsOf(state);
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.command = state.isWaiting
      ? { command: chooseCommand, title: l10n.t("Choose") }
      : { command: `${prefix}.completions.configure`, title: l10n.t("Configure") };
    this.#item.severity = warns ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    this.#item.accessibilityInformation = { label: `${text}. ${detail}` };
    clearTimeout(this.#timer);
    const end = state.silentUntil ?? state.pausedUntil;
    if (end === undefined) return;
    // A gateway may ask for any time.
    this.#timer = setTimeout(next, Math.min(Math.max(0, end - Date.now()) + 10, longestTimer)).unref();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    Disposable.from(this.#item).dispose();
  }
}

/** A state in words. What the user has decided comes before what others have. */
export function wordsOf(state: CompletionState): Record<"text" | "detail", string> & { readonly warns: boolean } {
  const {
    mode,
    model,
    languageOff,
    denial: closed,
    pausedUntil,
    isOverBudget,
    silence,
    silentUntil,
    maxPerHour,
  } = state;
  const { isWaiting, longPause } = state;
  if (pausedUntil !== undefined) {
    return { text: l10n.t("Completions paused"), detail: l10n.t("Until {0}", timeOf(pausedUntil)), warns: false };
  }
  if (languageOff !== undefined) {
    return { text: l10n.t("Completions off"), detail: l10n.t("For the language {0}", languageOff), warns: false };
  }
  if (closed !== undefined) return { text: l10n.t("Completions off"), detail: denialTexts[closed](), warns: false };
  if (silence === "refused") {
    return { text: l10n.t("Completions off"), detail: l10n.t("The gateway refused a request"), warns: true };
  }
  if (silence === "limited" && silentUntil !== undefined) {
    const detail = l10n.t("The gateway is busy. Next request at {0}", timeOf(silentUntil));
    return { text: l10n.t("Completions waiting"), detail, warns: true };
  }
  const onlyOnDemand = l10n.t("Completions only on demand");
  if (silence === "hour" && silentUntil !== undefined && mode === "automatic") {
    const detail = l10n.t("{0} requests in an hour. Next at {1}", maxPerHour, timeOf(silentUntil));
    return { text: onlyOnDemand, detail, warns: true };
  }
  if (isOverBudget && mode === "automatic") {
    return { text: onlyOnDemand, detail: l10n.t("A budget is used up"), warns: true };
  }
  if (isWaiting && mode === "automatic") {
    const detail = l10n.t("Until you choose between GitHub Copilot and Codex Gateway");
    return { text: onlyOnDemand, detail, warns: true };
  }
  if (longPause !== undefined && mode === "automatic") {
    const seconds = new Intl.NumberFormat(env.language).format(longPause / 1_000);
    const detail = l10n.t("After a pause of {0} s, since suggestions are dismissed or come late", seconds);
    return { text: l10n.t("Completions slowed"), detail, warns: false };
  }
  return mode === "automatic"
    ? { text: l10n.t("Completions while typing"), detail: model, warns: false }
    : { text: l10n.t("Completions on demand"), detail: model, warns: false };
}

function timeOf(time: number): string {
  return new Date(time).toLocaleTimeString(env.language, { hour: "2-digit", minute: "2-digit" });
}
