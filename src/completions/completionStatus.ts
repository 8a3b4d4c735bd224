import { Disposable, env, l10n, languages, LanguageStatusSeverity } from "vscode";
import { prefix } from "../manifest.ts";
import { type DenialReason, denialTexts } from "../reading/fileGate.ts";
import { schemes } from "./editorGate.ts";
import type { Silence } from "./governor.ts";

/** What decides whether completions are shown in the active editor. */
export interface CompletionState {
  readonly mode: "onDemand" | "automatic";
  readonly model: string;
  /** The language of the editor, if completions are off there. */
  readonly languageOff: string | undefined;
  /** Why its file is not sent. */
  readonly denial: DenialReason | undefined;
  /** When a pause of the user ends, in milliseconds since the epoch. */
  readonly pausedUntil: number | undefined;
  readonly isOverBudget: boolean;
  readonly silence: Silence | undefined;
  /** When the silence ends, in milliseconds since the epoch. */
  readonly silentUntil: number | undefined;
  readonly maxPerHour: number;
  /** Whether the user has yet to choose between this and GitHub Copilot. */
  readonly needsChoice: boolean;
  /** The pause before a request, in milliseconds, if it is as long as it can be. */
  readonly longPause: number | undefined;
}

/** The command that lets the user choose. Not in the Command Palette. */
export const chooseCommand = `${prefix}.completions.choose`;

/** The longest delay of a timer in Node.js, in milliseconds. With a longer one, it fires at once. */
const longestTimer = 2 ** 31 - 1;

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
    const { text, detail, warns } = statusOf(state);
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.command = state.needsChoice
      ? { command: chooseCommand, title: l10n.t("Choose") }
      : { command: `${prefix}.completions.configure`, title: l10n.t("Configure") };
    this.#item.severity = warns ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
    this.#item.accessibilityInformation = { label: `${text}. ${detail}` };
    clearTimeout(this.#timer);
    const end = state.silentUntil ?? state.pausedUntil;
    if (end === undefined) return;
    // A gateway may ask for a wait of any length.
    this.#timer = setTimeout(next, Math.min(Math.max(0, end - Date.now()) + 10, longestTimer)).unref();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    Disposable.from(this.#item).dispose();
  }
}

/** A state in words. What the user has decided comes before other reasons. */
export function statusOf(state: CompletionState): Record<"text" | "detail", string> & { readonly warns: boolean } {
  const { mode, model, languageOff, denial, pausedUntil, silence, silentUntil, longPause } = state;
  const [off, onlyOnDemand] = [l10n.t("Completions off"), l10n.t("Completions only on demand")];
  const stateOf = (text: string, detail: string, warns = false): ReturnType<typeof statusOf> => ({
    text,
    detail,
    warns,
  });
  if (pausedUntil !== undefined) return stateOf(l10n.t("Completions paused"), l10n.t("Until {0}", timeOf(pausedUntil)));
  if (languageOff !== undefined) return stateOf(off, l10n.t("For the language {0}", languageOff));
  if (denial !== undefined) return stateOf(off, denialTexts[denial]());
  if (silence === "refused") return stateOf(off, l10n.t("The gateway refused a request"), true);
  const end = timeOf(silentUntil ?? 0);
  if (silence === "limited") {
    return stateOf(l10n.t("Completions waiting"), l10n.t("The gateway is busy. Next request at {0}", end), true);
  }
  if (mode === "onDemand") return stateOf(l10n.t("Completions on demand"), model);
  if (silence === "hour") {
    return stateOf(onlyOnDemand, l10n.t("{0} requests in an hour. Next at {1}", state.maxPerHour, end), true);
  }
  if (state.isOverBudget) return stateOf(onlyOnDemand, l10n.t("A budget is used up"), true);
  if (state.needsChoice) {
    return stateOf(onlyOnDemand, l10n.t("Until you choose between GitHub Copilot and Codex Gateway"), true);
  }
  if (longPause === undefined) return stateOf(l10n.t("Completions while typing"), model);
  const seconds = new Intl.NumberFormat(env.language).format(longPause / 1_000);
  const detail = l10n.t("After a pause of {0} s, since suggestions are dismissed or come late", seconds);
  return stateOf(l10n.t("Completions slowed"), detail);
}

function timeOf(time: number): string {
  return new Date(time).toLocaleTimeString(env.language, { hour: "2-digit", minute: "2-digit" });
}
