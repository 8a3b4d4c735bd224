import type { HttpBody } from "../network/exchange.ts";

/** The whole body as text (UTF-8, a BOM dropped), or `undefined` if it is longer than `limit` bytes. Closes it either way. */
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

/** What has come of the body after `limit` bytes or `time` ms, whichever is first. Never throws; closes the body. */
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
    // The status has told the cause already; the body only adds words to it.
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, limit));
}
