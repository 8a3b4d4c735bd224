import type { Call, Conversation } from "./conversation.ts";
import type { OperationContext } from "./entry.ts";
import { type Answer, type Frame, type AnswerContent, tokens, words } from "./textHandler.ts";

/**
 * An answer to `/v1/responses` with OpenAI's events, because the gateway's interface shows no body. Calls of tools follow
 * encrypted reasoning, if the request includes it.
 */
export function responsesAnswer(
  content: AnswerContent,
  { model }: Conversation,
  { include }: OperationContext["body"],
): Answer {
  const { id, text, calls, finish, usage } = content;
  const reasons = calls.length > 0 && Array.isArray(include);
  const output: readonly Item[] = [
    ...(reasons ? [{ type: "reasoning", summary: [], encrypted_content: `encrypted ${id}` }] : []),
    ...(text === "" ? [] : [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }]),
    ...calls.map(callItem),
  ];
  const isWhole = finish === "stop" || calls.length > 0;
  const reason = finish === "length" ? "max_output_tokens" : "content_filter";
  const status = isWhole ? "completed" : "incomplete";
  const head = { id: `resp_${id}`, object: "response", created_at: content.created, model };
  const counts = usage && {
    input_tokens: usage.input,
    output_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  };
  const json = { ...head, status, incomplete_details: isWhole ? null : { reason }, output, usage: counts };
  const frames = [
    frame("response.created", { response: { ...head, status: "in_progress", output: [] } }),
    ...output.flatMap((item, index) => itemFrames(item, index, text)),
    frame(`response.${status}`, { response: json }, "marker"),
  ];
  return { json, frames };
}

interface Item {
  readonly type: string;
  /** Of a call. */
  readonly arguments?: string;
  readonly [field: string]: unknown;
}

function callItem({ id, name, input }: Call): Item {
  return { id: `fc_${id}`, type: "function_call", status: "completed", call_id: id, name, arguments: input };
}

/** The events of an item: without its content, this in pieces, and whole. */
function itemFrames(item: Item, output_index: number, text: string): readonly Frame[] {
  const empty = { ...item, status: "in_progress", content: [], arguments: "" };
  const [name, pieces] =
    item.arguments === undefined
      ? (["output_text", item.type === "message" ? words(text) : []] as const)
      : (["function_call_arguments", tokens(item.arguments)] as const);
  return [
    frame("response.output_item.added", { output_index, item: empty }),
    ...pieces.map((delta) => frame(`response.${name}.delta`, { output_index, delta }, "content")),
    frame("response.output_item.done", { output_index, item }),
  ];
}

function frame(type: string, fields: object, kind: Frame["kind"] = "other"): Frame {
  return { kind, text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n` };
}
