import { commands, l10n, lm, ProgressLocation, window, workspace } from "vscode";
import { keepUsing, openSettings, runOwn } from "../failures/actions.ts";
import { saving, UserError } from "../failures/userError.ts";
import type { Action } from "../failures/notice.ts";
import { GatewayError } from "../gateway/errors.ts";
import { leanAgent, prefix, settingDefaults, vendor } from "../manifest.ts";
import type { Services } from "../services.ts";
import {
  aiFeaturesOff,
  applyChanges,
  chatIsOn,
  chatUse,
  laterChanges,
  overridingSetting,
  plannedChanges,
  revertChanges,
  type SettingChange,
  turnOnChat,
} from "../settings/vscodeChatSettings.ts";
import { modelId, noteApiForTools } from "../settings/modelSettings.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { quote } from "../text/safeText.ts";
import { showMessage } from "../ui/showMessage.ts";

type Needs = Pick<Services, "gateway" | "settings" | "state">;

/** Maximum time to wait for other extensions and the gateway, in milliseconds, and for what the gateway answers later. */
const maxWait = 5_000;
const maxAnswerTime = 120_000;

/** State key: Set Up was completed except for its last step, `offerUse`. */
export const setUpUnfinishedKey = "setUp.unfinished";

/** State key: the user has declined the models outside `@codex`, so Set Up does not ask again. */
const chatUseDeclinedKey = "chatUse.declined";

/**
 * Uses the gateway's models in all of VS Code's chat, after showing which settings change. With the argument `keepUsing`,
 * makes only the changes that a notification has listed.
 */
export async function useForAiFeatures(services: Needs, argument?: unknown): Promise<void> {
  if (!workspace.isTrusted) throw new UserError("chatRestricted");
  assertNotOverridden();
  if (argument === keepUsing) {
    await applyLaterChanges(services);
    return;
  }
  // Set Up ends with the same question.
  if (services.settings().baseUrl === "") await runOwn("setUp");
  else await offerChatUse(services);
}

/** The last step of Set Up. Asks once whether to use the models in all of VS Code's chat. Returns whether they are. */
export async function offerUse(services: Needs): Promise<boolean> {
  return isOfferable(services) && (await offerChatUse(services));
}

/** Whether the last step of Set Up is missing. */
export function isUnfinished(services: Pick<Services, "state">): boolean {
  return services.state.get(setUpUnfinishedKey) === true && isOfferable(services);
}

/** The last step of Set Up as a button, if something else continues first. */
export function useInChatActions(services: Pick<Services, "state">): readonly Action[] {
  if (!isOfferable(services)) return [];
  return [{ title: l10n.t("Use in VS Code's Chat"), run: () => runOwn("useForAiFeatures") }];
}

function isOfferable({ state }: Pick<Services, "state">): boolean {
  return workspace.isTrusted && chatUse() === "notInUse" && state.get(chatUseDeclinedKey) !== true;
}

/** Reverts what `useForAiFeatures` has changed. */
export async function stopUsingForAiFeatures({ state, notifier }: Pick<Services, "state" | "notifier">): Promise<void> {
  await state.update(chatUseDeclinedKey, true);
  const changes = await saving(() => revertChanges(state));
  if (changes.length === 0) {
    void showMessage("Information", l10n.t("VS Code's chat does not use the gateway's models."));
    return;
  }
  const isOff = changes.some(({ setting, next }) => setting === aiFeaturesOff && next === true);
  const text = isOff
    ? l10n.t("VS Code's chat has its previous settings again, so AI features are turned off.")
    : l10n.t(
        "VS Code's chat has its previous settings again. It stays on, with the gateway's models in its picker, until you turn off AI features.",
      );
  await notifier.inform(text, openSettings(aiFeaturesOff));
}

/** A model from the user settings. A workspace's model must not end up in the user settings. */
export function userModel(setting: "chat.model" | "commitMessage.model" = "chat.model"): string {
  const value: unknown = workspace.getConfiguration(prefix).inspect(setting)?.globalValue;
  return (typeof value === "string" && modelId(value)) || settingDefaults[setting];
}

/** Shows what changes, applies it if the user agrees, and opens the chat. Returns whether the models are in use. */
async function offerChatUse(services: Needs): Promise<boolean> {
  const { settings, state } = services;
  const id = userModel();
  const model = modelOf(id, settings());
  const smallModel = userModel("commitMessage.model");
  const changes = plannedChanges({ model, smallModel, isUnique: await hasNoNamesake(id) });
  const takesTools = await acceptsTools(services);
  if (changes.length > 0 || !chatIsOn()) {
    const isAgreed = await confirm(changes, takesTools);
    await state.update(setUpUnfinishedKey, undefined);
    await state.update(chatUseDeclinedKey, isAgreed ? undefined : true);
    if (!isAgreed) return false;
    await saving(async () => {
      const title = l10n.t("Turning on VS Code's chat…");
      if (!chatIsOn() && !(await window.withProgress({ location: ProgressLocation.Notification, title }, turnOnChat))) {
        assertNotOverridden();
        throw new UserError("chatStaysOff");
      }
      await applyChanges(changes, state);
    });
    assertNotOverridden({ isApplied: true });
  }
  await startConversation(id, takesTools);
  return true;
}

