import { Disposable, workspace } from "vscode";
import { prefix } from "../manifest.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * Starts completions while they are on in a trusted workspace. This file loads at activation, the rest, `completions.ts`,
 * when they start.
 */
export function registerCompletions(
  settings: () => Pick<Settings, "completionsMode">,
  start: () => Promise<{ dispose(): void }>,
): Disposable {
  let running: Promise<{ dispose(): void } | undefined> | undefined;
  const stop = (): void => {
    void running?.then((started) => {
      started?.dispose();
    });
    running = undefined;
  };
  const update = (): void => {
    const isOff = workspace.getConfiguration("chat").get("disableAIFeatures") === true;
    if (isOff || !workspace.isTrusted || settings().completionsMode === "off") stop();
    else running ??= start().catch(() => undefined);
  };
  update();
  const trust = workspace.onDidGrantWorkspaceTrust(update);
  const listener = workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${prefix}.completions`) || change.affectsConfiguration("chat")) update();
  });
  return new Disposable(() => {
    trust.dispose();
    listener.dispose();
    stop();
  });
}
