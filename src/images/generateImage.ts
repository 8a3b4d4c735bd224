import { commands, env, l10n, Uri, window, workspace } from "vscode";
import type { FailedAction } from "../failures/notice.ts";
import { GatewayError } from "../gateway/errors.ts";
import type { ImageFile } from "../gateway/types.ts";
import { readImageFile } from "../gateway/wire/imageStructure.ts";
import { type CommandName, prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { quote } from "../text/safeText.ts";
import { type ProgressNotification, withProgressNotification } from "../ui/withProgressNotification.ts";
import { askFolder, refuseLinkedFolder } from "./imageFolder.ts";
import { squareSize } from "./imageOrder.ts";
import type { Images } from "./images.ts";
import type { ImageOrder } from "./pendingImages.ts";
import { excessiveMegapixels, type SavedImage } from "./savedImage.ts";
import { type PendingImage, targetIn } from "./storedImages.ts";

interface OrderNeeds {
  readonly gateway: Pick<Services["gateway"], "generateImage">;
  readonly images: Images;
}

interface DownloadNeeds {
  readonly gateway: Pick<Services["gateway"], "downloadImage">;
  readonly images: Images;
}

/** The context of all five steps: order, keep the link, download, save, announce. */
export interface GenerateNeeds extends OrderNeeds, DownloadNeeds {
  readonly gateway: OrderNeeds["gateway"] & DownloadNeeds["gateway"];
  readonly notifier: Pick<Services["notifier"], "guard" | "report">;
}

/** Generates an image, saves and opens it. Retry orders again only if no link was kept. */
export async function generateImage(services: GenerateNeeds, order: ImageOrder): Promise<void> {
  const retry = (): Promise<void> => generateImage(services, order);
  const square = (): Promise<void> => generateImage(services, { ...order, size: squareSize });
  const remedies = order.size === undefined || order.size === squareSize ? {} : { square };
  await services.notifier.guard({ name: "image", keyGroup: "image", retry, remedies }, () =>
    withProgressNotification(l10n.t("Generating “{0}”", shortened(order)), async ({ signal, now, observe }) => {
      const images = await orderAndKeep(services, order, signal, observe);
      now(downloading(order));
      await Promise.all(images.map((image) => downloadAndAnnounce(services, image, signal)));
    }),
  );
}

/** Steps 1 and 2: checks the folder, orders an image, and keeps the link before anything can fail. */
export async function orderAndKeep(
  { gateway, images }: OrderNeeds,
  order: ImageOrder,
  signal: AbortSignal,
  observe?: ProgressNotification["observe"],
): Promise<readonly PendingImage[]> {
  const { prompt, size, folder } = order;
  await refuseLinkedFolder(folder);
  const answer = await gateway.generateImage({ prompt, size, feature: "image" }, signal, observe);
  return await images.pending.keep(order, answer);
}

/**
 * Steps 3 and 4: downloads a paid image and saves it; it is pending until then. `undefined` if this window is already
 * downloading it.
 */
export async function downloadAndSave(
  services: DownloadNeeds,
  image: PendingImage,
  signal: AbortSignal,
): Promise<SavedImage | undefined> {
  const { pending } = services.images;
  return await pending.hold(image.id, async () =>
    save(services.images, image, await download(services, image, signal)),
  );
}

async function download(
  { gateway, images: { pending } }: DownloadNeeds,
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

async function save({ saver, pending, history }: Images, image: PendingImage, file: ImageFile): Promise<SavedImage> {
  const { prompt, size, usage } = image;
  const uri = await saver.save(file, image);
  await pending.forget(image);
  const megapixels = excessiveMegapixels(file);
  const isLarge = megapixels !== undefined;
  const known = { ...(size !== undefined && { size }), ...(usage && { usage }), ...(isLarge && { isLarge }) };
  await history.add({ file: uri.toString(), prompt, savedAt: Date.now(), ...known });
  return { uri, file, megapixels };
}

/** Steps 3 to 5. Reports failures itself, because a retry must not order the image again. */
async function downloadAndAnnounce(services: GenerateNeeds, image: PendingImage, signal: AbortSignal): Promise<void> {
  await services.notifier.guard(downloadAction(services, image), async () => {
    const saved = await downloadAndSave(services, image, signal).catch((error: unknown) => {
      if (signal.aborted) void announceKeptLink();
      throw error;
    });
    if (saved) await announceImage(services.images, saved);
  });
}

/** Downloads all pending images until cancelled, without ordering anything. Returns their number. */
export async function downloadAllPending(services: GenerateNeeds): Promise<number> {
  const images = services.images.pending.all();
  const left = images.values();
  let isCancelled = false;
  const next = async (): Promise<void> => {
    for (const image of left) if (isCancelled || !(await downloadPending(services, image))) isCancelled = true;
  };
  // Two at a time, because each shows a notification.
  await Promise.all([next(), next()]);
  return images.length;
}

/** Downloads one pending image with a progress notification. `false` if the user cancels. */
async function downloadPending(services: GenerateNeeds, image: PendingImage): Promise<boolean> {
  return await withProgressNotification(downloading(image), async ({ signal }) => {
    await downloadAndAnnounce(services, image, signal);
    return !signal.aborted;
  });
}

/** Describes steps 3 to 5 for notices. Only Generate Again orders anything. */
export function downloadAction(services: GenerateNeeds, image: PendingImage): FailedAction {
  const { pending } = services.images;
  return {
    name: "image file",
    keyGroup: "image",
    // Downloads that fail together show one notification, so its Retry covers all of them.
    retry: async () => {
      await downloadAllPending(services);
    },
    // A title of its own, because VS Code's Retry below every answer would order the image again (VS Code 1.139).
    retryCall: { title: l10n.t("Recover Images"), command: `${prefix}.recoverImages`, arguments: [] },
    remedies: {
      saveElsewhere: async () => {
        const folder = await askFolder();
        if (!folder) return;
        await downloadPending(services, await pending.update({ ...image, root: undefined, ...targetIn(folder) }));
      },
      orderAgain: async () => {
        await pending.forget(image);
        await generateImage(services, { prompt: image.prompt, size: image.size, folder: Uri.parse(image.folder) });
      },
      forget: () => pending.forget(image),
    },
  };
}

function downloading(image: Pick<PendingImage, "prompt">): string {
  return l10n.t("Downloading “{0}”", shortened(image));
}

/** A prompt shortened for a notification. */
function shortened({ prompt }: Pick<PendingImage, "prompt">): string {
  return quote(prompt, 60);
}

type Announced = Pick<SavedImage, "uri" | "megapixels">;

/** Opens an image unless it is too large, and shows a notification. Does not wait for the user's response. */
async function announceImage(images: Pick<Images, "ticket">, { uri, megapixels }: Announced): Promise<void> {
  if (megapixels === undefined) {
    await commands.executeCommand("vscode.open", uri, { preview: false, preserveFocus: true });
  }
  void offerActions(images, { uri, megapixels });
}

async function offerActions({ ticket }: Pick<Images, "ticket">, { uri, megapixels }: Announced): Promise<void> {
  const file = quote(workspace.asRelativePath(uri));
  const actions: readonly { title: string; command: CommandName }[] = [
    ...(megapixels === undefined ? [] : [{ title: l10n.t("Open"), command: "openImage" as const }]),
    { title: l10n.t("Insert Link"), command: "insertImageLink" },
    { title: l10n.t("Reveal"), command: "revealImage" },
    { title: l10n.t("Copy Path"), command: "copyImagePath" },
    { title: l10n.t("Generate Again"), command: "generateImageAgain" },
  ];
  const text =
    megapixels === undefined
      ? l10n.t("The image is saved as {0}.", file)
      : l10n.t(
          "The image is saved as {0}. It is not opened automatically because it has {1} megapixels.",
          file,
          count(megapixels),
        );
  const chosen = await window.showInformationMessage(text, ...actions);
  if (chosen) await commands.executeCommand(`${prefix}.${chosen.command}`, { image: uri.toString(), ticket });
}

function count(megapixels: number): string {
  return Math.ceil(megapixels).toLocaleString(env.language);
}

/** Tells the user how to recover an image whose download was cancelled. */
async function announceKeptLink(): Promise<void> {
  await window.showInformationMessage(
    l10n.t("The image is paid for and its link is kept. Run “Recover Images” at any time to download it."),
  );
}
