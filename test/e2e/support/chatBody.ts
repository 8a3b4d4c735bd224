import assert from "node:assert/strict";
import type { LocalGateway } from "../../support/gateway/gateway.ts";

/** The body of a request to chat completions. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The body of the last question. Liveness checks of the client may follow it. */
export function lastBody({ requests }: LocalGateway): ChatBody {
  const body = requests.map((request) => request.body).findLast(isChatBody);
  assert.ok(body, "No question has reached the gateway.");
  return body;
}

/** The last message of the last question. */
export function lastQuestion(gateway: LocalGateway): string {
  return lastBody(gateway).messages.at(-1)?.content ?? "";
}

/** The bodies of all questions, through either API, as JSON. */
export function questionTexts({ requests }: LocalGateway): readonly string[] {
  return requests.filter(({ operation }) => operation !== "image").map(({ body }) => JSON.stringify(body));
}

function isChatBody(body: unknown): body is ChatBody {
  return typeof body === "object" && body !== null && "messages" in body && "model" in body;
}
