import { commands, l10n, ProgressLocation, type Uri, window } from "vscode";
import type { ImageFile, ImageSource } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { withSignal } from "../ui/withSignal.ts";
import { inlineImage } from "./inlineImage.ts";

type Needs = Pick<Services, "gateway" | "settings" | "notifier" | "imageSaver">;

/** Orders an image, saves it in the folder and opens it. A retry orders anew only as long as nothing was delivered. */
export async function makeImage(services: Needs, prompt: string, folder: Uri): Promise<void> {
  const order = (): Promise<void> =>
    services.notifier.guard({ name: "image", keyGroup: "image", retry: order }, async () => {
      const request = { prompt, size: services.settings(folder).imageSize };
      const { images } = await withProgress(l10n.t("Generating the image…"), (signal) =>
        services.gateway.generateImage(request, signal),
      );
      for (const image of images) await deliver(services, image, prompt, folder);
    });
  await order();
}

/** Brings an image that is already paid for into the workspace. */
async function deliver(services: Needs, image: ImageSource, prompt: string, folder: Uri): Promise<void> {
  const fetchAndSave = (): Promise<void> =>
    services.notifier.guard({ name: "image file", keyGroup: "image", retry: fetchAndSave }, async () => {
      const file = await withProgress(l10n.t("Fetching the image…"), (signal) => fetchImage(services, image, signal));
      await commands.executeCommand("vscode.open", await services.imageSaver.save(file, prompt, folder));
    });
  await fetchAndSave();
}

async function fetchImage({ gateway }: Needs, image: ImageSource, signal: AbortSignal): Promise<ImageFile> {
  return "url" in image ? await gateway.downloadImage(image.url, signal) : inlineImage(image.bytes);
}

async function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  return await window.withProgress(options, (_, token) => withSignal(token, work));
}
