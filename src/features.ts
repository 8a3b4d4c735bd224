import { type ChatRequestHandler, env, type LanguageModelTool, type Uri, type WebviewView } from "vscode";
import { ModelAnswers } from "./chat/modelAnswers.ts";
import { participantHandler } from "./chat/participantHandler.ts";
import { taskPromptsIn } from "./chat/tasks.ts";
import { handlers } from "./commands/handlers.ts";
import { imageForChat } from "./images/imageForChat.ts";
import { type ImageInput, imageTool } from "./images/imageTool.ts";
import { showHistory } from "./images/showHistory.ts";
import { InlineChat } from "./inline/inlineChat.ts";
import type { CommandName } from "./manifest.ts";
import type { Services } from "./services.ts";

/** What the user can ask for. It loads when that first happens, so that activation only reads what registers it. */
export interface Features {
  readonly runCommand: (name: CommandName, argument: unknown) => unknown;
  readonly modelAnswers: ModelAnswers;
  /** Answers what is asked of `@codex`. */
  readonly answer: ChatRequestHandler;
  readonly imageTool: LanguageModelTool<ImageInput>;
  readonly showHistory: (view: WebviewView) => void;
  readonly dispose: () => void;
}

/** Builds the features. `extension` is our own folder. */
export function createFeatures(services: Services, extension: Uri): Features {
  const inlineChat = new InlineChat(services);
  const commandServices = { ...services, inlineChat, taskPrompts: taskPromptsIn(env.language) };
  return {
    runCommand: (name, argument) => handlers[name](commandServices, argument),
    modelAnswers: new ModelAnswers(services),
    answer: participantHandler(services, imageForChat(services)),
    imageTool: imageTool(services),
    showHistory: (view) => {
      showHistory(view, services.images.history, extension);
    },
    dispose: () => {
      inlineChat.dispose();
    },
  };
}
