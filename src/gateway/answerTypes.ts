import type { EntryName, TextApi, ToolCall } from "./requestTypes.ts";

/** Why an answer ended. `length` (the model reached its output limit) and `contentFilter` mean that it is truncated. */
export type FinishReason = "stop" | "length" | "contentFilter" | "toolCalls";

/** Token counts of one operation, as reported by the gateway. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/**
 * A part of an answer, in order of arrival: `start` once, before all others; `finish` once, at the end. `start.dropped`
 * names the undocumented request fields that were left out because the gateway rejects them. `start.api`
 * names the API that answered a request that left the choice to the client. Tool calls are complete, with parsed input.
 */
export type AnswerPart =
  | {
      readonly type: "start";
      readonly entry: EntryName;
      readonly requestId?: string | undefined;
      readonly dropped: readonly string[];
      readonly api?: TextApi;
    }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ({ readonly type: "toolCall" } & ToolCall)
  | ({ readonly type: "usage" } & Usage)
  | { readonly type: "finish"; readonly reason: FinishReason };

/** The source of a generated image: a link or, if the gateway sends it inline, the bytes. */
export type ImageSource = { readonly url: string } | { readonly bytes: Uint8Array };

/** The result of an image order, with at least one image. */
export interface ImageAnswer {
  readonly images: readonly ImageSource[];
  readonly usage: Usage | undefined;
  readonly entry: EntryName;
  readonly requestId: string | undefined;
}

/** The exact bytes of an image file, and the type that they prove. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly type: "png" | "jpeg" | "webp";
}
