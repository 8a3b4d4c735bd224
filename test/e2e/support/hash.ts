import { createHash } from "node:crypto";
import type { LocalGateway } from "../../support/gateway/gateway.ts";

/** SHA-256 in hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What the image host has behind the link that was followed last. */
export async function hostHash({ imageHost, downloads }: LocalGateway): Promise<string> {
  const response = await fetch(imageHost.url + (downloads.at(-1)?.path ?? ""));
  return sha256(await response.bytes());
}
