/** A text model as the product shows it. Token limits are ours: the interface shows none. */
export interface TextModel {
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
}

/** The text models open for use, spelled as the interface spells them, the default first. */
export const textModels: readonly TextModel[] = [
  { id: "gpt-5.3-codex", name: "GPT-5.3 Codex", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
  { id: "gpt-5.3-codex-spark", name: "GPT-5.3 Codex Spark", maxInputTokens: 96_000, maxOutputTokens: 32_000 },
  { id: "gpt-5.4", name: "GPT-5.4", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
  { id: "gpt-5.4-mini", name: "GPT-5.4 mini", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
  { id: "gpt-5.5", name: "GPT-5.5", maxInputTokens: 272_000, maxOutputTokens: 128_000 },
];

/** The only model that makes images; `image-2` leads to `model_not_found`. */
export const imageModel = "gpt-image-2";
