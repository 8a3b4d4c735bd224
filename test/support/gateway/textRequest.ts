import { Refusal } from "./complaint.ts";
import type { OfferedTool, Turn } from "./conversation.ts";
import { isRecord } from "./json.ts";

const textModels: readonly unknown[] = ["gpt-5.3-codex", "gpt-5.3-codex-spark", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5"];

/** Every model the gateway lists. */
export const listedModels: readonly unknown[] = [...textModels, "gpt-image-2"];

type Fields = Readonly<Record<string, unknown>>;

/** The model a text request names. */
export function modelOf({ model }: Fields, status: number): string {
  if (typeof model !== "string") throw new Refusal(400, "missing_required_parameter", "'model' is required.", "model");
  if (textModels.includes(model)) return model;
  throw new Refusal(status, "model_not_found", `The model '${model}' does not exist.`, "model");
}

/** The offered tools, in either API's form. */
export function toolsOf({ tools = [] }: Fields): readonly OfferedTool[] {
  if (!Array.isArray(tools)) throw invalid("tools", "'tools' must be an array.");
  return tools.map((tool: unknown) => {
    const definition = isRecord(tool) && isRecord(tool.function) ? tool.function : tool;
    if (!isRecord(definition) || typeof definition.name !== "string") throw invalid("tools", "A tool has no name.");
    const { name, description, parameters } = definition;
    if (!/^[\w-]{1,64}$/.test(name)) throw invalid("tools", `'${name}' is not a valid function name.`);
    if (parameters !== undefined && (!isRecord(parameters) || parameters.type !== "object"))
      throw invalid("tools", `The parameters of '${name}' must be a JSON Schema of type 'object'.`);
    return { name, description: typeof description === "string" ? description : "", schema: parameters };
  });
}

/** The text of a message: a string, or the text parts of a list. */
export function contentOf(content: unknown, param: string): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content)) throw invalid(param, `'${param}' must be a string or an array of parts.`);
  return content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** A role known to both APIs. */
export function roleOf(role: unknown): "system" | "user" | "assistant" {
  if (role === "developer" || role === "system") return "system";
  if (role === "user" || role === "assistant") return role;
  throw invalid("role", `'${String(role)}' is not a role.`);
}

/** Rejects tool results without a call, and calls without a result, as OpenAI's API does. */
export function checkPairs(turns: readonly Turn[]): void {
  const open = new Set<string>();
  for (const turn of turns) {
    if (turn.role === "tool") {
      if (!open.delete(turn.callId ?? ""))
        throw invalid("tool_call_id", `No tool call found for the result of '${turn.callId ?? ""}'.`);
      continue;
    }
    checkAnswered(open);
    for (const { id } of turn.calls) open.add(id);
  }
  checkAnswered(open);
}

function checkAnswered(open: ReadonlySet<string>): void {
  if (open.size > 0) throw invalid("tool_calls", `No result for the tool call '${[...open].join("', '")}'.`);
}

/** A 400 error about one field. */
export function invalid(param: string, message: string): Refusal {
  return new Refusal(400, "invalid_request_error", message, param);
}
