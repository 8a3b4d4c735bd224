import { type ChatResponseAnchorPart, ChatRequestTurn, ChatResponseMarkdownPart, ChatResponseTurn } from "vscode";
import { participantId as participant } from "../../src/manifest.ts";

/** A question to `@codex`. VS Code's classes of turns have no public constructor. */
export function asked(prompt: string, parts: Partial<ChatRequestTurn> = {}): ChatRequestTurn {
  const { prototype } = ChatRequestTurn;
  return Object.assign(Object.create(prototype) as ChatRequestTurn, { participant, prompt, references: [], ...parts });
}

/** An answer of these texts and lines, with what is recorded of its turn. */
export function answered(
  response: readonly (string | ChatResponseMarkdownPart | ChatResponseAnchorPart)[],
  { participant: of = participant, ...metadata }: Readonly<Record<string, unknown>> = {},
): ChatResponseTurn {
  const parts = response.map((part) => (typeof part === "string" ? new ChatResponseMarkdownPart(part) : part));
  const turn = { participant: of, response: parts, result: { metadata } };
  return Object.assign(Object.create(ChatResponseTurn.prototype) as ChatResponseTurn, turn);
}
