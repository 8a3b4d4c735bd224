import { Uri, workspace } from "vscode";
import type { Usage } from "../gateway/types.ts";
import { isUuid } from "../text/fileNames.ts";
import { asCount, asObject } from "../text/json.ts";
import { isImageLink } from "../gateway/wire/imageSources.ts";

/** A saved image, as plain JSON for VS Code's state. */
export interface ImageRecord {
  /** The file's URI. */
  readonly file: string;
  readonly prompt: string;
  readonly size?: string;
  /** Usage of the order; if it has several images, the first one carries it. */
  readonly usage?: Usage;
  /** Whether it has too many pixels to be shown automatically. */
  readonly isLarge?: boolean;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

/** An image that is paid for but not saved yet, as plain JSON for VS Code's state. */
export interface PendingImage {
  /** A UUID, which is also the name of its file. */
  readonly id: string;
  /** Its http(s) link. Without one, the bytes are a file in the extension's storage, named by the id. */
  readonly url?: string;
  readonly isInline?: true;
  readonly prompt: string;
  readonly size?: string;
  /** URI of the folder it goes to. */
  readonly folder: string;
  /** URI of the folder that it must not leave; missing in version 1.0.0, and outside the workspace in 1.1.0. */
  readonly root?: string | undefined;
  readonly usage?: Usage;
  /** When it was kept, in milliseconds since the epoch; missing in version 1.0.0. */
  readonly keptAt?: number;
  /** Whether the image host said that the link has expired. */
  readonly isExpired?: boolean;
}

/** Where an image goes, as it is stored, with the folder of the workspace that this is in, or else itself. */
export function targetIn(folder: Uri): { readonly folder: string; readonly root: string } {
  const root = workspace.getWorkspaceFolder(folder)?.uri ?? folder;
  return { folder: folder.toString(), root: root.toString() };
}

/** Validates a stored image record; `undefined` if invalid. */
export function readImageRecord(value: unknown): ImageRecord | undefined {
  const { file, prompt, savedAt, size, usage, isLarge } = asObject(value) ?? {};
  if (!isFileUri(file) || typeof prompt !== "string" || !isTime(savedAt)) return undefined;
  return { file, prompt, savedAt, ...knownSize(size), ...knownUsage(usage), ...(isLarge === true && { isLarge }) };
}

/**
 * Validates a stored pending image, whose id is in the name of its state entry; `undefined` if invalid. `isOwnFile`:
 * whether a URL is the file with the image's bytes, which version 1.0.0 stored instead of `isInline`.
 */
export function readPendingImage(
  id: string,
  value: unknown,
  isOwnFile: (url: string) => boolean,
): PendingImage | undefined {
  const { id: storedId, url, isInline, prompt, folder, root, keptAt, size, usage, isExpired } = asObject(value) ?? {};
  if (!isUuid(id) || storedId !== id || typeof prompt !== "string" || !isFileUri(folder)) return undefined;
  const facts = {
    id,
    prompt,
    folder,
    ...(isFileUri(root) && { root }),
    ...(isTime(keptAt) && { keptAt }),
    ...knownSize(size),
    ...knownUsage(usage),
    ...(isExpired === true && { isExpired }),
  };
  if (isInline === true || (typeof url === "string" && isOwnFile(url))) return { ...facts, isInline: true };
  return typeof url === "string" && isImageLink(url) ? { ...facts, url } : undefined;
}

/** Whether a stored text is the URI of a file or folder. `Uri.parse` throws for some texts. */
function isFileUri(text: unknown): text is string {
  if (typeof text !== "string") return false;
  try {
    return Uri.parse(text, true).path.startsWith("/");
  } catch {
    return false;
  }
}

/** Whether a value is a valid time, in milliseconds since the epoch. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

function knownSize(size: unknown): { readonly size?: string } {
  return typeof size === "string" && /^\d{1,5}x\d{1,5}$/.test(size) ? { size } : {};
}

function knownUsage(usage: unknown): { readonly usage?: Usage } {
  const fields = asObject(usage);
  const inputTokens = asCount(fields?.inputTokens);
  const outputTokens = asCount(fields?.outputTokens);
  const totalTokens = asCount(fields?.totalTokens);
  if (inputTokens === undefined || outputTokens === undefined || totalTokens === undefined) return {};
  return { usage: { inputTokens, outputTokens, totalTokens } };
}
