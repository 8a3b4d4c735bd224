/** A call of an offered tool. `input` is JSON as the model writes it, so it may be broken. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** One message, whichever operation it came through. */
export interface Turn {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly Call[];
  /** For tool results: the call it answers. */
  readonly callId?: string | undefined;
}

/** A tool offered with the question. `schema` is its JSON Schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** A question with everything said before it. */
export interface Conversation {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
  /** The answer has to be a tool call. */
  readonly mustCall: boolean;
}

/** What the user asked last. */
export function questionOf({ turns }: Conversation): string {
  return turns.findLast(({ role }) => role === "user")?.text ?? "";
}

/** What the user asked before that, oldest first. */
export function earlierQuestionsOf({ turns }: Conversation): readonly string[] {
  return turns
    .filter(({ role }) => role === "user")
    .map(({ text }) => text)
    .slice(0, -1);
}

/** The tool results that wait for an answer, with the names of the tools. */
export function openResultsOf({ turns }: Conversation): readonly { readonly name: string; readonly text: string }[] {
  const last = turns.findLastIndex(({ role }) => role !== "tool");
  const calls = turns.flatMap((turn) => turn.calls);
  return turns.slice(last + 1).map(({ text, callId }) => {
    return { name: calls.find(({ id }) => id === callId)?.name ?? "a tool", text };
  });
}
