import assert from "node:assert/strict";
import type { LocalGateway } from "../../support/gateway/gateway.ts";

/** What a test reads of a question that reached the gateway. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The question that came last. */
export function lastBody({ requests }: LocalGateway): ChatBody {
  const body = requests.at(-1)?.body;
  assert.ok(isChatBody(body));
  return body;
}

/** What the model is told last in the question that came last. */
export function lastQuestion(gateway: LocalGateway): string {
  return lastBody(gateway).messages.at(-1)?.content ?? "";
}

function isChatBody(body: unknown): body is ChatBody {
  return typeof body === "object" && body !== null && "messages" in body && "model" in body;
}
