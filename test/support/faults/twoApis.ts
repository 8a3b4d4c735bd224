import type { AnswerPart, ChatRequest, TextApi } from "../../../src/gateway/types.ts";
import { partsOf } from "../localClient.ts";
import { question, right, send } from "./answers.ts";
import type { Bench } from "./bench.ts";
import type { Fault, FaultServer, SeenRequest } from "./faultServer.ts";
import { servedByResponses } from "./servedByResponses.ts";

export const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];
export const isForChat = ({ path }: SeenRequest): boolean => path === "/v1/chat/completions";
export const bodyOf = ({ body }: SeenRequest): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;

/** Answers through either API as asked, streamed or whole. */
export const answering: Fault = (exchange) => {
  const isStream = bodyOf(exchange.request).stream === true;
  const chat = isStream ? "chatStream" : "chatJson";
  right(isForChat(exchange.request) ? chat : isStream ? "responsesStream" : "responsesJson")(exchange);
};

/** Refuses chat completions, for all questions or for those with tools. */
export function refusing(refusal: Fault, unserved: "model" | "tools" = "model"): Fault {
  return (exchange) => {
    const { request } = exchange;
    const isRefused = isForChat(request) && (unserved === "model" || "tools" in bodyOf(request));
    (isRefused ? refusal : answering)(exchange);
  };
}

export const ask = async (bench: Bench, more: Partial<ChatRequest> = {}): Promise<readonly AnswerPart[]> =>
  await partsOf(bench.gateway.ask({ ...question, ...more }, new AbortController().signal));

export const apiIn = (parts: readonly AnswerPart[]): TextApi | undefined =>
  parts.flatMap((part) => (part.type === "start" ? [part.api] : []))[0];

export const asked = ({ requests }: FaultServer): string =>
  requests.map((request) => (isForChat(request) ? "C" : "R")).join("");

/** What a gateway says that serves a model through responses only, and the answer that says it. */
export const message = servedByResponses[0].message;
export const refusal = failure404(message);

export function failure404(text: string): Fault {
  return send(404, "application/json", JSON.stringify({ error: { message: text } }));
}
