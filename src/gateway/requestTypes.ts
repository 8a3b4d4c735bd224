import type { ReasoningEffort } from "./models.ts";

/** The two entries of the gateway, at `{base_url}/v1` and `{backup_base_url}/v1` (gateway's interface). */
export type EntryName = "primary" | "backup";

/** The key groups. A `codex` key is by default not accepted for images (gateway's interface). */
export type KeyGroup = "codex" | "image";

/**
 * A call of a tool offered in `ChatRequest.tools`. `input` matches the tool's JSON Schema only if the model complies.
 */
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

/** A tool that the model may call. `inputSchema` is a JSON Schema; without it the tool takes no arguments. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** The APIs for text: `/v1/chat/completions` and `/v1/responses`. */
export type TextApi = "chatCompletions" | "responses";

/**
 * A request to a text model. `tools` is not documented by the gateway's interface; see `toolCalling` in
 * `GatewaySettings`.
 */
export interface ChatRequest {
  /** Default `auto`: chat completions, or responses where the gateway says that only these serve the model. */
  readonly api?: TextApi | "auto";
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Tool[];
  /** `required`: the answer must contain a tool call. Default `auto`. */
  readonly toolChoice?: "auto" | "required";
  /** How much the model reasons; not documented either. Without it nothing is sent, and the model chooses. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
  /** What it is for. Not sent; reports hand it back. */
  readonly feature?: string | undefined;
  /**
   * `one`: neither a retry nor failover after a failure. Only a request that was refused for an undocumented field is
   * repeated, without the field. Default `several`.
   */
  readonly attempts?: "one" | "several";
  /** Whether the user did not ask for it. The owner hears of it when a key is needed. Default `false`. */
  readonly isUnasked?: boolean;
}

/** An image order. `size` is `<width>x<height>` in pixels; without it the gateway chooses. */
export interface ImageRequest {
  readonly prompt: string;
  readonly size?: string | undefined;
  /** What it is for. Not sent; reports hand it back. */
  readonly feature?: string | undefined;
}
