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
import { setUp } from "./setUp.ts";
import { showLog } from "./showLog.ts";
import { showMenu } from "./showMenu.ts";
import { stopUsingForAiFeatures } from "./stopUsingForAiFeatures.ts";
import { testConnection } from "./testConnection.ts";
import { useForAiFeatures } from "./useForAiFeatures.ts";

/**
 * What a command does; it gives what came of it to whoever runs it. Arguments come from anywhere: keybindings, links,
 * other extensions.
 */
type Command = (services: Services, argument?: unknown) => unknown;

/** Every contributed command. A command missing here does not compile. */
const handlers: Record<CommandName, Command> = {
  setUp,
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
  testConnection,
  showLog,
  showMenu,
  ...inlineChatCommands,
};

/** Registers all commands behind one guard: whatever they throw becomes one notification. */
export function registerCommands(services: Services): readonly Disposable[] {
  return commandNames.map((name) =>
    commands.registerCommand(`${prefix}.${name}`, (argument?: unknown) => {
      const run = (): Promise<unknown> =>
        services.notifier.guard(
          { name, keyGroup: "codex", retry: run },
          async () => await handlers[name](services, argument),
        );
      return run();
    }),
  );
}
