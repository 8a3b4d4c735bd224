import type { Uri } from "vscode";
import type { Services } from "../services.ts";
import type { ProgressNotification } from "../ui/withProgressNotification.ts";
import type { Images } from "./images.ts";
import { refuseLinkedFolder } from "./linkedFolder.ts";
import type { PendingImage } from "./pendingImages.ts";

/** What is ordered, and where it goes. */
export interface ImageOrder {
  readonly prompt: string;
  /** `undefined`: the gateway chooses. */
  readonly size: string | undefined;
  readonly folder: Uri;
}

/** What an order needs. */
export interface OrderNeeds {
  readonly gateway: Pick<Services["gateway"], "generateImage">;
  readonly images: Images;
}

/** Orders an image, unless it could not be saved in its folder. Its link is kept before anything else happens to it. */
export async function orderImage(
  { gateway, images }: OrderNeeds,
  order: ImageOrder,
  signal: AbortSignal,
  observe?: ProgressNotification["observe"],
): Promise<readonly PendingImage[]> {
  const { prompt, size, folder } = order;
  await refuseLinkedFolder(folder);
  return await images.pending.keep(order, await gateway.generateImage({ prompt, size }, signal, observe));
}
