import { Refusal } from "./complaint.ts";
import { isRecord } from "./json.ts";
import type { Operation } from "./types.ts";

const documented: Readonly<Record<Operation, readonly string[]>> = {
  chat: ["model", "messages"],
  responses: ["model", "input"],
  image: ["model", "prompt", "size"],
  models: [],
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
