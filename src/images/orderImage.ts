import type { Services } from "../services.ts";
import type { ImageOrder } from "./imageOrder.ts";
import type { PendingImage } from "./pendingImages.ts";
import type { Observe } from "./withElapsed.ts";

/** Orders an image. Its link is kept before anything else happens to it. */
export async function orderImage(
  { gateway, images }: Pick<Services, "gateway" | "images">,
  order: ImageOrder,
  signal: AbortSignal,
  observe?: Observe,
): Promise<readonly PendingImage[]> {
  const { prompt, size } = order;
  return await images.pending.keep(order, await gateway.generateImage({ prompt, size }, signal, observe));
}
