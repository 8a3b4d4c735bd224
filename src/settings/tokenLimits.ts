import type { TextModel } from "../gateway/models.ts";
import type { ModelLimit } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";
import { unknownModel } from "./modelSettings.ts";
import type { Settings } from "./settings.ts";

/** The lowest limit that a gateway's report leads to, so that a wrong one leaves room for a question and some code. */
export const minInput = 4_000;

/** The share of a context that is reserved for the answer, and its maximum, in tokens. */
const answerShare = 1 / 8;
const maxReserved = 32_000;

/**
 * The input tokens that a limit allows. A limit of the context includes the answer, so an eighth of it is reserved: at most
 * 32,000 tokens, more than a codex model usually writes, and at most the model's output limit. A limit of the prompt is used
 * as it is.
 */
export function inputTokens({ tokenLimit, limits }: Omit<ModelLimit, "model">, maxOutputTokens: number): number {
  const forAnswer = limits === "input" ? 0 : Math.min(tokenLimit * answerShare, maxReserved, maxOutputTokens);
  return Math.max(minInput, Math.floor(tokenLimit - forAnswer));
}

/**
 * The limits that the gateway has reported in this session. They can do little harm, so the user is not asked: they only
 * lower a limit, never below `minInput`, and are forgotten when settings change.
 */
export class LearnedLimits {
  readonly #limits = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  /** Stores a limit. Returns the input tokens that it allows if these are fewer than in `settings`. */
  learn(limit: ModelLimit, settings: Pick<Settings, "models">): number | undefined {
    const model = settings.models.find(({ id }) => id === limit.model);
    const allowed = inputTokens(limit, (model ?? unknownModel).maxOutputTokens);
    const known = this.#limits.get(limit.model) ?? Infinity;
    if (allowed >= Math.min(known, model?.maxInputTokens ?? Infinity)) return undefined;
    this.#limits.set(limit.model, allowed);
    for (const listener of this.#listeners) listener();
    return allowed;
  }

  applyTo(settings: Settings): Settings {
    if (this.#limits.size === 0) return settings;
    const models = settings.models.map((model) => {
      const maxInputTokens = Math.min(model.maxInputTokens, this.#limits.get(model.id) ?? Infinity);
      return { ...model, maxInputTokens };
    });
    return { ...settings, models, learnedInputTokens: new Map(this.#limits) };
  }

  forget(): void {
    this.#limits.clear();
  }

  /** Calls `listener` whenever a limit is learned. */
  readonly onDidLearn = (listener: () => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
}

/**
 * A model of the settings with its token limits (see `mergeModels`), or an unknown one with `defaultInputTokens`, or fewer if
 * the gateway has reported that.
 */
export function modelOf(
  id: string,
  { models, learnedInputTokens }: Pick<Settings, "models" | "learnedInputTokens">,
  defaultInputTokens = unknownModel.maxInputTokens,
): TextModel {
  const maxInputTokens = Math.min(defaultInputTokens, learnedInputTokens?.get(id) ?? Infinity);
  return models.find((known) => known.id === id) ?? { id, name: quote(id), ...unknownModel, maxInputTokens };
}

/** The models in VS Code's picker: those of the setting `models`, and those that Use Everywhere names. */
export function listedModels(
  settings: Pick<Settings, "models" | "learnedInputTokens" | "chatModel" | "commitMessageModel">,
): readonly TextModel[] {
  const { models, chatModel, commitMessageModel } = settings;
  const ids = new Set([...models.map(({ id }) => id), chatModel, commitMessageModel]);
  return [...ids].map((id) => modelOf(id, settings));
}
