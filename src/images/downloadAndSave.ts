import { Uri } from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import type { ImageFile } from "../gateway/types.ts";
import { readImageFile } from "../gateway/wire/imageType.ts";
import type { Services } from "../services.ts";
import type { Images } from "./images.ts";
import { excessiveMegapixels } from "./megapixels.ts";
import type { PendingImage } from "./pendingImages.ts";

/** What the delivery of an image needs. */
export interface DownloadServices {
  readonly gateway: Pick<Services["gateway"], "downloadImage">;
  readonly images: Images;
}

/** An image that has arrived. */
export interface SavedImage {
  readonly uri: Uri;
  readonly file: ImageFile;
  /** Millions of pixels, where these are too many to show the image by itself. */
  readonly megapixels: number | undefined;
}

/**
 * Fetches an image that is paid for and saves it; only then it is no longer pending. `undefined` when somebody else is at
 * it already.
 */
export async function downloadAndSave(
  services: DownloadServices,
  image: PendingImage,
  signal: AbortSignal,
): Promise<SavedImage | undefined> {
  return await services.images.pending.hold(image.id, () => deliver(services, image, signal));
}

async function deliver(services: DownloadServices, image: PendingImage, signal: AbortSignal): Promise<SavedImage> {
  const { saver, pending, history } = services.images;
  const { id, prompt, size, usage } = image;
  const file = await fetchFile(services, image, signal);
  const uri = await saver.save(file, id, prompt, Uri.parse(image.folder));
  await pending.forget(image);
  const megapixels = excessiveMegapixels(file);
  const isLarge = megapixels !== undefined;
  const known = { ...(size !== undefined && { size }), ...(usage && { usage }), ...(isLarge && { isLarge }) };
  await history.add({ file: uri.toString(), prompt, savedAt: Date.now(), ...known });
  return { uri, file, megapixels };
}

async function fetchFile(
  { gateway, images: { pending } }: DownloadServices,
  image: PendingImage,
  signal: AbortSignal,
): Promise<ImageFile> {
  if (image.isInline) return readImageFile(await pending.read(image));
  try {
    return await gateway.downloadImage(image.url, signal);
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "linkExpired") {
      await pending.update({ ...image, isExpired: true });
    }
    throw error;
  }
}
