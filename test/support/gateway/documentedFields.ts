import { servedByResponses } from "../faults/servedByResponses.ts";
import { Refusal } from "./complaint.ts";
import { isRecord } from "./json.ts";
import { modelOf, toolsOf } from "./textRequest.ts";
import type { Modes, Operation } from "./types.ts";

const documented: Readonly<Record<Operation, readonly string[]>> = {
  chat: ["model", "messages"],
  responses: ["model", "input"],
  image: ["model", "prompt", "size"],
};

type Fields = Readonly<Record<string, unknown>>;

/** Rejects the fields that an entry is told to reject. */
export function refuseFields(body: Fields, refused: readonly string[]): void {
  const field = refused.find((name) => name in body);
  if (field !== undefined) throw unknownField(field);
}

/** Rejects all fields that the gateway's interface does not show. */
export function refuseUndocumented(operation: Operation, body: Fields): void {
  const field = Object.keys(body).find((name) => !documented[operation].includes(name));
  if (field !== undefined) throw unknownField(field);
  if (operation === "chat" && Array.isArray(body.messages)) for (const one of body.messages) checkMessage(one);
  if (operation === "responses") refuseList(body);
}

/** Rejects the list form of a responses request. */
export function refuseList({ input }: Fields): void {
  if (typeof input !== "string") throw new Refusal(400, "invalid_type", "'input' must be a string.", "input");
}

function checkMessage(message: unknown): void {
  if (!isRecord(message)) return;
  const field = Object.keys(message).find((name) => name !== "role" && name !== "content");
  if (field !== undefined) throw unknownField(`messages[].${field}`);
  if (typeof message.content !== "string")
    throw new Refusal(400, "invalid_type", "'messages[].content' must be a string.", "messages[].content");
  if (message.role === "tool" || message.role === "developer")
    throw new Refusal(400, "invalid_value", `'${message.role}' is not a role.`, "messages[].role");
}

function unknownField(field: string): Refusal {
  return new Refusal(400, "unknown_parameter", `Unknown parameter: '${field}'.`, field);
}

/** Rejects a chat completion that the entry serves through responses only, in the words that OpenAI's API uses. */
export function refuseServedElsewhere(operation: Operation, body: Fields, { responsesOnly }: Modes): void {
  if (operation !== "chat") return;
  const model = modelOf(body);
  if (responsesOnly === "tools") {
    if (toolsOf(body).length > 0)
      throw new Refusal(400, "invalid_request_error", toolsRefused(model), "reasoning_effort");
    return;
  }
  const isRefused = responsesOnly === "all" || (responsesOnly !== "none" && responsesOnly.includes(model));
  if (isRefused) throw new Refusal(404, "invalid_request_error", servedByResponses[0].message, "model");
}

function toolsRefused(model: string): string {
  return `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`;
}
