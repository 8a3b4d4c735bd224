import type { LanguageModelChatRequestMessage } from "vscode";
import type { Tool } from "../../gateway/types.ts";
import { isTyped } from "../participant/askedQuestion.ts";
import { needsTools } from "./needsTools.ts";

/**
 * What a request of VS Code is counted as. Providers are not told, so the question's tags and the tools' names decide: an
 * agent has tools that change something, Ask has not. A request without a question is for a title, for example, or comes
 * from another extension.
 */
export function requestFeature(
  messages: readonly LanguageModelChatRequestMessage[],
  tools: readonly Tool[],
): "agent" | "chat" | "aiFeature" {
  if (!isTyped(messages)) return "aiFeature";
  return needsTools(tools, false) ? "agent" : "chat";
}
