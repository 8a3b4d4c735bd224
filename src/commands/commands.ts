import { commands, type Disposable } from "vscode";
import { type CommandName, commandNames, prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { generateImage } from "./generateImage.ts";
import { copyImagePath, generateImageAgain, insertImageLink, openImage, revealImage } from "./imageCommands.ts";
import { inlineChatCommands } from "./inlineChat.ts";
import { openChat } from "./openChat.ts";
import { recoverImages } from "./recoverImages.ts";
import { removeApiKey } from "./removeApiKey.ts";
import { selectModel } from "./selectModel.ts";
import { setApiKey } from "./setApiKey.ts";
import { showLog } from "./showLog.ts";
import { stopUsingForAiFeatures } from "./stopUsingForAiFeatures.ts";
import { useForAiFeatures } from "./useForAiFeatures.ts";

/** What a command does. Arguments come from anywhere: keybindings, links, other extensions. */
type Command = (services: Services, argument?: unknown) => Promise<void> | void;

/** Every contributed command. A command missing here does not compile. */
const handlers: Record<CommandName, Command> = {
  setApiKey,
  removeApiKey,
  openChat,
  generateImage,
  recoverImages,
  openImage,
  insertImageLink,
  revealImage,
  copyImagePath,
  generateImageAgain,
  selectModel,
  useForAiFeatures,
  stopUsingForAiFeatures,
  showLog,
  ...inlineChatCommands,
};

/** Registers all commands behind one guard: whatever they throw becomes one notification. */
export function registerCommands(services: Services): readonly Disposable[] {
  return commandNames.map((name) =>
    commands.registerCommand(`${prefix}.${name}`, (argument?: unknown) => {
      const run = (): Promise<void> =>
        services.notifier.guard({ name, keyGroup: "codex", retry: run }, async () =>
          handlers[name](services, argument),
        );
      return run();
    }),
  );
}
