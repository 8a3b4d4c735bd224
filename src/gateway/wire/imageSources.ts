import { asArray, asObject, asText } from "../../base/json.ts";
import { GatewayError } from "../errors.ts";
import type { ImageSource } from "../types.ts";

const maxImages = 10;

/** Reads an answer's images. Throws `GatewayError` without any: `linkForbidden` with other links, else `noImage`. */
export async function readImageSources(data: unknown): Promise<readonly ImageSource[]> {
  const elements = (Array.isArray(data) ? asArray(data) : [data]).map((element) => asObject(element) ?? {});
  const images: ImageSource[] = [];
  for (const element of elements) {
    const image = await readImageSource(asText(element.url) ?? "", asText(element.b64_json) ?? "");
    if (image) images.push(image);
    if (images.length === maxImages) break;
  }
  if (images.length > 0) return images;
  const hasLink = elements.some(({ url }) => asText(url) !== undefined);
  if (hasLink) throw new GatewayError("linkForbidden", "The answer holds no http(s) link.", { sent: "maybe" });
  throw new GatewayError("noImage", "The answer holds no image.", { sent: "maybe" });
}

async function readImageSource(url: string, inline: string): Promise<ImageSource | undefined> {
  if (isImageLink(url)) return { url };
  if (inline === "" && !dataHead.test(url.slice(0, 1_000))) return undefined;
  // Decoding 64 MB takes up to some hundredths of a second.
  await new Promise(setImmediate);
  const bytes = decodeBase64((inline === "" ? url : inline).replace(dataHead, ""));
  return bytes && { bytes };
}

/** Maximum length of a link, in characters. */
const maxLength = 8 * 1024;

/** Whether an image may be fetched from a link. */
export function isImageLink(link: string): boolean {
  if (link.length > maxLength) return false;
  const protocol = URL.parse(link)?.protocol;
  return protocol === "https:" || protocol === "http:";
}

/** The head of a `data:` URL of an image, with any parameters. */
const dataHead = /^\s{0,10}data:(?:image\/[\w.+-]{1,40}|application\/octet-stream)?(?:;[^;,]{0,80}){0,10};base64,/i;

/**
 * Decodes Base64, including the URL-safe form, and ignores whitespace. `undefined` for anything else, which Node would skip.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[\w+/\s-]*(?:=\s*){0,3}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === 0 ? undefined : bytes;
}
