import type { TextModel } from "../gateway/models.ts";
import type { ModelLimit } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";
import { unknownModel } from "./models.ts";
import type { Settings } from "./settings.ts";

/** The lowest limit that a gateway's word leads to, so that a wrong one leaves room for a question and some code. */
export const leastInput = 4_000;

/** Share of a context that is kept for the answer, and the most that is kept, in tokens. */
const answerShare = 1 / 8;
const longestAnswer = 32_000;

/**
 * The input tokens that a limit allows. A limit of the context also has to hold the answer, so an eighth of it is kept
 * for that: at most 32,000 tokens, more than a codex model usually writes, and at most what the model may write. Requests
 * reserve nothing themselves, because they name no length. A limit of the prompt counts as it is.
 */
export function inputTokens({ tokenLimit, limits }: Omit<ModelLimit, "model">, maxOutputTokens: number): number {
  const forAnswer = limits === "input" ? 0 : Math.min(tokenLimit * answerShare, longestAnswer, maxOutputTokens);
  return Math.max(leastInput, Math.floor(tokenLimit - forAnswer));
}

/**
 * The limits that the gateway has named in this session. They are used without asking, because they can do little: they
 * only lower a limit, never below `leastInput`, and are forgotten when settings change.
 */
export class LearnedLimits {
  readonly #limits = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  /** Learns a limit. Returns the input tokens it leaves if it is lower than the one in `settings`. */
  learn(limit: ModelLimit, settings: Pick<Settings, "models">): number | undefined {
    const model = settings.models.find(({ id }) => id === limit.model);
    const allowed = inputTokens(limit, (model ?? unknownModel).maxOutputTokens);
    const known = this.#limits.get(limit.model) ?? Infinity;
    if (allowed >= Math.min(known, model?.maxInputTokens ?? Infinity)) return undefined;
    this.#limits.set(limit.model, allowed);
    for (const listener of this.#listeners) listener();
    return allowed;
  }

  /** The settings with the learned limits. */
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

/** A model of the settings, or one with low limits: an input of `otherwise` tokens, unless the gateway said less. */
export function modelOf(
  id: string,
  { models, learnedInputTokens }: Pick<Settings, "models" | "learnedInputTokens">,
  otherwise = unknownModel.maxInputTokens,
): TextModel {
  const maxInputTokens = Math.min(otherwise, learnedInputTokens?.get(id) ?? Infinity);
  return models.find((known) => known.id === id) ?? { id, name: quote(id), ...unknownModel, maxInputTokens };
}
