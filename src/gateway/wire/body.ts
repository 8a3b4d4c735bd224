import type { HttpBody } from "../network/exchange.ts";

/**
 * Reads a whole body as UTF-8 text without byte order mark; `undefined` if it is longer than `limit` bytes. Closes the
 * body.
 */
export async function readText(body: HttpBody, limit: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Reads up to `limit` bytes for at most `time` milliseconds. Never throws; closes the body. */
export async function readStart(body: HttpBody, limit: number, time: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => void body.return(), time);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= limit) break;
    }
  } catch {
    // The status already tells the cause; the body only adds details.
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, limit));
}
