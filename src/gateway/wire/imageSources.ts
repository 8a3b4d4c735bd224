import { asArray, asObject, asText } from "../../text/json.ts";
import { GatewayError } from "../errors.ts";
import type { ImageSource } from "../types.ts";
import { isImageLink } from "./imageLink.ts";
import { decodeBase64, type Pieces } from "./inlineData.ts";

/** Maximum number of images per answer. */
const maxImages = 10;

/** Reads the text that a string of the answer stands for. */
type Read = (text: string) => Pieces;

/**
 * Reads the images of an answer. Accepts only http(s) links, for example no `file:`. Throws `GatewayError` if no image
 * is left: `noImage`, or `linkForbidden` if there were links.
 */
export async function readImageSources(
  data: unknown,
  read: Read = (text) => ({ texts: [text], isEscaped: false }),
): Promise<readonly ImageSource[]> {
  const elements = Array.isArray(data) ? asArray(data) : [data];
  const images: ImageSource[] = [];
  for (const element of elements) {
    const image = await readImageSource(element, read);
    if (image) images.push(image);
    if (images.length === maxImages) break;
  }
  if (images.length > 0) return images;
  const hasLink = elements.some((element) => asText(asObject(element)?.url) !== undefined);
  if (hasLink) throw new GatewayError("linkForbidden", "The answer holds no http(s) link.", { sent: "maybe" });
  throw new GatewayError("noImage", "The answer holds no image.", { sent: "maybe" });
}

async function readImageSource(element: unknown, read: Read): Promise<ImageSource | undefined> {
  const image = asObject(element);
  const url = asText(image?.url);
  if (url !== undefined && isImageLink(url)) return { url };
  return (await readInline(image?.b64_json, read)) ?? (await readInline(image?.url, read, true));
}

/** The head of a `data:` URL of an image, with any parameters. */
const dataHead = /^\s{0,10}data:(?:image\/[\w.+-]{1,40}|application\/octet-stream)?(?:;[^;,]{0,80}){0,10};base64,/i;

async function readInline(value: unknown, read: Read, needsHead = false): Promise<ImageSource | undefined> {
  const { texts, isEscaped } = read(asText(value) ?? "");
  const [first = "", ...more] = texts;
  const head = dataHead.exec(first.slice(0, 1_000).replaceAll("\\/", "/"))?.[0];
  if (head === undefined && needsHead) return undefined;
  // In a long string, slashes may be escaped, so the comma tells the end of the head.
  const start = head === undefined ? 0 : first.indexOf(",") + 1;
  const bytes = await decodeBase64({ texts: [first.slice(start), ...more], isEscaped });
  return bytes === undefined || bytes.length === 0 ? undefined : { bytes };
}
