import { commands, lm, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { participantName, vendor } from "../manifest.ts";
import type { Services } from "../services.ts";

/**
 * Opens the Chat view with `@codex` entered. Resolves the models first: until one is resolved VS Code answers "Language
 * model unavailable", also to participants (seen in VS Code 1.139.1).
 */
export async function openChat({ gateway, settings }: Pick<Services, "gateway" | "settings">): Promise<void> {
  const { chatModel, models } = settings();
  gateway.preconnect(chatModel);
  const id = models.find((model) => model.id === chatModel)?.id;
  // In Restricted Mode the Chat view selects no model by itself (seen in VS Code 1.139).
  const options = workspace.isTrusted ? {} : { modelSelector: { vendor, id } };
  try {
    await lm.selectChatModels({ vendor });
    await commands.executeCommand("workbench.action.chat.open", {
      query: `@${participantName} `,
      isPartialQuery: true,
      ...options,
    });
  } catch (cause) {
    throw new UserError("chatUnavailable", { cause });
  }
}
