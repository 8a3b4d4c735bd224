import type { LocalGateway } from "./gateway.ts";
import { isRecord } from "./json.ts";

/** Sends requests to a local gateway, like any HTTP client. */
export interface Asker {
  /** Uses the codex key and the primary by default. */
  post(path: string, body: unknown, more?: { key?: string; signal?: AbortSignal; base?: string }): Promise<Response>;
  chat(question: string, fields?: object, signal?: AbortSignal): Promise<Response>;
  order(fields?: object): Promise<Response>;
}

/** Makes an asker for one gateway. */
export function askerFor({ primary, keys }: LocalGateway): Asker {
  const post: Asker["post"] = (path, body, { key = keys.codex, signal, base = primary.url } = {}) =>
    fetch(base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
  return {
    post,
    chat: (question, fields = {}, signal) =>
      post(
        "/v1/chat/completions",
        { model: "gpt-5.4", messages: [{ role: "user", content: question }], ...fields },
        signal && { signal },
      ),
    order: (fields = {}) =>
      post("/v1/images/generations", { model: "gpt-image-2", prompt: "a red fox", ...fields }, { key: keys.image }),
  };
}

/** The message of a chat completion. */
export async function messageOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const answer: unknown = await response.json();
  const choices = isRecord(answer) && Array.isArray(answer.choices) ? answer.choices : [];
  const choice: unknown = choices[0];
  return isRecord(choice) && isRecord(choice.message) ? choice.message : {};
}

/** The first link of an image answer. */
export async function linkOf(response: Response): Promise<string> {
  return /"url":"([^"]+)"/.exec(await response.text())?.[1] ?? "";
}

/** The data of a stream's events. */
export function eventsOf(stream: string): readonly string[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice(6));
}

/** The text of one field in a chat stream's deltas. */
export function deltasOf(events: readonly string[], field: string): string {
  const pieces = events.join("\n").matchAll(new RegExp(`"delta":\\{[^\\n]*"${field}":("(?:[^"\\\\]|\\\\.)*")`, "g"));
  return [...pieces].map(([, piece]) => String(JSON.parse(piece ?? ""))).join("");
}
