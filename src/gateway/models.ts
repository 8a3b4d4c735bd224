/** The two entries of the gateway, at `{base_url}/v1` and `{backup_base_url}/v1` (gateway's interface). */
export type EntryName = "primary" | "backup";

/** The key groups. A `codex` key is by default not accepted for images (gateway's interface). */
export type KeyGroup = "codex" | "image";

/** A text model. The token limits are this extension's own estimates, because the interface names none. */
export interface TextModel {
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** The effort to ask for; without it the model chooses. */
  readonly reasoningEffort?: ReasoningEffort;
}

/** The levels of reasoning that models of this kind know, from the least; none of them knows all. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

export function isReasoningEffort(value: unknown): value is ReasoningEffort {
  return reasoningEfforts.some((effort) => effort === value);
}

/** The available text models, spelled as in the gateway's interface; the default comes first. */
export const textModels: readonly TextModel[] = [
  { id: "gpt-5.3-codex", name: "GPT-5.3 Codex", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
  { id: "gpt-5.3-codex-spark", name: "GPT-5.3 Codex Spark", maxInputTokens: 96_000, maxOutputTokens: 32_000 },
  { id: "gpt-5.4", name: "GPT-5.4", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
  { id: "gpt-5.4-mini", name: "GPT-5.4 mini", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
  { id: "gpt-5.5", name: "GPT-5.5", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
];

/** The only image model; `image-2` is answered with `model_not_found` (gateway's interface). */
export const imageModel = "gpt-image-2";
