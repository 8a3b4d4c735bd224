/** The two entries of the gateway: `{base_url}/v1` and `{backup_base_url}/v1`. */
export type EntryName = "primary" | "backup";

/** The groups a key can belong to. */
export type KeyGroup = "codex" | "image";

/** A call of a function offered in `ChatRequest.tools`. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One message of a conversation. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

/** A function the model may call. `inputSchema` is a JSON Schema. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** The APIs that answer a question: `/v1/chat/completions` and `/v1/responses`. */
export type TextApi = "chatCompletions" | "responses";

/** A question to a text model. `tools` is not documented by the interface: see `toolCalling` in `GatewaySettings`. */
export interface ChatRequest {
  /** Default `chatCompletions`. */
  readonly api?: TextApi;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  /** `required`: the answer must be a tool call. Default `auto`. */
  readonly toolChoice?: "auto" | "required";
}

/** An order for images. `size` is `<width>x<height>`; without it the service chooses. */
export interface ImageRequest {
  readonly prompt: string;
  readonly size?: string | undefined;
}
