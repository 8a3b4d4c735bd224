import { commands, lm, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import { participantName, vendor } from "../manifest.ts";
import type { Services } from "../services.ts";

/** Opens the Chat view with the participant ready. Its models are resolved before: without one the chat refuses to answer. */
export async function openChat({ settings }: Pick<Services, "settings">): Promise<void> {
  const { chatModel, models } = settings();
  const id = models.find((model) => model.id === chatModel)?.id;
  // In Restricted Mode the Chat view picks no model by itself, and then answers nobody.
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
