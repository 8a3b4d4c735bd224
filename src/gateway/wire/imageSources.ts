import { asArray, asObject, asText } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import type { ImageSource } from "../types.ts";

/** Maximum number of images per answer, and maximum length of a link in characters. */
const maxImages = 10;
const maxLinkLength = 8 * 1024;

/**
 * Reads the images of an answer. Accepts only http(s) links, for example no `file:`. Throws `GatewayError` if no image
 * is left: `noImage`, or `linkForbidden` if there were links.
 */
export function readImageSources(data: unknown): readonly ImageSource[] {
  const elements = Array.isArray(data) ? asArray(data) : [data];
  const images: ImageSource[] = [];
  for (const element of elements) {
    const image = readImageSource(element);
    if (image) images.push(image);
    if (images.length === maxImages) break;
  }
  if (images.length > 0) return images;
  const hasLink = elements.some((element) => asText(asObject(element)?.url) !== undefined);
  if (hasLink) throw new GatewayError("linkForbidden", "The answer holds no http(s) link.", { sent: "maybe" });
  throw new GatewayError("noImage", "The answer holds no image.", { sent: "maybe" });
}

/** Whether an image may be fetched from a link. */
export function isImageLink(link: string): boolean {
  if (link.length > maxLinkLength) return false;
  const protocol = URL.parse(link)?.protocol;
  return protocol === "https:" || protocol === "http:";
}

function readImageSource(element: unknown): ImageSource | undefined {
  const image = asObject(element);
  const url = asText(image?.url);
  if (url !== undefined && isImageLink(url)) return { url };
  return readInline(asText(image?.b64_json)) ?? readInline(dataOf(url));
}

function readInline(base64: string | undefined): ImageSource | undefined {
  const bytes = Buffer.from(dataOf(base64) ?? base64 ?? "", "base64");
  return bytes.length === 0 ? undefined : { bytes };
}

/** The data of an image's `data:` URL. */
function dataOf(url: string | undefined): string | undefined {
  const start = /^data:image\/[\w.+-]{1,40};base64,/i.exec(url?.slice(0, 80) ?? "");
  return start ? url?.slice(start[0].length) : undefined;
}
