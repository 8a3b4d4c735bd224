import * as vscode from "vscode";
import { UserError } from "../../failures/userError.ts";
import { GatewayError } from "../../gateway/errors.ts";
import type { AnswerPart, FinishReason, Usage } from "../../gateway/types.ts";

/** What VS Code takes from a provider, thinking included, which its published types do not have. */
export type ReportedPart = vscode.LanguageModelResponsePart;

type ThinkingPart = new (text: string) => ReportedPart;

/** The type under which VS Code reads token counts, for its display of the context window. */
const usageType = "usage";

/** Hands one answer on to VS Code, part by part. */
export class AnswerReport {
  readonly #progress: vscode.Progress<ReportedPart>;
  #usage: Usage | undefined;
  #reason: FinishReason | undefined;
  #isVisible = false;

  constructor(progress: vscode.Progress<ReportedPart>) {
    this.#progress = progress;
  }

  /** Reports what is to be seen of a part. */
  add(part: AnswerPart): void {
    if (part.type === "usage") this.#usage = part;
    if (part.type === "finish") this.#reason = part.reason;
    if (part.type === "reasoning") this.#think(part.text);
    if (part.type === "text") this.#show(new vscode.LanguageModelTextPart(part.text));
    if (part.type === "toolCall") {
      this.#show(new vscode.LanguageModelToolCallPart(part.id, part.name, part.input));
    }
  }

  /** Reports the usage, once, and returns it. */
  reportUsage(): Usage | undefined {
    if (this.#usage) this.#progress.report(usagePart(this.#usage));
    return this.#usage;
  }

  /** Throws where the answer is not whole, or has nothing to see: VS Code would not say so. */
  end(): void {
    if (this.#reason === "length") throw new UserError("cutOff");
    if (this.#reason === "contentFilter") throw new UserError("filtered");
    if (!this.#isVisible) throw new GatewayError("empty", "The answer has neither text nor tool calls.");
  }

  #show(part: ReportedPart): void {
    this.#isVisible = true;
    this.#progress.report(part);
  }

  #think(text: string): void {
    const part = thinkingPart();
    if (part) this.#progress.report(new part(text));
  }
}

function usagePart({ inputTokens, outputTokens, totalTokens }: Usage): ReportedPart {
  const counts = { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens };
  return vscode.LanguageModelDataPart.json(counts, usageType);
}

/** The class for reasoning, where the running VS Code has one. */
function thinkingPart(): ThinkingPart | undefined {
  const part: unknown = Reflect.get(vscode, "LanguageModelThinkingPart");
  return typeof part === "function" ? (part as ThinkingPart) : undefined;
}
