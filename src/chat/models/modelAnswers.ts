import { setTimeout } from "node:timers/promises";
import {
  CancellationError,
  type CancellationToken,
  LanguageModelChatMessageRole,
  type LanguageModelChatRequestMessage,
  LanguageModelChatToolMode,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
  window,
} from "vscode";
import type { FailedAction } from "../../failures/notice.ts";
import { UserError } from "../../failures/userError.ts";
import { GatewayError } from "../../gateway/errors.ts";
import type {
  AnswerItems,
  ChatMessage,
  ChatRequest,
  FinishReason,
  Tool,
  Usage,
  WaitingEvent,
} from "../../gateway/types.ts";
import type { Services } from "../../services.ts";
import { apiForTools, noteApiForTools } from "../../settings/modelSettings.ts";
import { withSignal } from "../../ui/withSignal.ts";
import { itemsPart } from "./answerItems.ts";
import { imagesIn } from "../../prompts/promptImages.ts";
import { imagesDropped, waitingText } from "../answerNotes.ts";
import { countedImages, countedText, toChatMessages } from "./messages.ts";
import { chosenEffort, lightEffort } from "./modelInformation.ts";
import { conversationId, type PickableModel, type ReportedPart, thinkingPart, usagePart } from "./unpublishedApi.ts";

interface Needs extends Pick<Services, "settings" | "state" | "tokens" | "secrets"> {
  readonly gateway: Pick<Services["gateway"], "ask">;
  readonly notifier: Pick<Services["notifier"], "report">;
}

/** Pause before an error is thrown, in milliseconds. Without it, VS Code drops text reported just before (VS Code 1.139.1). */
const flushPause = 50;

/** Minimum wait to show, in milliseconds. */
const minWait = 2_000;

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
    // Some participants, such as `@vscode`, have no tag in their prompts, but only the chat names conversations (VS Code 1.139.1).
    const question = questionIn(messages) ?? (conversationId(options) && "");
    try {
      const settings = this.#services.settings();
      const { chatApi, toolCalling, models } = settings;
      const mustCall = options.toolMode === LanguageModelChatToolMode.Required;
      // Sorted, because prompt caches need requests to start with the same text.
      const tools = (options.tools ?? [])
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const chatMessages = toChatMessages(messages);
      // Secrets are in what VS Code and its tools have read. The model's answers are sent back unchanged.
      for (const { role, content } of chatMessages)
        if (role !== "assistant") await this.#services.secrets.learn(content);
      const effort = chosenEffort(
        options,
        models.find(({ id }) => id === model.id),
      );
      const request = {
        api: tools.length > 0 ? apiForTools(settings, this.#services.state) : chatApi,
        model: model.id,
        messages: chatMessages,
        tools,
        toolChoice: mustCall ? "required" : "auto",
        reasoningEffort: tools.length > 0 || question !== undefined ? effort : lightEffort(effort),
        conversation: conversationId(options) ?? startOf(chatMessages),
        feature: requestFeature(question, tools),
      } as const;
      const requiresTools = needsTools(tools, mustCall);
      if (requiresTools && toolCalling === "off") throw new UserError("noTools");
      await withSignal(token, (signal) => this.#ask(request, requiresTools, progress, signal));
    } catch (error) {
      const notice = this.#services.notifier.report(error, operationOf(question));
      await setTimeout(flushPause);
      // VS Code shows the stack after the message (seen in VS Code 1.139.1).
      throw notice ? Object.assign(new Error(notice.text), { stack: "" }) : new CancellationError();
    }
  }

  /** Estimates the tokens of a text or a message, with the safety margin. */
  count(model: PickableModel, text: string | LanguageModelChatRequestMessage): number {
    const { tokens } = this.#services;
    if (typeof text === "string") return tokens.count(model.id, text);
    return tokens.count(model.id, countedText(text), countedImages(text));
  }

  /** Reports an answer part by part. With `requiresTools`, fails if the gateway dropped the tools. */
  async #ask(
    request: ChatRequest,
    requiresTools: boolean,
    progress: Progress<ReportedPart>,
    signal: AbortSignal,
  ): Promise<void> {
    let usage: Usage | undefined;
    let reason: FinishReason | undefined;
    let items: AnswerItems | undefined;
    let calls = 0;
    let shown = 0;
    const show = (reported: ReportedPart): void => {
      shown += 1;
      progress.report(reported);
    };
    const { gateway, settings, state } = this.#services;
    const observe = (event: WaitingEvent): void => {
      showWait(event, signal);
    };
    for await (const part of gateway.ask(request, signal, observe)) {
      if (part.type === "start" && request.tools?.length) await noteApiForTools(part.api, settings(), state);
      if (requiresTools && part.type === "start" && part.dropped.includes("tools")) throw new UserError("noTools");
      if (part.type === "start" && part.dropped.includes("images") && hasNewImages(request)) {
        progress.report(new LanguageModelTextPart(`_${imagesDropped()}_\n\n`));
      }
      if (part.type === "usage") usage = part;
      if (part.type === "finish") ({ reason } = part);
      if (part.type === "items") ({ items } = part);
      if (part.type === "toolCall") calls += 1;
      if (part.type === "text") show(new LanguageModelTextPart(part.text));
      if (part.type === "toolCall") show(new LanguageModelToolCallPart(part.id, part.name, part.input));
      const thinking = part.type === "reasoning" ? thinkingPart(part.text) : undefined;
      if (thinking) progress.report(thinking);
    }
    const storedItems = items && calls > 0 ? itemsPart(items) : undefined;
    if (storedItems) progress.report(storedItems);
    if (usage) progress.report(usagePart(usage));
    if (reason === "length") throw new UserError("cutOff");
    if (reason === "contentFilter") throw new UserError("filtered");
    // Otherwise VS Code shows "Sorry, no response was returned." (seen in VS Code 1.139).
    if (shown === 0) throw new GatewayError("empty", "The answer has neither text nor tool calls.");
  }
}

