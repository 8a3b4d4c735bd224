/** A call of an offered tool. `input` is JSON as written by the model, so it may be malformed. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** One message of either API. */
export interface Turn {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly Call[];
  /** The id of the call that a tool result answers. */
  readonly callId?: string | undefined;
}

/** An offered tool. `schema` is its JSON Schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** A question with its history. */
export interface Conversation {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
  /** Whether the answer must be a tool call. */
  readonly mustCall: boolean;
}

/** The user's last question. */
export function questionOf({ turns }: Conversation): string {
  return turns.findLast(({ role }) => role === "user")?.text ?? "";
}

/** Tool results that need an answer, with the names of their tools. */
export function openResultsOf({ turns }: Conversation): readonly { readonly name: string; readonly text: string }[] {
  const last = turns.findLastIndex(({ role }) => role !== "tool");
  const calls = turns.flatMap((turn) => turn.calls);
  return turns.slice(last + 1).map(({ text, callId }) => {
    return { name: calls.find(({ id }) => id === callId)?.name ?? "a tool", text };
  });
}
