import { Disposable, EventEmitter, type LanguageModelChatProvider, lm, workspace } from "vscode";
import { prefix, vendor } from "../../manifest.ts";
import type { Services } from "../../services.ts";
import { type LearnedLimits, listedModels } from "../../settings/tokenLimits.ts";
import type { ModelAnswers } from "./modelAnswers.ts";
import { modelInformation } from "./modelInformation.ts";
import type { PickableModel } from "./unpublishedApi.ts";

/** Registers the gateway's text models. This file loads at activation; `answers`, in `modelAnswers.ts`, at the first request. */
export function registerModelProvider(
  {
    keys,
    settings,
    limits,
  }: Pick<Services, "keys" | "settings"> & { readonly limits: Pick<LearnedLimits, "onDidLearn"> },
  answers: () => Promise<ModelAnswers>,
): Disposable {
  const changed = new EventEmitter<void>();
  const fireChange = (): void => {
    changed.fire();
  };
  const provider: LanguageModelChatProvider<PickableModel> = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: async () => {
      const hasKey = (await keys.source("codex")) !== "none";
      const current = settings();
      return listedModels(current).map((model) => modelInformation(model, hasKey, current.prices));
    },
    provideLanguageModelChatResponse: async (...request) => (await answers()).answer(...request),
    provideTokenCount: async (model, text) => (await answers()).count(model, text),
  };
  return Disposable.from(
    changed,
    keys.onDidChange(fireChange),
    limits.onDidLearn(fireChange),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(prefix)) changed.fire();
    }),
    lm.registerLanguageModelChatProvider(vendor, provider),
  );
}
