import type { Call, Conversation } from "./conversation.ts";
import { tokensIn } from "./frames.ts";
import { reasoningFor } from "./reply.ts";
import type { Reply } from "./reply.ts";
import type { Modes } from "./types.ts";

/** An answer before an operation gives it its form. */
export interface Speech {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  readonly finish: Modes["finish"];
  readonly usage: { readonly input: number; readonly output: number } | undefined;
}

/** Converts a reply to a speech, according to the entry's modes. */
export function speechOf(reply: Reply, conversation: Conversation, modes: Modes, id: string): Speech {
  const text = modes.finish === "stop" ? reply.text : reply.text.slice(0, Math.ceil(reply.text.length / 2));
  const reasoning = modes.reasoning ? reasoningFor(conversation) : "";
  const said = [text, reasoning, ...reply.calls.map(({ input }) => input)].join("");
  const asked = conversation.turns.map((turn) => turn.text).join("");
  return {
    id,
    created: Math.floor(Date.now() / 1000),
    text,
    reasoning,
    calls: reply.calls,
    finish: modes.finish,
    usage: modes.usage ? { input: tokensIn(asked), output: tokensIn(said) } : undefined,
  };
}
