import type { Conversation } from "./conversation.ts";
import { type Answer, type Frame, type AnswerContent, tokens, words } from "./textHandler.ts";
import { isRecord } from "./json.ts";

/** An answer to `/v1/chat/completions`. */
export function chatAnswer(
  content: AnswerContent,
  conversation: Conversation,
  body: Readonly<Record<string, unknown>>,
): Answer {
  const head = { id: `chatcmpl-${content.id}`, created: content.created, model: conversation.model };
  const usage = content.usage && {
    prompt_tokens: content.usage.input,
    completion_tokens: content.usage.output,
    total_tokens: content.usage.input + content.usage.output,
  };
  const frame = (kind: Frame["kind"], fields: object): Frame => ({
    kind,
    text: event({ ...head, object: "chat.completion.chunk", ...fields }),
  });
  const delta = (kind: Frame["kind"], fields: object): Frame =>
    frame(kind, { choices: [{ index: 0, delta: fields, finish_reason: null }] });
  const finish = content.calls.length > 0 ? "tool_calls" : content.finish;
  const wantsUsage = isRecord(body.stream_options) && body.stream_options.include_usage === true;

  return {
    json: { ...head, object: "chat.completion", choices: [choice(content, finish)], ...(usage && { usage }) },
    frames: [
      delta("other", { role: "assistant", content: "" }),
      ...words(content.text).map((piece) => delta("content", { content: piece })),
      ...callDeltas(content).map((call) => delta("content", { tool_calls: [call] })),
      frame("marker", { choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
      ...(usage && wantsUsage ? [frame("other", { choices: [], usage })] : []),
      { kind: "marker", text: "data: [DONE]\n\n" },
    ],
  };
}

function choice({ text, calls }: AnswerContent, finish: string): unknown {
  const message = {
    role: "assistant",
    content: calls.length > 0 && text === "" ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: input } })),
    }),
  };
  return { index: 0, message, finish_reason: finish };
}

function callDeltas({ calls }: AnswerContent): readonly object[] {
  return calls.flatMap(({ id, name, input }, index) => [
    { index, id, type: "function", function: { name, arguments: "" } },
    ...tokens(input).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
