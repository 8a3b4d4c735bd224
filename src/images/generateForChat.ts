import { l10n, type Uri } from "vscode";
import { ReportedFailure } from "../failures/notifier.ts";
import type { Services } from "../services.ts";
import { chooseFolder } from "./ask/chooseFolder.ts";
import { sizeWithoutAsking } from "./ask/pickSize.ts";
import { downloadAction, downloadAndSave, type GenerateNeeds, orderAndKeep } from "./generateImage.ts";
import type { SavedImage } from "./savedImage.ts";
import type { PendingImage } from "./storedImages.ts";

type Needs = GenerateNeeds & Pick<Services, "settings">;

/** An image for a chat. */
export interface ChatImage {
  readonly uri: Uri;
  readonly prompt: string;
  /** Whether it has too many pixels to be shown automatically. */
  readonly isLarge: boolean;
}

/** Generates an image in the workspace for a chat. Throws failures; orders nothing without a folder to save in. */
export type ImageForChat = (
  prompt: string,
  signal: AbortSignal,
  progress: (text: string) => void,
) => Promise<readonly ChatImage[]>;

/** Generates images for `@codex /image`. */
export function imageForChat(services: Needs): ImageForChat {
  return async (prompt, signal, progress) => {
    const images = await generateForChat(services, prompt, undefined, signal, progress);
    return (images ?? []).map(({ uri, megapixels }) => ({ uri, prompt, isLarge: megapixels !== undefined }));
  };
}

/**
 * Generates and saves images. Asks only for a folder, and only if none is open. `size` has the form of the setting.
 * `undefined` if no folder is chosen; then nothing is ordered.
 */
export async function generateForChat(
  services: Needs,
  prompt: string,
  size: string | undefined,
  signal: AbortSignal,
  progress?: (text: string) => void,
): Promise<readonly SavedImage[] | undefined> {
  const folder = await chooseFolder(services);
  if (folder === undefined) return undefined;
  const ordered = sizeWithoutAsking(size ?? services.settings(folder).imageSize);
  progress?.(l10n.t("Generating the image. This can take a few minutes."));
  const pending = await orderAndKeep(services, { prompt, size: ordered, folder }, signal);
  progress?.(l10n.t("Downloading the image…"));
  const saved = await Promise.all(pending.map((image) => downloadForChat(services, image, signal)));
  return saved.filter((image) => image !== undefined);
}

/**
 * Reports a failure before the chat does. The chat's own Retry would order a second image; this notification's retry
 * orders nothing.
 */
async function downloadForChat(
  services: Needs,
  image: PendingImage,
  signal: AbortSignal,
): Promise<SavedImage | undefined> {
  try {
    return await downloadAndSave(services, image, signal);
  } catch (error) {
    const notice = services.notifier.report(error, downloadAction(services, image));
    throw notice ? new ReportedFailure(notice, error) : error;
  }
}
