import type { Call, Conversation } from "./conversation.ts";
import type { OperationContext } from "./entry.ts";
import { type Answer, type Frame, type AnswerContent, tokens, words } from "./textHandler.ts";

type Emit = (type: string, fields: object, kind?: Frame["kind"]) => void;

/**
 * An answer to `/v1/responses` with OpenAI's events, because the gateway's interface shows no body. Calls of tools follow
 * encrypted reasoning, if the request includes it.
 */
export function responsesAnswer(
  content: AnswerContent,
  { model }: Conversation,
  { include }: OperationContext["body"],
): Answer {
  const reasons = content.calls.length > 0 && Array.isArray(include);
  const output = [
    ...(reasons ? [reasoningItem(content)] : []),
    ...messageItems(content),
    ...content.calls.map(callItem),
  ];
  const head = { id: `resp_${content.id}`, object: "response", created_at: content.created, model };
  const usage = content.usage && {
    input_tokens: content.usage.input,
    output_tokens: content.usage.output,
    total_tokens: content.usage.input + content.usage.output,
  };
  const isWhole = content.finish === "stop" || content.calls.length > 0;
  const reason = content.finish === "length" ? "max_output_tokens" : "content_filter";
  const status = isWhole ? "completed" : "incomplete";
  const json = { ...head, status, incomplete_details: isWhole ? null : { reason }, output, ...(usage && { usage }) };

  const frames: Frame[] = [];
  const emit: Emit = (type, fields, kind = "other") => {
    frames.push({ kind, text: event(type, { sequence_number: frames.length, ...fields }) });
  };
  emit("response.created", { response: { ...head, status: "in_progress", output: [] } });
  for (const [index, item] of output.entries()) emitItem(emit, content, item, index);
  emit(`response.${status}`, { response: json }, "marker");
  return { json, frames };
}

type Item = ReturnType<typeof callItem> | ReturnType<typeof reasoningItem> | ReturnType<typeof messageItems>[number];

function emitItem(emit: Emit, content: AnswerContent, item: Item, output_index: number): void {
  const at = { item_id: item.id, output_index };
  emit("response.output_item.added", { output_index, item: { ...item, ...emptied(item.type) } });
  if (item.type === "message") {
    const part = { type: "output_text", text: "", annotations: [] };
    emit("response.content_part.added", { ...at, content_index: 0, part });
    for (const delta of words(content.text))
      emit("response.output_text.delta", { ...at, content_index: 0, delta }, "content");
    emit("response.output_text.done", { ...at, content_index: 0, text: content.text });
  } else if (item.type === "function_call") {
    for (const delta of tokens(item.arguments))
      emit("response.function_call_arguments.delta", { ...at, delta }, "content");
    emit("response.function_call_arguments.done", { ...at, arguments: item.arguments });
  }
  emit("response.output_item.done", { output_index, item });
}

function emptied(type: Item["type"]): object {
  if (type === "function_call") return { status: "in_progress", arguments: "" };
  if (type === "reasoning") return { status: "in_progress", encrypted_content: "" };
  return { status: "in_progress", content: [] };
}

function messageItems({ id, text }: AnswerContent) {
  if (text === "") return [];
  const content = [{ type: "output_text", text, annotations: [] }];
  return [{ id: `msg_${id}`, type: "message" as const, status: "completed", role: "assistant", content }];
}

/** Reasoning that only this answer has. */
function reasoningItem({ id }: AnswerContent) {
  return { id: `rs_${id}`, type: "reasoning" as const, summary: [], encrypted_content: `encrypted ${id}` };
}

function callItem(call: Call) {
  const { id, name, input } = call;
  return { id: `fc_${id}`, type: "function_call" as const, status: "completed", call_id: id, name, arguments: input };
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
