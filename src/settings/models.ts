import { type TextModel, textModels } from "../gateway/models.ts";
import { asObject, asText } from "../gateway/wire/json.ts";
import { quote } from "../text/safeText.ts";

/** Limits of a model that nobody has described: small enough for any of them. */
export const unknownModel = { maxInputTokens: 96_000, maxOutputTokens: 32_000 };

/** The most models that the setting may add, and the most characters of an id and of a name. */
const maxAdded = 100;
const maxId = 200;
const maxName = 100;

/** No model has more tokens: a number beyond is a slip. */
const maxLimit = 100_000_000;

/** An id as typed, without what nobody sees: it goes into requests and the status bar. */
export function modelId(typed: string): string {
  return typed
    .slice(0, maxId)
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, "")
    .trim();
}

/** The built-in text models with what the setting `models` says about them, then the models that only it knows. */
export function mergeModels(setting: unknown): readonly TextModel[] {
  const descriptions = new Map(Object.entries(asObject(setting) ?? {}));
  const known = textModels.map((model) => describe(model, descriptions.get(model.id)));
  const added = [...descriptions]
    .filter(([id]) => id !== "" && id === modelId(id) && textModels.every((model) => model.id !== id))
    .slice(0, maxAdded)
    .map(([id, description]) => describe({ id, name: quote(id, maxName), ...unknownModel }, description));
  return [...known, ...added];
}

/** A description is typed by hand: what is not of the right type counts as not said. */
function describe(model: TextModel, description: unknown): TextModel {
  const { name, maxInputTokens, maxOutputTokens } = asObject(description) ?? {};
  return {
    id: model.id,
    name: asText(quote((asText(name) ?? "").slice(0, 2 * maxName), maxName)) ?? model.name,
    maxInputTokens: isLimit(maxInputTokens) ? maxInputTokens : model.maxInputTokens,
    maxOutputTokens: isLimit(maxOutputTokens) ? maxOutputTokens : model.maxOutputTokens,
  };
}

/** A limit of 0 would break VS Code's budgets. */
function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= maxLimit;
}
