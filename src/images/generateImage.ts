import { commands, FileSystemError, l10n, Uri, workspace } from "vscode";
import type { FailedAction } from "../failures/notice.ts";
import { UserError } from "../failures/userError.ts";
import { GatewayError } from "../gateway/errors.ts";
import type { ImageFile } from "../gateway/types.ts";
import { readImageFile } from "../gateway/wire/imageStructure.ts";
import { type CommandName, prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import type { OneAtATime } from "../base/oneAtATime.ts";
import { quote } from "../text/safeText.ts";
import { showMessage } from "../ui/showMessage.ts";
import { type ProgressNotification, withProgressNotification } from "../ui/withProgressNotification.ts";
import { showFolderDialog, refuseLinkedFolder, targetIn } from "./imageFolder.ts";
import { type ImageOrder, squareSize } from "./imageOrder.ts";
import type { Images } from "./images.ts";
import { fileNameFor, isLargeImage, type SavedImage } from "./savedImage.ts";
import type { PendingImage } from "./storedImages.ts";

/** What the five steps need: order, store the link, download, save, announce. */
export interface GenerateNeeds {
  readonly gateway: Pick<Services["gateway"], "generateImage" | "downloadImage">;
  readonly images: Images;
  readonly notifier: Pick<Services["notifier"], "run" | "inform" | "report">;
}

/** Generates an image, saves and opens it. Retry orders again only if no link was stored. */
export async function generateImage(services: GenerateNeeds, order: ImageOrder): Promise<void> {
  const retry = (): Promise<void> => generateImage(services, order);
  const square = (): Promise<void> => generateImage(services, { ...order, size: squareSize });
  const remedies = order.size === undefined || order.size === squareSize ? {} : { square };
  const generating = l10n.t("Generating “{0}”", quote(order.prompt, 60));
  await services.notifier.run({ name: "image", keyGroup: "image", retry, remedies }, () =>
    withProgressNotification(generating, async ({ signal, now, observe }) => {
      const images = await orderAndStore(services, order, signal, observe);
      now(downloading([order]));
      await downloadAll(services, images, signal);
    }),
  );
}

/**
 * Steps 1 and 2: checks the folder, orders an image, and stores the link before anything else can fail: Retry must not order
 * again.
 */
export async function orderAndStore(
  { gateway, images }: Pick<GenerateNeeds, "gateway" | "images">,
  order: ImageOrder,
  signal: AbortSignal,
  observe?: ProgressNotification["observe"],
): Promise<readonly PendingImage[]> {
  const { prompt, size, folder } = order;
  const target = targetIn(folder);
  await refuseLinkedFolder(target);
  try {
    const answer = await gateway.generateImage({ prompt, size, feature: "image" }, signal, observe);
    return await images.pending.store({ prompt, size, ...target }, answer);
  } catch (error) {
    const text = l10n.t("“{0}” was canceled. It may still be charged.", quote(prompt, 30));
    if (signal.aborted) void showMessage("Information", text);
    throw error;
  }
}

/** Steps 3 and 4: downloads a paid image and saves it. `undefined` if a window is saving or has saved it. */
export async function downloadAndSave(
  services: Omit<GenerateNeeds, "notifier">,
  image: PendingImage,
  signal: AbortSignal,
): Promise<SavedImage | undefined> {
  const { naming, pending, history } = services.images;
  return await pending.withLock(image.id, async () => {
    const { prompt, size, usage } = image;
    const file = await download(services, image, signal);
    const uri = await saveImage(naming, file, image);
    // If this fails, the image can be recovered again, which does no harm.
    await pending.remove(image).catch(() => undefined);
    const isLarge = isLargeImage(file);
    const known = { ...(size !== undefined && { size }), ...(usage && { usage }), ...(isLarge && { isLarge }) };
    await history.add({ file: uri.toString(), prompt, savedAt: Date.now(), ...known });
    return { uri, file, isLarge };
  });
}

async function download(
  { gateway, images: { pending } }: Omit<GenerateNeeds, "notifier">,
  image: PendingImage,
  signal: AbortSignal,
): Promise<ImageFile> {
  if (image.url === undefined) return readImageFile(await pending.bytesOf(image));
  try {
    return await gateway.downloadImage(image.url, signal);
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "linkExpired") {
      await pending.update({ ...image, isExpired: true });
    }
    const text = l10n.t(
      "The image was charged, and is saved for recovery. Run “Recover Images” at any time to download it.",
    );
    if (signal.aborted) void showMessage("Information", text);
    throw error;
  }
}

/** Steps 3 to 5. Each image reports its own failure, because a retry must not order it again. */
async function downloadAll(
  services: GenerateNeeds,
  images: readonly PendingImage[],
  signal: AbortSignal,
): Promise<void> {
  const download = (image: PendingImage): Promise<void> =>
    services.notifier.run(downloadAction(services, image), async () => {
      const saved = await downloadAndSave(services, image, signal);
      if (saved) await announceImage(services, saved);
    });
  await Promise.all(images.map(download));
}

/** Downloads all pending images, without ordering anything, or says that there are none. The client limits how many at a time. */
export async function recoverImages(services: GenerateNeeds): Promise<void> {
  const images = await services.images.pending.available();
  if (images.length > 0) await recover(services, images);
  else void showMessage("Information", l10n.t("There is nothing to recover: all generated images are saved."));
}

function recover(services: GenerateNeeds, images: readonly PendingImage[]): Promise<void> {
  return withProgressNotification(downloading(images), ({ signal }) => downloadAll(services, images, signal));
}

