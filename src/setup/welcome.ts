import { commands, type Disposable, l10n, window } from "vscode";
import { keepUsing, runOwn, setUp } from "../failures/actions.ts";
import type { Notifier } from "../failures/notifier.ts";
import { extensionId, prefix, walkthroughId } from "../manifest.ts";
import type { Services } from "../services.ts";
import { laterChanges } from "../settings/vscodeChatSettings.ts";

type Needs = Pick<Services, "settings" | "state"> & Pick<Notifier, "inform">;

/** State key: the welcome was shown. */
const welcomed = "welcomed";

/** Offers Set Up and the walkthrough to a new user, once. */
export async function welcome({ settings, state, inform }: Needs): Promise<void> {
  if (state.get(welcomed) === true || settings().baseUrl !== "") return;
  await state.update(welcomed, true);
  const getStarted = { title: l10n.t("Get Started"), run: openWalkthrough };
  const text = l10n.t("Codex Gateway is installed. Connect your gateway to get your first answer in a minute.");
  await inform(text, setUp({}), getStarted);
}

/** State key: the offer to keep VS Code's chat on the gateway's models was shown. */
const keepOffered = "chatUse.keepOffered";

/** Offers once the settings that **Use Everywhere** of version 1.1.0 did not change. */
export async function offerToKeepChat({ state, inform }: Omit<Needs, "settings">): Promise<void> {
  const changes = laterChanges(state);
  if (changes.length === 0 || state.get(keepOffered) === true) return;
  await state.update(keepOffered, true);
  const text = l10n.t(
    "VS Code may open new chats with Copilot, which has no models of your gateway. To prevent that, change your user settings: {0}.",
    changes.map(({ setting, next }) => `${setting}: ${String(next)}`).join(", "),
  );
  const action = { title: l10n.t("Keep Using the Gateway"), run: () => runOwn("useForAiFeatures", keepUsing) };
  await inform(text, action);
}

export async function openWalkthrough(): Promise<void> {
  await commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#${walkthroughId}`);
}

/**
 * Checks off completed steps when a walkthrough opens: VS Code only notices context keys that change afterwards (seen in
 * VS Code 1.139), so every step's condition includes this key. A walkthrough is a tab without an input.
 */
export function tickWalkthrough(): Disposable {
  return window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (opened.every(({ input }) => input !== undefined)) return;
    for (const isOpening of [true, false])
      void commands.executeCommand("setContext", `${prefix}.walkthroughIsOpening`, isOpening);
  });
}
