import { commands, lm } from "vscode";
import { participantName, vendor } from "../manifest.ts";
import { UserError } from "../ui/userError.ts";

/** Opens the Chat view with the participant ready. Its models are resolved before: without one the chat refuses to answer. */
export async function openChat(): Promise<void> {
  try {
    await lm.selectChatModels({ vendor });
    await commands.executeCommand("workbench.action.chat.open", {
      query: `@${participantName} `,
      isPartialQuery: true,
    });
  } catch (cause) {
    throw new UserError("chatUnavailable", { cause });
  }
}
