import { LanguageModelTextPart, LanguageModelToolCallPart, type Progress } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { GatewayError } from "../../gateway/errors.ts";
import type { AnswerPart, FinishReason, Usage } from "../../gateway/types.ts";
import { type ReportedPart, thinkingPart, usagePart } from "./unpublishedApi.ts";

/** Reports one answer to VS Code, part by part. */
export class AnswerReport {
  readonly #progress: Progress<ReportedPart>;
  #usage: Usage | undefined;
  #reason: FinishReason | undefined;
  #isVisible = false;

  constructor(progress: Progress<ReportedPart>) {
    this.#progress = progress;
  }

  /** Reports a part if it is visible. */
  add(part: AnswerPart): void {
    if (part.type === "usage") this.#usage = part;
    if (part.type === "finish") this.#reason = part.reason;
    if (part.type === "reasoning") this.#think(part.text);
    if (part.type === "text") this.#show(new LanguageModelTextPart(part.text));
    if (part.type === "toolCall") {
      this.#show(new LanguageModelToolCallPart(part.id, part.name, part.input));
    }
  }

  /**
   * Reports the usage. Throws when the answer is truncated or has no visible part. Otherwise VS Code shows "Sorry, no
   * response was returned." (seen in VS Code 1.139).
   */
  end(): void {
    if (this.#usage) this.#progress.report(usagePart(this.#usage));
    if (this.#reason === "length") throw new UserError("cutOff");
    if (this.#reason === "contentFilter") throw new UserError("filtered");
    if (!this.#isVisible) throw new GatewayError("empty", "The answer has neither text nor tool calls.");
  }

  #show(part: ReportedPart): void {
    this.#isVisible = true;
    this.#progress.report(part);
  }

  #think(text: string): void {
    const part = thinkingPart(text);
    if (part) this.#progress.report(part);
  }
}
