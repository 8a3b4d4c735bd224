import * as vscode from "vscode";
import type { Usage } from "../../gateway/types.ts";
import { asObject, asText, type JsonObject } from "../../base/json.ts";

/*
 * VS Code API that the chat features use and `@types/vscode` does not declare, each with the version it was tested on.
 * Check these first with a new version of VS Code.
 */

/** Properties of a model. Without the first two it is missing from the model picker (VS Code 1.139.1). */
export interface PickableModel extends vscode.LanguageModelChatInformation {
  readonly isUserSelectable: true;
  readonly isBYOK: true;
  readonly statusIcon?: vscode.ThemeIcon;
  /**
   * Prices of a million tokens, as numbers without a currency. VS Code shows them in the list of models, and where GitHub bills
   * by usage, in the picker's hover instead of the tooltip (`ILanguageModelChatMetadata` and chatModelsWidget.ts, 1.139.1).
   */
  readonly inputCost?: number;
  readonly cacheCost?: number;
  readonly outputCost?: number;
  /**
   * Options of the model that users can choose; the model picker offers those of the group `navigation`. Its types are in the
   * proposed API `chatProvider` (microsoft/vscode#302771), but VS Code accepts it from any extension
   * (`$provideLanguageModelChatInfo` in extHostLanguageModels.ts, VS Code 1.139.1).
   */
  readonly configurationSchema?: { readonly properties: Readonly<Record<string, JsonObject>> };
}

/** The options that the user chose in the model picker, if any (VS Code 1.139.1). */
export function modelConfiguration(request: object): JsonObject | undefined {
  return asObject(Reflect.get(request, "modelConfiguration"));
}

/** A part of an answer. The published type lacks thinking parts (VS Code 1.139.1). */
export type ReportedPart = vscode.LanguageModelResponsePart;

type ThinkingPart = new (text: string, id?: string, metadata?: JsonObject) => ReportedPart;

/**
 * A part that shows reasoning; `undefined` if the running VS Code has no class for it (VS Code 1.139.1). The built-in chat sends
 * a part with an id and metadata back with the results of the answer's tool calls. It keeps only the last metadata of an
 * answer (`update` of its thinking data).
 */
export function thinkingPart(text: string, id?: string, metadata?: JsonObject): ReportedPart | undefined {
  const part: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
  return typeof part === "function" ? new (part as ThinkingPart)(text, id, metadata) : undefined;
}

/** The metadata of a thinking part in a message (VS Code 1.139.1); `undefined` for other parts. */
export function thinkingMetadata(part: unknown): JsonObject | undefined {
  const thinking: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
  if (typeof thinking !== "function" || !(part instanceof thinking)) return undefined;
  return asObject(Reflect.get(part, "metadata"));
}

/** The built-in chat's name for the conversation of a request (microsoft/vscode#332031, VS Code 1.139.1), if it has one. */
export function conversationId({
  modelOptions,
}: Pick<vscode.ProvideLanguageModelChatResponseOptions, "modelOptions">): string | undefined {
  return asText(modelOptions?._conversationId);
}

/** A data part with token counts, of the MIME type that VS Code's display of the context window reads (VS Code 1.139.1). */
export function usagePart({ inputTokens, cachedTokens, outputTokens, totalTokens }: Usage): ReportedPart {
  const counts = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: totalTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  };
  return vscode.LanguageModelDataPart.json(counts, "usage");
}

/** Whether a message is the system prompt: `LanguageModelChatMessageRole` has no name for its role (VS Code 1.139.1). */
export function isSystem(role: number): boolean {
  return role === 3;
}

/**
 * The kind of a reference that VS Code attached: the selection or file in the active editor (chatImplicitContext.ts in VS Code
 * 1.139.1), or instructions and files that these refer to (`PromptFileVariableKind`). `undefined` for the user's attachments.
 */
export function implicitKind(referenceId: string): "selected" | "implicit" | "instructions" | undefined {
  if (referenceId === "vscode.implicit.selection") return "selected";
  if (referenceId.startsWith("vscode.instructions.file.root")) return "instructions";
  return /^vscode\.(?:implicit|instructions)\b/.test(referenceId) ? "implicit" : undefined;
}

/**
 * Whether VS Code attaches a reference to all questions, whatever they are about: instructions, files that these refer to, and
 * texts of other extensions, such as GitHub Pull Requests, whose id is their name (`getWorkspaceContextItems` in
 * chatContextService.ts, VS Code 1.139.1).
 */
export function isAlwaysAttached(reference: Pick<vscode.ChatPromptReference, "id" | "value">): boolean {
  const { id, value } = reference;
  return id.startsWith("vscode.instructions.") || (typeof value === "string" && Reflect.get(reference, "name") === id);
}

/** The references without VS Code's index of agents, skills, and instructions, which is for its own agents (VS Code 1.139.1). */
export function forParticipants<R extends { readonly id: string }>(references: readonly R[]): readonly R[] {
  return references.filter(({ id }) => id !== "vscode.customizations.index");
}

/** A pasted or attached image. */
export interface ImageReference {
  readonly mimeType: string;
  data(): Thenable<Uint8Array>;
}

/** Whether an image is an SVG, which is sent as text. */
export function isSvg({ mimeType }: Pick<ImageReference, "mimeType">): boolean {
  return mimeType.startsWith("image/svg");
}

/** Whether the value of a reference is an image: a `ChatReferenceBinaryData`, which is not published (VS Code 1.139.1). */
export function isImageReference(value: unknown): value is ImageReference {
  if (typeof value !== "object" || value === null || !("mimeType" in value && "data" in value)) return false;
  return typeof value.mimeType === "string" && value.mimeType.startsWith("image/") && typeof value.data === "function";
}
