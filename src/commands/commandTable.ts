import { generateImageCommand } from "../images/generateImageCommand.ts";
import {
  copyImagePath,
  generateImageAgain,
  insertImageLink,
  openImage,
  recoverImages,
  revealImage,
} from "../images/imageCommands.ts";
import { commitMessageCommands, type CommitMessageServices } from "../git/commitMessageCommands.ts";
import { reviewCommands, type ReviewCommandServices } from "../git/review/reviewCommands.ts";
import { completionCommands, type CompletionServices } from "../completions/completionCommands.ts";
import { editCommands, type EditCommandServices } from "../chat/edit/editActions.ts";
import { inlineChatCommands, type InlineServices } from "../inline/inlineCommands.ts";
import type { CommandName } from "../manifest.ts";
import type { Services } from "../services.ts";
import { removeApiKey } from "../setup/removeApiKey.ts";
import { setApiKey } from "../setup/setApiKey.ts";
import { setUp } from "../setup/setUp.ts";
import type { UsagePanel } from "../usage/page/usagePanel.ts";
import { testConnection } from "../setup/testConnection.ts";
import { stopUsingForAiFeatures, useForAiFeatures } from "../setup/useInChat.ts";
import { clearHistory } from "./clearHistory.ts";
import { openChat } from "./openChat.ts";
import { selectModel } from "./selectModel.ts";
import { setTokenLimit } from "./setTokenLimit.ts";
import { showMenu } from "./showMenu.ts";

/** A command handler; its result is the result of the command. */
type Command = (services: CommandServices, argument?: unknown) => unknown;

/** The services available to commands. */
export interface CommandServices
  extends
    Services,
    InlineServices,
    CommitMessageServices,
    ReviewCommandServices,
    CompletionServices,
    EditCommandServices {
  readonly usagePanel: Pick<UsagePanel, "show">;
}

/** Every contributed command. A command missing here does not compile. */
const handlers: Record<CommandName, Command> = {
  setUp,
  setApiKey,
  removeApiKey,
  openChat,
  generateImage: generateImageCommand,
  recoverImages,
  openImage,
  insertImageLink,
  revealImage,
  copyImagePath,
  generateImageAgain,
  clearHistory,
  selectModel,
  setTokenLimit,
  useForAiFeatures,
  stopUsingForAiFeatures,
  testConnection,
  showUsage: ({ usagePanel }) => usagePanel.show(),
  showLog: ({ log }) => {
    log.show();
  },
  showMenu,
  ...inlineChatCommands,
  ...commitMessageCommands,
  ...reviewCommands,
  ...completionCommands,
  ...editCommands,
};

/**
 * Runs commands and shows whatever they throw as one notification. Arguments are untrusted: they can come from
 * keybindings, links and other extensions.
 */
export function commandRunner(services: CommandServices): (name: CommandName, argument: unknown) => Promise<unknown> {
  return (name, argument) => {
    const run = (): Promise<unknown> =>
      services.notifier.guard(
        {
          name,
          keyGroup: "codex",
          retry: run,
          ...(name in commitMessageCommands && { modelFrom: "commitMessage.model" }),
          ...(name === "reviewChanges" && { modelFrom: "review.model" }),
        },
        async () => await handlers[name](services, argument),
      );
    return run();
  };
}