/** Describes steps 3 to 5 for notices. Only Generate Again orders anything. */
export function downloadAction(services: GenerateNeeds, image: PendingImage): FailedAction {
  const { pending } = services.images;
  return {
    name: "image file",
    keyGroup: "image",
    // Downloads that fail together show one notification, so its Retry covers all of them.
    retry: () => recoverImages(services),
    // Not "Retry": VS Code's own Retry below every answer would order the image again (VS Code 1.139).
    retryCall: { title: l10n.t("Recover Images"), command: `${prefix}.recoverImages`, arguments: [] },
    remedies: {
      saveElsewhere: async () => {
        const folder = await showFolderDialog();
        if (!folder) return;
        await recover(services, [await pending.update({ ...image, ...targetIn(folder) })]);
      },
      orderAgain: async () => {
        await pending.remove(image);
        await generateImage(services, { prompt: image.prompt, size: image.size, folder: Uri.parse(image.folder) });
      },
      discard: () => pending.remove(image),
    },
  };
}

function downloading(images: readonly Pick<PendingImage, "prompt">[]): string {
  const [image, ...others] = images;
  return image && others.length === 0
    ? l10n.t("Downloading “{0}”", quote(image.prompt, 60))
    : l10n.t("Downloading {0} images", images.length);
}

/** Opens an image unless it is too large, and shows a notification. Does not wait for the user's response. */
async function announceImage(
  { images, notifier }: Pick<GenerateNeeds, "images" | "notifier">,
  { uri, isLarge }: SavedImage,
): Promise<void> {
  const name = quote(workspace.asRelativePath(uri));
  if (!isLarge) await commands.executeCommand("vscode.open", uri, { preview: false, preserveFocus: true });
  const text = isLarge
    ? l10n.t("The image is saved as {0}. It is not opened automatically because it has more than 100 megapixels.", name)
    : l10n.t("The image is saved as {0}.", name);
  const run = (command: string) => (): Thenable<unknown> =>
    commands.executeCommand(command, { image: uri.toString(), ticket: images.ticket });
  const actions = imageActions().map(({ title, command }) => ({ title, run: run(command) }));
  // VS Code truncates the titles of more buttons (1.139.1). The view "Codex Images" has all actions.
  const offered = isLarge ? actions.slice(0, maxButtons) : actions.slice(1, 1 + maxButtons);
  void notifier.inform(text, ...offered);
}

/** Maximum number of buttons of the notification about a saved image. */
const maxButtons = 3;

/** What can be done with a saved image, most useful first. The first action opens it. */
export function imageActions(): readonly { readonly title: string; readonly command: string }[] {
  const actions: readonly (readonly [CommandName, string])[] = [
    ["openImage", l10n.t("Open")],
    ["insertImageLink", l10n.t("Insert Link")],
    ["revealImage", l10n.t("Reveal")],
    ["refineImage", l10n.t("Refine…")],
    ["copyImagePath", l10n.t("Copy Path")],
    ["generateImageAgain", l10n.t("Generate Again")],
  ];
  return actions.map(([name, title]) => ({ title, command: `${prefix}.${name}` }));
}

const extensions: Record<ImageFile["type"], string> = { png: "png", jpeg: "jpg", webp: "webp" };

/**
 * Saves an image under a name derived from its prompt, and returns the URI. Never overwrites a file or leaves a partial
 * one. The temporary file is named after the id, so that a second attempt replaces what an interrupted one has left.
 */
export async function saveImage(
  naming: OneAtATime,
  { bytes, type }: ImageFile,
  { id, prompt, ...target }: Pick<PendingImage, "id" | "prompt" | "folder" | "root">,
): Promise<Uri> {
  const folder = Uri.parse(target.folder);
  const name = fileNameFor(prompt);
  const unfinished = Uri.joinPath(folder, `.${id}.part`);
  try {
    await refuseLinkedFolder(target);
    await workspace.fs.createDirectory(folder);
    await writeWhole(unfinished, bytes);
    return await naming.run(() => renameToFree(unfinished, folder, name, extensions[type]));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    await workspace.fs.delete(unfinished).then(undefined, () => undefined);
    throw new UserError("fileNotSaved", { subject: workspace.asRelativePath(Uri.joinPath(folder, name)), cause });
  }
}

/** Renames a file to the first name that is free: `cat.png`, `cat-2.png`, `cat-3.png` … */
async function renameToFree(file: Uri, folder: Uri, name: string, extension: string): Promise<Uri> {
  const taken = new Set((await workspace.fs.readDirectory(folder)).map(([name]) => name));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? `${name}.${extension}` : `${name}-${number}.${extension}`;
    if (taken.has(free)) continue;
    const target = Uri.joinPath(folder, free);
    try {
      await workspace.fs.rename(file, target, { overwrite: false });
      return target;
    } catch (error) {
      if (!(error instanceof FileSystemError && error.code === "FileExists")) throw error;
    }
  }
}

/** Writes all of a file, or throws: VS Code can report success on a full disk (microsoft/vscode#73038). */
async function writeWhole(file: Uri, bytes: Uint8Array): Promise<void> {
  await workspace.fs.writeFile(file, bytes);
  const written = await workspace.fs.readFile(file);
  if (Buffer.compare(bytes, written) === 0) return;
  throw new Error(`${written.length} of ${bytes.length} bytes were written. The disk may be full.`);
}
