import { type TextModel, textModels } from "../gateway/models.ts";
import { asObject, asText } from "../gateway/wire/json.ts";

/** Limits of a model that nobody has described: small enough for any of them. */
export const unknownModel = { maxInputTokens: 96_000, maxOutputTokens: 32_000 };

/** The built-in text models with what the setting `models` says about them, then the models that only it knows. */
export function mergeModels(setting: unknown): readonly TextModel[] {
  const descriptions = new Map(Object.entries(asObject(setting) ?? {}));
  const known = textModels.map((model) => describe(model, descriptions.get(model.id)));
  const added = [...descriptions].filter(([id]) => id !== "" && textModels.every((model) => model.id !== id));
  return [...known, ...added.map(([id, description]) => describe({ id, name: id, ...unknownModel }, description))];
}

/** A description is typed by hand: what is not of the right type counts as not said. */
function describe(model: TextModel, description: unknown): TextModel {
  const { name, maxInputTokens, maxOutputTokens } = asObject(description) ?? {};
  return {
    id: model.id,
    name: asText(asText(name)?.trim()) ?? model.name,
    maxInputTokens: isLimit(maxInputTokens) ? maxInputTokens : model.maxInputTokens,
    maxOutputTokens: isLimit(maxOutputTokens) ? maxOutputTokens : model.maxOutputTokens,
  };
}

/** A limit of 0 would break VS Code's budgets. */
function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
