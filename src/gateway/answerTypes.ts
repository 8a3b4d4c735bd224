import type { EntryName, ToolCall } from "./requestTypes.ts";

/** Why an answer ended. `length` and `contentFilter` mean that it is not whole. */
export type FinishReason = "stop" | "length" | "contentFilter" | "toolCalls";

/** Tokens of one operation, as the gateway counted them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/**
 * One part of an answer, in the order of arrival: `start` once before all others, `finish` once as the last.
 * `start.dropped` names undocumented request fields that the gateway refuses and that were left out.
 */
export type AnswerPart =
  | {
      readonly type: "start";
      readonly entry: EntryName;
      readonly requestId?: string | undefined;
      readonly dropped: readonly string[];
    }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | ({ readonly type: "toolCall" } & ToolCall)
  | ({ readonly type: "usage" } & Usage)
  | { readonly type: "finish"; readonly reason: FinishReason };

/** Where the bytes of a generated image are: behind a link, or inline where a gateway sends them so. */
export type ImageSource = { readonly url: string } | { readonly bytes: Uint8Array };

/** What an image order brought: at least one image. */
export interface ImageAnswer {
  readonly images: readonly ImageSource[];
  readonly usage: Usage | undefined;
  readonly entry: EntryName;
  readonly requestId: string | undefined;
}

/** The exact bytes of an image file and the type they prove. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly type: "png" | "jpeg" | "webp";
}
