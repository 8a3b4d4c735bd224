import assert from "node:assert/strict";
import type { LocalGateway } from "../../support/gateway/gateway.ts";

/** What a test reads of a question that reached the gateway. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The question that came last: the client may have asked since whether an entry lives. */
export function lastBody({ requests }: LocalGateway): ChatBody {
  const body = requests.map((request) => request.body).findLast(isChatBody);
  assert.ok(body, "No question has reached the gateway.");
  return body;
}

/** What the model is told last in the question that came last. */
export function lastQuestion(gateway: LocalGateway): string {
  return lastBody(gateway).messages.at(-1)?.content ?? "";
}

/** All questions through either API as JSON, to search in. */
export function questionTexts({ requests }: LocalGateway): readonly string[] {
  return requests.filter(({ operation }) => operation !== "image").map(({ body }) => JSON.stringify(body));
}

function isChatBody(body: unknown): body is ChatBody {
  return typeof body === "object" && body !== null && "messages" in body && "model" in body;
}
