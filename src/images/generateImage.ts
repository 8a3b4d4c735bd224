import { commands, l10n, Uri, window } from "vscode";
import type { FailedAction } from "../failures/notice.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { quote } from "../text/safeText.ts";
import { withProgressNotification } from "../ui/withProgressNotification.ts";
import { announceImage } from "./announceImage.ts";
import { askFolder } from "./ask/chooseFolder.ts";
import { squareSize } from "./ask/sizes.ts";
import { downloadAndSave, type DownloadServices } from "./downloadAndSave.ts";
import { type ImageOrder, orderImage, type OrderNeeds } from "./orderImage.ts";
import type { PendingImage } from "./pendingImages.ts";
import { twoAtATime } from "./twoAtATime.ts";

/** What the making of an image needs. */
export interface MakingNeeds extends OrderNeeds, DownloadServices {
  readonly gateway: OrderNeeds["gateway"] & DownloadServices["gateway"];
  readonly notifier: Pick<Services["notifier"], "guard" | "report">;
}

/** Orders an image, saves it and opens it. A retry orders anew only as long as nothing was delivered. */
export async function generateImage(services: MakingNeeds, order: ImageOrder): Promise<void> {
  const retry = (): Promise<void> => generateImage(services, order);
  const square = (): Promise<void> => generateImage(services, { ...order, size: squareSize });
  const remedies = order.size === undefined || order.size === squareSize ? {} : { square };
  await services.notifier.guard({ name: "image", keyGroup: "image", retry, remedies }, () =>
    withProgressNotification(l10n.t("Generating “{0}”", shortened(order)), async ({ signal, now, observe }) => {
      const images = await orderImage(services, order, signal, observe);
      now(fetching(order));
      await twoAtATime(images, (image) => downloadAndAnnounce(services, image, signal));
    }),
  );
}

/** Fetches every image that is paid for and not saved yet, until cancelled. Orders nothing. Returns how many there were. */
export async function recoverImages(services: MakingNeeds): Promise<number> {
  const images = services.images.pending.all();
  let isCancelled = false;
  await twoAtATime(images, async (image) => {
    if (!isCancelled && !(await downloadPending(services, image))) isCancelled = true;
  });
  return images.length;
}

/** The delivery of an image, as notices need it: whatever fails, nothing is ordered but by Generate Again. */
export function deliveryOf(services: MakingNeeds, image: PendingImage): FailedAction {
  const { pending } = services.images;
  return {
    name: "image file",
    keyGroup: "image",
    // Images whose download fails together show one notification, so its Retry is for all of them.
    retry: async () => {
      await recoverImages(services);
    },
    // VS Code's own Retry stands below every answer of a chat, and would order the image anew.
    retryCall: { title: l10n.t("Recover Images"), command: `${prefix}.recoverImages`, arguments: [] },
    remedies: {
      saveElsewhere: async () => {
        const folder = await askFolder();
        if (folder) await downloadPending(services, await pending.update({ ...image, folder: folder.toString() }));
      },
      orderAgain: async () => {
        await pending.forget(image);
        await generateImage(services, { prompt: image.prompt, size: image.size, folder: Uri.parse(image.folder) });
      },
      forget: () => pending.forget(image),
    },
  };
}

/** Brings an image that was ordered before, behind a notification of its own. `false` when the user cancels. */
async function downloadPending(services: MakingNeeds, image: PendingImage): Promise<boolean> {
  return await withProgressNotification(fetching(image), async ({ signal }) => {
    await downloadAndAnnounce(services, image, signal);
    return !signal.aborted;
  });
}

/** Fetches, saves and opens an image, unless it is too large for that, and says where it is. */
async function downloadAndAnnounce(services: MakingNeeds, image: PendingImage, signal: AbortSignal): Promise<void> {
  await services.notifier.guard(deliveryOf(services, image), async () => {
    const delivered = await downloadAndSave(services, image, signal).catch((error: unknown) => {
      if (signal.aborted) void tellThatItIsKept();
      throw error;
    });
    if (delivered === undefined) return;
    const { uri, megapixels } = delivered;
    if (megapixels === undefined) {
      await commands.executeCommand("vscode.open", uri, { preview: false, preserveFocus: true });
    }
    void announceImage(services.images, uri, megapixels);
  });
}

function fetching(image: Pick<PendingImage, "prompt">): string {
  return l10n.t("Fetching “{0}”", shortened(image));
}

/** As much of a prompt as a notification shows beside other words. */
function shortened({ prompt }: Pick<PendingImage, "prompt">): string {
  return quote(prompt, 60);
}

async function tellThatItIsKept(): Promise<void> {
  await window.showInformationMessage(
    l10n.t("The image is paid for and its link is kept. “Recover Images” fetches it whenever you like."),
  );
}
