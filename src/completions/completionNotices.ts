import { authentication, extensions, l10n, workspace } from "vscode";
import { openSetting, openSettings } from "../failures/actions.ts";
import type { Action } from "../failures/notice.ts";
import { noticeOf } from "../failures/notices.ts";
import { saving } from "../failures/userError.ts";
import type { GatewayError } from "../gateway/errors.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { changeSetting } from "../settings/changeSetting.ts";
import { asObject } from "../base/json.ts";

/** Time to the first text, in milliseconds, that is too long while typing. */
const slow = 2_000;
const slowKey = "completions.slowTold";
const sourceKey = "completions.chosenSource";
const askedKey = "completions.askedForSource";
/** The extensions with GitHub Copilot's suggestions: the one in VS Code 1.139, and its predecessor. */
const copilot = ["GitHub.copilot-chat", "GitHub.copilot"];

/** The notifications about completions, each shown once. */
export class CompletionNotices {
  readonly #state: Services["state"];
  readonly #notifier: Pick<Services["notifier"], "inform" | "warn">;
  readonly #copilotSuggests: (languageId: string) => Promise<boolean>;
  #isChoosing = false;

  constructor(
    { state, notifier }: Pick<Services, "state"> & { readonly notifier: Pick<Services["notifier"], "inform" | "warn"> },
    isCopilotOn = copilotSuggests,
  ) {
    this.#state = state;
    this.#notifier = notifier;
    this.#copilotSuggests = isCopilotOn;
  }

  /** Shows that completions are off after a refusal. `turnOn` is called if the user turns them on again. */
  async refused(error: GatewayError, turnOn: () => void): Promise<void> {
    const { brief } = noticeOf(error, { name: "Completions", keyGroup: "codex", modelFrom: "completions.model" });
    const text = l10n.t("Completions are off in this window. {0}", brief);
    await this.#notifier.warn(text, action(l10n.t("Turn On Again"), turnOn), openSetting("completions.model"));
  }

  /** Shows once for a model that it is too slow while typing. */
  async firstText(latency: number, model: string): Promise<void> {
    if (latency <= slow || this.#state.get<unknown>(slowKey) === model) return;
    await this.#state.update(slowKey, model);
    const seconds = (latency / 1_000).toFixed(1);
    const onDemand = action(l10n.t("Only on Demand"), () => setMode("onDemand"));
    const text = l10n.t(
      "A completion took {0} s to begin, which is too slow while typing. On demand, press Alt+\\ (Option+\\ on macOS) to get one.",
      seconds,
    );
    await this.#notifier.inform(
      text,
      onDemand,
      action(l10n.t("Keep"), () => undefined),
    );
  }

  /** Whether GitHub Copilot suggests code in a language as well, and the user has yet to choose one of the two. */
  async needsChoice(languageId: string): Promise<boolean> {
    return this.#state.get<unknown>(sourceKey) === undefined && (await this.#copilotSuggests(languageId));
  }

  /** Lets the user choose, once in all windows. */
  async askForSource(): Promise<void> {
    if (this.#state.get<unknown>(askedKey) !== true) await this.chooseSource();
  }

  /** Lets the user choose whether this extension or GitHub Copilot suggests code. */
  async chooseSource(): Promise<void> {
    if (this.#isChoosing) return;
    this.#isChoosing = true;
    await this.#state.update(askedKey, true);
    const own = action("Codex Gateway", async () => {
      await this.#state.update(sourceKey, own.title);
      const hint = l10n.t("To turn off the suggestions of GitHub Copilot, change its setting.");
      await this.#notifier.inform(hint, openSettings("github.copilot.enable"));
    });
    const other = action("GitHub Copilot", async () => {
      await this.#state.update(sourceKey, other.title);
      await setMode("off");
    });
    const text = l10n.t("GitHub Copilot also suggests code while you type. Which one do you want to use?");
    await this.#notifier.inform(text, own, other);
    this.#isChoosing = false;
  }
}

function action(title: string, run: () => unknown): Action {
  return { title, run: async () => await run() };
}

/** Changes the mode where it is set. */
export async function setMode(mode: "off" | "onDemand" | "automatic"): Promise<void> {
  await saving(() => changeSetting(workspace.getConfiguration(prefix), "completions.mode", mode));
}

/**
 * Whether GitHub Copilot suggests code in a language. VS Code activates its extension for everybody, so it counts only
 * where the user has signed in to GitHub.
 */
async function copilotSuggests(languageId: string): Promise<boolean> {
  if (!copilot.some((id) => extensions.getExtension(id)?.isActive === true)) return false;
  const enabled = asObject(workspace.getConfiguration("github.copilot").get("enable")) ?? {};
  if ((enabled[languageId] ?? enabled["*"]) === false) return false;
  const isEnterprise = workspace.getConfiguration("github-enterprise").get<unknown>("uri", "") !== "";
  const providers = isEnterprise ? ["github", "github-enterprise"] : ["github"];
  return (await Promise.all(providers.map(hasAccounts))).includes(true);
}

/** Whether the user has signed in. Needs no session, and so no consent. */
async function hasAccounts(provider: string): Promise<boolean> {
  try {
    return (await authentication.getAccounts(provider)).length > 0;
  } catch {
    return false;
  }
}