async function applyLaterChanges(services: Needs): Promise<void> {
  const { state } = services;
  const wasInUse = chatUse() === "inUse";
  await saving(() => applyChanges(laterChanges(state), state));
  assertNotOverridden({ isApplied: true });
  const takesTools = await acceptsTools(services);
  if (!wasInUse) await startConversation(userModel(), takesTools);
}

function assertNotOverridden(state?: Parameters<typeof overridingSetting>[0]): void {
  const found = overridingSetting(state);
  if (!found) return;
  throw new UserError(found.setBy === "policy" ? "chatSetByPolicy" : "chatSetByWorkspace", {
    subject: found.setting,
  });
}

/** Opens a new conversation with a model in the Chat view. An open conversation may belong to Copilot and stay there. */
async function startConversation(id: string, takesTools: boolean): Promise<void> {
  // Versions without this command have no conversations of Copilot in the Chat view.
  await Promise.resolve(commands.executeCommand("workbench.action.chat.newLocalChat")).catch(() => undefined);
  // Agents work only with tools.
  await openChatView({ mode: takesTools ? "agent" : "ask", modelSelector: { vendor, id } });
  // If VS Code does not know this agent, its own stays selected.
  if (takesTools) await openChatView({ mode: leanAgent });
}

async function confirm(changes: readonly SettingChange[], takesTools: boolean): Promise<boolean> {
  const useEverywhere = { title: l10n.t("Use Everywhere") };
  const onlyCodex = { title: l10n.t("Only @codex"), isCloseAffordance: true };
  const wasOff = changes.some(({ setting, now }) => setting === aiFeaturesOff && now === true);
  const detail = [
    ...(wasOff ? [l10n.t("You have turned off VS Code's AI features. This turns them on again.")] : []),
    ...(takesTools
      ? []
      : [l10n.t("Your gateway or your settings allow no tools, so only Ask works. Agent and inline chat need tools.")]),
    l10n.t(
      "With each question, and again after each step with tools, Agent sends 17,000 tokens or more. Codex Lean, with fewer tools, sends little more than half of that.",
    ),
    l10n.t("This changes your user settings:"),
    changes.map(lineOf).join("\n"),
    l10n.t("To undo this, run “Stop Using in VS Code's Chat”."),
  ].join("\n\n");
  const question = l10n.t("Use the gateway's models in Ask, Agent, and inline chat (Ctrl/Cmd+I), without signing in?");
  const options = { modal: true, detail };
  return (await window.showInformationMessage(question, options, useEverywhere, onlyCodex)) === useEverywhere;
}

/** One row of the question. Escapes the values, because settings can contain any text. */
function lineOf({ setting, now, next }: SettingChange): string {
  return `${setting}: ${now === undefined || now === "" ? l10n.t("not set") : quote(String(now))} → ${quote(String(next))}`;
}

/** Opens the Chat view. Resolves models first: otherwise, every answer is "Language model unavailable" (VS Code 1.139.1). */
export async function openChatView(options: object): Promise<void> {
  try {
    await lm.selectChatModels({ vendor });
    await commands.executeCommand("workbench.action.chat.open", options);
  } catch (cause) {
    throw new UserError("chatUnavailable", { cause });
  }
}

/**
 * Whether no other provider has a model with the same id. Providers may have to start for this, and VS Code's own may not
 * start while signed out or offline. Those that do not answer in time count as having none.
 */
async function hasNoNamesake(id: string): Promise<boolean> {
  const silence = new Promise<readonly []>((resolve) => setTimeout(resolve, maxWait, []));
  const found = chatIsOn() ? await Promise.race([lm.selectChatModels({ id }), silence]) : [];
  return found.every((model) => model.vendor === vendor);
}

/**
 * Whether models can be offered tools, by the settings and by the gateway's response to a tiny question, which is canceled
 * once the answer starts. No answer in time counts as yes; a later one still tells which API answers in Agent.
 */
async function acceptsTools({ gateway, settings, state }: Needs): Promise<boolean> {
  const current = settings();
  const { chatModel, chatApi, toolCalling } = current;
  if (toolCalling === "off") return false;
  const request = {
    model: chatModel,
    // Only the Responses API keeps the model's reasoning from one tool call to the next.
    api: chatApi === "auto" ? "responsesFirst" : chatApi,
    messages: [{ role: "user", content: "Reply with OK." }],
    tools: [{ name: "read_file", description: "Reads a file." }],
    feature: "connectionTest",
  } as const;
  const title = l10n.t("Asking whether the gateway accepts tools…");
  const ask = async (): Promise<boolean> => {
    const signal = AbortSignal.timeout(maxAnswerTime);
    try {
      for await (const part of gateway.ask(request, signal)) {
        if (part.type !== "start") continue;
        await noteApiForTools(part.api, current, state);
        return !part.dropped.includes("tools");
      }
    } catch (error) {
      if (!(error instanceof GatewayError) && !signal.aborted) throw error;
    }
    return true;
  };
  const silence = new Promise<true>((resolve) => setTimeout(resolve, maxWait, true));
  return await window.withProgress({ location: ProgressLocation.Window, title }, () => Promise.race([ask(), silence]));
}
