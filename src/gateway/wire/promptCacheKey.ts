import { createHash } from "node:crypto";
import type { ChatRequest } from "../types.ts";

/** The request with its conversation as a salted hash: the `prompt_cache_key`, which takes up to 64 characters. */
export function withHashedConversation(request: ChatRequest, salt = ""): ChatRequest {
  const { conversation } = request;
  if (conversation === undefined) return request;
  return { ...request, conversation: createHash("sha256").update(`${salt}\n${conversation}`).digest("base64url") };
}
