import type { LanguageModelChat, Memento } from "vscode";
import { isReasoningEffort, type TextModel, textModels } from "../gateway/models.ts";
import type { ChatRequest, TextApi } from "../gateway/types.ts";
import { vendor } from "../manifest.ts";
import { asObject, asText } from "../base/json.ts";
import { quote } from "../text/safeText.ts";

/** Token limits of a model without a description: low enough for any model. */
export const unknownModel = { maxInputTokens: 96_000, maxOutputTokens: 32_000 };

/** Maximum number of models from the setting, and maximum length of an id and of a name. */
const maxAdded = 100;
const maxId = 200;
const maxName = 100;

/** Maximum plausible token limit. */
export const maxInput = 100_000_000;

/** A model id without invisible characters, because it is sent in requests and shown in the status bar. */
export function modelId(typed: string): string {
  return typed
    .slice(0, maxId)
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, "")
    .trim();
}

/** Merges the setting `models` into the built-in text models, and appends new models. */
export function mergeModels(setting: unknown): readonly TextModel[] {
  const descriptions = new Map(Object.entries(asObject(setting) ?? {}));
  const known = textModels.map((model) => describe(model, descriptions.get(model.id)));
  const added = [...descriptions]
    .filter(([id]) => id !== "" && id === modelId(id) && textModels.every((model) => model.id !== id))
    .slice(0, maxAdded)
    .map(([id, description]) => describe({ id, name: quote(id, maxName), ...unknownModel }, description));
  return [...known, ...added];
}

/** The model that `@codex` asks: the one picked in the Chat view, if not just preselected, or else that from the settings. */
export function chooseModel(
  shown: Pick<LanguageModelChat, "vendor" | "id">,
  configured: string,
  models: readonly Pick<TextModel, "id" | "name">[],
): string {
  // VS Code preselects the first model by name when the user has picked none (seen in VS Code 1.139).
  const [preselected] = models.toSorted((one, other) => one.name.localeCompare(other.name));
  return shown.vendor === vendor && shown.id !== preselected?.id ? shown.id : configured;
}

/** State key: the base URL of the gateway that last answered a question with tools through the Responses API. */
const answeredByResponses = "responses.answered";

/** The API for VS Code's questions with tools: with `auto`, the Responses API first if the gateway has answered one there. */
export function apiForTools(
  { chatApi, baseUrl }: { readonly chatApi: TextApi | "auto"; readonly baseUrl: string },
  state: Pick<Memento, "get">,
): NonNullable<ChatRequest["api"]> {
  return chatApi === "auto" && state.get(answeredByResponses) === baseUrl ? "responsesFirst" : chatApi;
}

/**
 * Remembers, for all windows, that the Responses API has answered a question with tools for which the setting leaves the choice.
 * A refusal is not remembered here: it may be about another model, or temporary.
 */
export async function noteApiForTools(
  api: TextApi | undefined,
  { baseUrl }: { readonly baseUrl: string },
  state: Pick<Memento, "get" | "update">,
): Promise<void> {
  if (api === "responses" && state.get(answeredByResponses) !== baseUrl)
    await state.update(answeredByResponses, baseUrl);
}

/** Applies a description from the settings. Ignores values of the wrong type. */
function describe(model: TextModel, description: unknown): TextModel {
  if (description === undefined) return model;
  const { name, maxInputTokens, maxOutputTokens, reasoningEffort } = asObject(description) ?? {};
  return {
    id: model.id,
    name: asText(quote((asText(name) ?? "").slice(0, 2 * maxName), maxName)) ?? model.name,
    maxInputTokens: isLimit(maxInputTokens) ? maxInputTokens : model.maxInputTokens,
    maxOutputTokens: isLimit(maxOutputTokens) ? maxOutputTokens : model.maxOutputTokens,
    ...(model.efforts && { efforts: model.efforts }),
    ...(isReasoningEffort(reasoningEffort) && { reasoningEffort }),
  };
}

/** A limit of 0 would break the built-in chat's budgets (VS Code 1.139). */
function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= maxInput;
}
