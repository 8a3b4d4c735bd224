import { send } from "./answers.ts";
import type { Fault } from "./faultServer.ts";

/** What an error says. */
interface Said {
  readonly message: string;
  readonly code?: string | undefined;
  readonly status: number;
}

const json = (status: number, body: unknown): Fault => send(status, "application/json", JSON.stringify(body));
const openai = ({ message, code = null }: { readonly message: string; readonly code?: string | null | undefined }) => ({
  error: { message, type: "invalid_request_error", param: "model", code },
});

/** The shapes in which gateways tell an error before the first part of an answer. */
export const errorShapes: Readonly<Record<string, (said: Said) => Fault>> = {
  openai: (said) => json(said.status, openai(said)),
  flat: ({ status, message, code }) => json(status, { success: false, code, message }),
  text: ({ status, message, code }) => json(status, { error: message, code }),
  detail: ({ status, message, code }) => json(status, { detail: code === undefined ? message : { message, code } }),
  list: (said) => json(said.status, [openai(said)]),
  nested: (said) => json(said.status, { error: { type: "error", message: JSON.stringify(openai(said)) } }),
  wrapped: (said) => json(said.status, { error: { code: said.status, error: openai(said).error } }),
  raw: (said) =>
    json(said.status, {
      error: { message: "Provider returned error", code: said.status, metadata: { raw: JSON.stringify(openai(said)) } },
    }),
  plain: ({ status, message, code = "" }) => send(status, "text/plain", `${code} ${message}`),
  inside200: (said) => json(200, openai(said)),
  event: (said) => send(200, "text/event-stream", `event: error\ndata: ${JSON.stringify(openai(said))}\n\n`),
  failed: (said) =>
    send(200, "text/event-stream", `: hi\n\ndata: ${JSON.stringify({ type: "error", ...openai(said) })}\n\n`),
};
