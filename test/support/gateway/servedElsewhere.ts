import { servedByResponses } from "../faults/servedByResponses.ts";
import { Refusal } from "./complaint.ts";
import { modelOf, toolsOf } from "./textRequest.ts";
import type { Modes, Operation } from "./types.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Rejects a chat completion that the entry serves through responses only, in the words that OpenAI's API uses. */
export function refuseServedElsewhere(operation: Operation, body: Fields, modes: Modes): void {
  if (operation !== "chat") return;
  const { responsesOnly, modelNotFoundStatus } = modes;
  const model = modelOf(body, modelNotFoundStatus);
  if (responsesOnly === "tools") {
    if (toolsOf(body).length > 0) throw new Refusal(400, code, toolsRefused(model), "reasoning_effort");
    return;
  }
  const isRefused = responsesOnly === "all" || (responsesOnly !== "none" && responsesOnly.includes(model));
  if (isRefused) throw new Refusal(404, code, servedByResponses[0].message, "model");
}

const code = "invalid_request_error";

function toolsRefused(model: string): string {
  return `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`;
}
