import type { ChatImage, ChatRequest, ToolCall } from "../gateway/types.ts";
import { estimateTokens } from "./estimateTokens.ts";
import { imagesIn, imageTokens } from "./promptImages.ts";

interface Totals {
  readonly estimated: number;
  readonly reported: number;
}

/** Share of a limit that is used: an estimate can be up to 15 % too low, as `estimateTokens.test.ts` checks. */
const safeShare = 0.85;

/** Totals to start with, so that one small request hardly changes the scale. */
const initial: Totals = { estimated: 4_000, reported: 4_000 };

/** Estimated tokens from which earlier requests count half, so that the scale adapts to a gateway that changes. */
const halvedFrom = 200_000;

/** Limits of a reported count relative to the estimate. Reports come from the gateway and are not trusted. */
const bounds = { min: 0.8, max: 1.5 };

/**
 * Decides how much text fits a model, for every feature that asks one. An estimate is multiplied by the model's scale,
 * which is learned from the counts that the gateway reports, and by the safety margin.
 */
export class TokenCounter {
  readonly #totals = new Map<string, Totals>();

  /** Counts the tokens of a text, and of images, for a model, with the safety margin. */
  count(model: string, text: string, images: readonly ChatImage[] = []): number {
    return Math.ceil((estimateTokens(text) + imageTokens(images)) * this.#safeScale(model));
  }

  /** The most likely number of tokens of a text for a model, without the margin. */
  estimate(model: string, text: string): number {
    return Math.round(estimateTokens(text) * this.#scale(model));
  }

  /** Converts a model's limit into the tokens that can be used, as `estimateTokens` counts them. */
  room(model: string, tokens: number): number {
    return Math.floor(tokens / this.#safeScale(model));
  }

  /** Learns from the input tokens that the gateway reports for a request. Each report is limited, so a wrong one fades. */
  learn(request: Pick<ChatRequest, "model" | "messages" | "tools">, reported: number): void {
    const estimated = estimateTokens(countableText(request)) + imageTokens(imagesIn(request.messages));
    if (estimated === 0 || !(reported > 0)) return;
    const credible = Math.min(bounds.max * estimated, Math.max(bounds.min * estimated, reported));
    const totals = this.#totals.get(request.model) ?? initial;
    const weight = totals.estimated > halvedFrom ? 0.5 : 1;
    this.#totals.set(request.model, {
      estimated: totals.estimated * weight + estimated,
      reported: totals.reported * weight + credible,
    });
  }

  #safeScale(model: string): number {
    return this.#scale(model) / safeShare;
  }

  #scale(model: string): number {
    const { estimated, reported } = this.#totals.get(model) ?? initial;
    return reported / estimated;
  }
}

/** The texts of a request that count as tokens. */
export function countableText({ messages, tools = [] }: Pick<ChatRequest, "messages" | "tools">): string {
  const texts = messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? (message.toolCalls ?? []).map(callText) : []),
  ]);
  return [...texts, ...(tools.length > 0 ? [JSON.stringify(tools)] : [])].join("\n");
}

/** The text of a tool call that counts as tokens. */
export function callText({ name, input }: Pick<ToolCall, "name" | "input">): string {
  return `${name} ${JSON.stringify(input)}`;
}
