import {
  CancellationError,
  type Disposable,
  type LanguageModelChatInformation,
  type LanguageModelChatProvider,
  LanguageModelChatToolMode,
  lm,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
} from "vscode";
import { setTimeout } from "node:timers/promises";
import { textModels } from "../gateway/models.ts";
import { vendor } from "../manifest.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import { ask } from "../gateway/ask.ts";
import { textOf, toChatMessages, toTool } from "./messages.ts";
import { estimateTokens } from "../gateway/tokens.ts";

type Needs = Pick<Services, "gateway" | "settings" | "notifier">;

/** What VS Code reads besides its published types: without these a model is missing from the picker. */
interface PickableModel extends LanguageModelChatInformation {
  readonly isUserSelectable: true;
  readonly isBYOK: true;
}

/** VS Code drops text that was reported just before a failure; after this pause, in milliseconds, it is kept. */
const flushPause = 50;

/** Offers the gateway's text models to VS Code. */
export function registerModelProvider(services: Needs): Disposable {
  return lm.registerLanguageModelChatProvider(vendor, createModelProvider(services));
}

function createModelProvider(services: Needs): LanguageModelChatProvider<PickableModel> {
  return {
    provideLanguageModelChatInformation: () => pickableModels,
    provideLanguageModelChatResponse: async (model, messages, options, progress, token) => {
      const request = {
        model: model.id,
        messages: toChatMessages(messages),
        ...(options.tools && { tools: options.tools.map(toTool) }),
        toolChoice: options.toolMode === LanguageModelChatToolMode.Required ? "required" : "auto",
      } as const;
      try {
        await withSignal(token, async (signal) => {
          for await (const part of ask(services.gateway, services.settings().chatApi, request, signal)) {
            if (part.type === "text") progress.report(new LanguageModelTextPart(part.text));
            if (part.type === "toolCall") {
              progress.report(new LanguageModelToolCallPart(part.id, part.name, part.input));
            }
          }
        });
      } catch (error) {
        const notice = services.notifier.report(error, { name: "model", keyGroup: "codex" });
        await setTimeout(flushPause);
        throw notice ? withoutStack(notice.text) : new CancellationError();
      }
    },
    provideTokenCount: (_, text) =>
      Promise.resolve(estimateTokens(typeof text === "string" ? text : textOf(text.content))),
  };
}

const pickableModels = textModels.map(({ id, name, maxInputTokens, maxOutputTokens }): PickableModel => ({
  id,
  name,
  family: id,
  version: "1",
  maxInputTokens,
  maxOutputTokens,
  capabilities: { toolCalling: true },
  isUserSelectable: true,
  isBYOK: true,
}));

/** VS Code shows the stack of an error after its message. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}