/** Shows how long the gateway asks to wait, in the status bar, because parts of an answer cannot be removed later. */
function showWait({ type, delay = 0 }: WaitingEvent, signal: AbortSignal): void {
  if (type !== "retrying" || delay < minWait) return;
  const shown = window.setStatusBarMessage(`$(clock) Codex Gateway: ${waitingText({ type, delay })}`, delay);
  signal.addEventListener("abort", () => void shown.dispose());
}

function hasNewImages({ messages }: ChatRequest): boolean {
  return imagesIn(messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)).length > 0;
}

/** Identifies a conversation without an id by what all its requests start with: the system prompt and the first question. */
function startOf(messages: readonly ChatMessage[]): string {
  const first = (role: ChatMessage["role"]): string => messages.find((message) => message.role === role)?.content ?? "";
  return `${first("system")}\n${first("user")}`;
}

/** Maximum length, in characters, of a question that Try Again puts into the chat input. */
const maxQuestionLength = 4_000;

/** Describes a request for notices. Errors of requests without a question, such as other extensions', appear in no chat. */
export function operationOf(question: string | undefined): FailedAction {
  const isTyped = question !== undefined;
  return {
    name: "model",
    keyGroup: "codex",
    modelFrom: isTyped ? "picker" : "utility",
    isInChat: isTyped,
    builtInChat: { question: question && question.length <= maxQuestionLength ? question : undefined },
  };
}

/** Tags around the user's input in prompts of the built-in chat, which depend on the model (seen in VS Code 1.139). */
const tags = ["userRequest", "user_query"] as const;

/**
 * The user's last question to the built-in chat, without its context; `undefined` for requests that no user typed. Empty for
 * inline chat, whose prompt ends with the user's input (VS Code 1.133 and 1.139.1): the Chat view cannot ask it again.
 */
export function questionIn(messages: readonly LanguageModelChatRequestMessage[]): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    if (role !== LanguageModelChatMessageRole.User) continue;
    const text = content.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
    const question = tags.map((tag) => between(text, `<${tag}>`, `</${tag}>`)).find(Boolean);
    if (question !== undefined) return question;
    if (text.trimEnd().endsWith("</prompt>")) return "";
  }
  return undefined;
}

/** The last text between two markers. The user may have typed the markers too. */
function between(text: string, start: string, end: string): string {
  const stop = text.lastIndexOf(end);
  const from = stop < 0 ? -1 : text.lastIndexOf(start, stop);
  return from < 0 ? "" : text.slice(from + start.length, stop).trim();
}

/**
 * The feature that usage of a request is counted for. VS Code does not name the mode, but only Agent has tools that change
 * something. Requests without a question are for titles, for example, or come from other extensions.
 */
export function requestFeature(
  question: string | undefined,
  tools: readonly Pick<Tool, "name">[],
): "agent" | "chat" | "aiFeature" {
  if (question === undefined) return "aiFeature";
  return needsTools(tools, false) ? "agent" : "chat";
}

/**
 * Names of tools that change something. Agent mode and inline chat offer such tools; Ask offers read-only tools (VS Code
 * 1.139). `lm.tools` has tags too, but not the tools that are private to the caller, such as those of inline chat.
 */
const changingTool = /apply|create|delete|edit|insert|patch|replace|write/i;

/** Whether a request is pointless if the gateway accepts no tools. */
export function needsTools(tools: readonly Pick<Tool, "name">[], mustCall: boolean): boolean {
  return tools.length > 0 && (mustCall || tools.some(({ name }) => changingTool.test(name)));
}
