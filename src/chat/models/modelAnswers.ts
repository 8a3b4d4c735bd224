import { setTimeout } from "node:timers/promises";
import {
  CancellationError,
  type CancellationToken,
  type LanguageModelChatRequestMessage,
  LanguageModelChatToolMode,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
} from "vscode";
import type { FailedAction } from "../../failures/notice.ts";
import { UserError } from "../../failures/userError.ts";
import { GatewayError } from "../../gateway/errors.ts";
import type { ReasoningEffort } from "../../gateway/models.ts";
import type { ChatRequest, FinishReason, Usage } from "../../gateway/types.ts";
import type { Services } from "../../services.ts";
import { withSignal } from "../../ui/withSignal.ts";
import { askedQuestion, isTyped, needsTools, requestFeature } from "./askedQuestion.ts";
import { countedText, toChatMessages, toTool } from "./messages.ts";
import { chosenEffort, lightEffort } from "./modelInformation.ts";
import { type PickableModel, type ReportedPart, thinkingPart, usagePart } from "./unpublishedApi.ts";

type Needs = Pick<Services, "gateway" | "settings" | "notifier" | "tokens">;

/**
 * Pause before a failure is thrown, in milliseconds. Without it, VS Code drops text that was reported just before (seen
 * in VS Code 1.139.1).
 */
const flushPause = 50;

/** Answers VS Code's requests to the text models. Holds no state per request, because requests run in parallel. */
export class ModelAnswers {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Answers one request. Errors thrown here appear in the chat and have already been shown as a notification. */
  async answer(
    model: PickableModel,
    messages: readonly LanguageModelChatRequestMessage[],
    options: ProvideLanguageModelChatResponseOptions,
    progress: Progress<ReportedPart>,
    token: CancellationToken,
  ): Promise<void> {
    try {
      const mustCall = options.toolMode === LanguageModelChatToolMode.Required;
      const tools = (options.tools ?? []).map(toTool);
      const toolChoice = mustCall ? "required" : "auto";
      const request = {
        model: model.id,
        messages: toChatMessages(messages),
        tools,
        toolChoice,
        reasoningEffort: this.#effort(model.id, messages, options),
        feature: requestFeature(messages, tools),
      } as const;
      const isHelpless = needsTools(tools, mustCall);
      await withSignal(token, (signal) => this.#ask(request, isHelpless, progress, signal));
    } catch (error) {
      const notice = this.#services.notifier.report(error, operationOf(messages));
      await setTimeout(flushPause);
      throw notice ? withoutStack(notice.text) : new CancellationError();
    }
  }

  /** Estimates the tokens of a text or a message, with the safety margin. */
  count(model: PickableModel, text: string | LanguageModelChatRequestMessage): number {
    return this.#services.tokens.count(model.id, typeof text === "string" ? text : countedText(text));
  }

  #effort(
    id: string,
    messages: readonly LanguageModelChatRequestMessage[],
    options: ProvideLanguageModelChatResponseOptions,
  ): ReasoningEffort | undefined {
    const model = this.#services.settings().models.find((known) => known.id === id);
    const effort = chosenEffort(options, model?.reasoningEffort);
    const isTyped = (options.tools?.length ?? 0) > 0 || askedQuestion(messages) !== undefined;
    return isTyped ? effort : lightEffort(effort);
  }

  /** Reports an answer part by part. `isHelpless`: the request is pointless without tools. */
  async #ask(
    request: ChatRequest,
    isHelpless: boolean,
    progress: Progress<ReportedPart>,
    signal: AbortSignal,
  ): Promise<void> {
    const { chatApi, toolCalling } = this.#services.settings();
    if (isHelpless && toolCalling === "off") throw new UserError("noTools");
    let usage: Usage | undefined;
    let reason: FinishReason | undefined;
    let shown = 0;
    const show = (reported: ReportedPart): void => {
      shown += 1;
      progress.report(reported);
    };
    for await (const part of this.#services.gateway.ask({ ...request, api: chatApi }, signal)) {
      if (isHelpless && part.type === "start" && part.dropped.includes("tools")) throw new UserError("noTools");
      if (part.type === "usage") usage = part;
      if (part.type === "finish") ({ reason } = part);
      if (part.type === "text") show(new LanguageModelTextPart(part.text));
      if (part.type === "toolCall") show(new LanguageModelToolCallPart(part.id, part.name, part.input));
      const thinking = part.type === "reasoning" ? thinkingPart(part.text) : undefined;
      if (thinking) progress.report(thinking);
    }
    if (usage) progress.report(usagePart(usage));
    if (reason === "length") throw new UserError("cutOff");
    if (reason === "contentFilter") throw new UserError("filtered");
    // Otherwise VS Code shows "Sorry, no response was returned." (seen in VS Code 1.139).
    if (shown === 0) throw new GatewayError("empty", "The answer has neither text nor tool calls.");
  }
}

/**
 * Describes a request for notices. For requests that no user typed, such as those of other extensions, no chat shows
 * the cause.
 */
function operationOf(messages: readonly LanguageModelChatRequestMessage[]): FailedAction {
  const question = askedQuestion(messages);
  return {
    name: "model",
    keyGroup: "codex",
    modelFrom: isTyped(messages) ? "picker" : "utility",
    isInChat: question !== undefined,
    builtInChat: { question },
  };
}

/** An error without a stack, because VS Code shows the stack after the message (seen in VS Code 1.139.1). */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}
