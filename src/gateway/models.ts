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
  /** The supported efforts, lowest first; missing if none are published. */
  readonly efforts?: readonly ReasoningEffort[];
  /** The requested effort; without it the model chooses. */
  readonly reasoningEffort?: ReasoningEffort;
}

/** All levels of reasoning, lowest first. No model supports all of them. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

export function isReasoningEffort(value: unknown): value is ReasoningEffort {
  return reasoningEfforts.some((effort) => effort === value);
}

const large = { maxInputTokens: 272_000, maxOutputTokens: 128_000 };
const codexEfforts = ["low", "medium", "high", "xhigh"] as const;
const generalEfforts = ["none", ...codexEfforts] as const;

/**
 * The available text models, spelled as in the gateway's interface; the first is the default. The efforts are from OpenAI's
 * model pages (developers.openai.com/api/docs/models), as quoted elsewhere (2026-11); none are known for Spark.
 */
export const textModels: readonly TextModel[] = [
  { id: "gpt-5.3-codex", name: "GPT-5.3 Codex", ...large, efforts: codexEfforts },
  { id: "gpt-5.3-codex-spark", name: "GPT-5.3 Codex Spark", maxInputTokens: 96_000, maxOutputTokens: 32_000 },
  { id: "gpt-5.4", name: "GPT-5.4", ...large, efforts: generalEfforts },
  { id: "gpt-5.4-mini", name: "GPT-5.4 mini", ...large, efforts: generalEfforts },
  { id: "gpt-5.5", name: "GPT-5.5", ...large, efforts: generalEfforts },
];

/** The only image model; `image-2` is answered with `model_not_found` (gateway's interface). */
export const imageModel = "gpt-image-2";
