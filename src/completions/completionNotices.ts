import { authentication, extensions, l10n, workspace } from "vscode";
import { openSetting, openSettings } from "../failures/actions.ts";
import type { Action } from "../failures/notice.ts";
import { noticeOf } from "../failures/notices.ts";
import { saving } from "../failures/userError.ts";
import type { GatewayError } from "../gateway/errors.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { changeSetting } from "../settings/changeSetting.ts";
import { asObject } from "../text/json.ts";

/** From here on, in milliseconds, the first text comes too late for someone who is typing. */
const slow = 2_000;
const slowKey = "completions.slowTold";
const otherKey = "completions.chosenSource";
const askedKey = "completions.askedForSource";
/** The extensions that bring GitHub Copilot's suggestions: the one that VS Code 1.139 contains, and the one before it. */
const copilot = ["GitHub.copilot-chat", "GitHub.copilot"];

/** What the user is told about completions, each once. */
export class CompletionNotices {
  readonly #state: Services["state"];
  readonly #notifier: Pick<Services["notifier"], "inform" | "warn">;
  readonly #suggestsElsewhere: (languageId: string) => Promise<boolean>;
  #isAskingForSource = false;
  #isWaiting = false;

  constructor(
    { state, notifier }: Pick<Services, "state"> & { readonly notifier: Pick<Services["notifier"], "inform" | "warn"> },
    elsewhere = suggestsElsewhere,
  ) {
    this.#state = state;
    this.#notifier = notifier;
    this.#suggestsElsewhere = elsewhere;
  }

  /** Says that completions are off after a refusal. Resolves to whether the user turns them on again. */
  async refused(error: GatewayError): Promise<boolean> {
    const { brief } = noticeOf(error, { name: "Completions", keyGroup: "codex", modelFrom: "completions.model" });
    let isOnAgain = false;
    const again = action(l10n.t("Turn On Again"), () => {
      isOnAgain = true;
    });
    const text = l10n.t("Completions are off in this window. {0}", brief);
    await this.#notifier.warn(text, again, openSetting("completions.model"));
    return isOnAgain;
  }

  /** Says once that answers come too late for someone who is typing. */
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

  /** Whether nothing is suggested while the user types until the user has chosen between this and GitHub Copilot. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /**
   * Whether this extension may suggest while the user types. Where GitHub Copilot does so, asks once which of the two
   * shall; until there is an answer, the gateway is not asked.
   */
  async mayBeAutomatic(languageId: string): Promise<boolean> {
    const isChosen = this.#state.get<unknown>(otherKey) !== undefined;
    this.#isWaiting = !isChosen && (await this.#suggestsElsewhere(languageId));
    if (this.#isWaiting && this.#state.get<unknown>(askedKey) !== true) void this.askForSource();
    return !this.#isWaiting;
  }

  /** Asks whether this extension or GitHub Copilot shall suggest. */
  async askForSource(): Promise<void> {
    if (this.#isAskingForSource) return;
    this.#isAskingForSource = true;
    await this.#state.update(askedKey, true);
    const own = action("Codex Gateway", async () => {
      await this.#state.update(otherKey, own.title);
      const hint = l10n.t("To turn off the suggestions of GitHub Copilot, change its setting.");
      await this.#notifier.inform(hint, openSettings("github.copilot.enable"));
    });
    const other = action("GitHub Copilot", async () => {
      await this.#state.update(otherKey, other.title);
      await setMode("off");
    });
    const text = l10n.t("GitHub Copilot also suggests code while you type. Which one do you want to use?");
    await this.#notifier.inform(text, own, other);
    if (this.#state.get<unknown>(otherKey) === undefined) await this.#state.update(otherKey, "both");
    [this.#isAskingForSource, this.#isWaiting] = [false, false];
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
 * Whether GitHub Copilot suggests in a language, as far as other extensions can tell. VS Code activates the extension also
 * for those who use no Copilot, so it counts only where the user has signed in to GitHub.
 */
export async function suggestsElsewhere(languageId: string): Promise<boolean> {
  if (!copilot.some((id) => extensions.getExtension(id)?.isActive === true)) return false;
  const enabled = asObject(workspace.getConfiguration("github.copilot").get("enable")) ?? {};
  if ((enabled[languageId] ?? enabled["*"]) === false) return false;
  const isEnterprise = workspace.getConfiguration("github-enterprise").get<unknown>("uri", "") !== "";
  const providers = isEnterprise ? ["github", "github-enterprise"] : ["github"];
  return (await Promise.all(providers.map(hasAccounts))).includes(true);
}

/** Asks for no session, and so for no consent. */
async function hasAccounts(provider: string): Promise<boolean> {
  try {
    return (await authentication.getAccounts(provider)).length > 0;
  } catch {
    return false;
  }
}
