import { workspace } from "vscode";
import type { AnswerServices } from "../../src/inline/answer/answerRun.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { TokenCounter } from "../../src/text/tokenCounter.ts";
import { MemoryState } from "./memoryState.ts";

/** Services for inline chat that answer with `ask`, on the settings of the window, where nothing is reported. */
export function inlineServices(
  ask: AnswerServices["gateway"]["ask"],
  other: Partial<AnswerServices> = {},
): AnswerServices {
  return {
    gateway: { ask, preconnect: () => undefined },
    notifier: { report: () => undefined },
    settings: () => readSettings((section) => workspace.getConfiguration(section, null)),
    tokens: new TokenCounter(),
    workspaceState: new MemoryState(),
    ...other,
  };
}
