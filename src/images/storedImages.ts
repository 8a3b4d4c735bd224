import type { Usage } from "../gateway/types.ts";
import { isUuid } from "../files/fileNames.ts";
import { asCount, asObject } from "../base/json.ts";
import { isImageLink } from "../gateway/wire/imageSources.ts";

/** A saved image, as plain JSON for VS Code's state. */
export interface ImageRecord {
  /** The file's URI. */
  readonly file: string;
  /** The URI under which it was saved, if the file was moved since. Earlier buttons have this one. */
  readonly original?: string;
  readonly prompt: string;
  readonly size?: string;
  /** Usage of the order; if it has several images, the first one carries it. */
  readonly usage?: Usage;
  /** Whether it has too many pixels to be shown automatically. */
  readonly isLarge?: boolean;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

/** The destination of an image. */
export interface Target {
  /** URI of the folder. */
  readonly folder: string;
  /** URI of the folder that it must not leave. Unknown for images of version 1.0.0. */
  readonly root?: string | undefined;
}

/** An image that is paid for but not saved yet, as plain JSON. */
export interface PendingImage extends Target {
  /** A UUID. */
  readonly id: string;
  /** Its http(s) link, or else its bytes in base64, which version 1.1.0 stored in a file of their own. */
  readonly url?: string;
  readonly isInline?: true;
  readonly bytes?: string;
  readonly prompt: string;
  readonly size?: string;
  readonly usage?: Usage;
  /** When it was stored, in milliseconds since the epoch. Unknown for images of version 1.0.0. */
  readonly keptAt?: number;
  /** Whether the image host reported that the link has expired. */
  readonly isExpired?: boolean;
}

/** Validates a stored image record; `undefined` if invalid. */
export function readImageRecord(value: unknown): ImageRecord | undefined {
  const { file, original, prompt, savedAt, size, usage, isLarge } = asObject(value) ?? {};
  if (!isFileUri(file) || typeof prompt !== "string" || !isTime(savedAt)) return undefined;
  const facts = { ...orderFacts(size, usage), ...(isLarge === true && { isLarge }) };
  return { file, prompt, savedAt, ...(isFileUri(original) && { original }), ...facts };
}

/** Validates a stored pending image, whose id is in the name of its file or entry; `undefined` if invalid. */
export function readPendingImage(id: string, value: unknown): PendingImage | undefined {
  const fields = asObject(value) ?? {};
  const { id: storedId, url, isInline, bytes, prompt, folder, root, keptAt, size, usage, isExpired } = fields;
  if (!isUuid(id) || storedId !== id || typeof prompt !== "string" || !isFileUri(folder)) return undefined;
  const facts = {
    id,
    prompt,
    folder,
    ...(isFileUri(root) && { root }),
    ...(isTime(keptAt) && { keptAt }),
    ...orderFacts(size, usage),
    ...(isExpired === true && { isExpired }),
  };
  if (isInline === true) return { ...facts, isInline, ...(typeof bytes === "string" && { bytes }) };
  return typeof url === "string" && isImageLink(url) ? { ...facts, url } : undefined;
}

/** Whether a stored text is the URI of a file or folder. `Uri.parse` throws for others, such as with two slashes. */
function isFileUri(text: unknown): text is string {
  if (typeof text !== "string" || !/^\w[\w+.-]*:\P{Cc}*$/u.test(text)) return false;
  return /^\/(?!\/)/.test(URL.parse(text)?.pathname ?? "");
}

/** Whether a value is a valid time, in milliseconds since the epoch. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

/** The size and the usage of an order, unless they have the wrong form. */
function orderFacts(size: unknown, usage: unknown): Pick<ImageRecord, "size" | "usage"> {
  const fields = asObject(usage);
  const [inputTokens, outputTokens, totalTokens] = [fields?.inputTokens, fields?.outputTokens, fields?.totalTokens].map(
    asCount,
  );
  const isUsage = inputTokens !== undefined && outputTokens !== undefined && totalTokens !== undefined;
  return {
    ...(typeof size === "string" && /^\d{1,5}x\d{1,5}$/.test(size) && { size }),
    ...(isUsage && { usage: { inputTokens, outputTokens, totalTokens } }),
  };
}
