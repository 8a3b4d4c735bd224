import { FileSystemError, Uri, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import type { ImageFile } from "../gateway/types.ts";
import type { OneAtATime } from "../text/oneAtATime.ts";
import { fileNameFor, numberedNames } from "./savedImage.ts";
import { refuseLinkedFolder } from "./imageFolder.ts";
import type { PendingImage } from "./storedImages.ts";
import { deleteQuietly, writeWhole } from "./pendingImages.ts";

const extensions: Record<ImageFile["type"], string> = { png: "png", jpeg: "jpg", webp: "webp" };

/** An image that is to be saved, and where. */
type SavingTarget = Pick<PendingImage, "id" | "prompt" | "folder" | "root">;

/**
 * Saves an image under a name derived from its prompt, and returns the URI. Never overwrites a file or leaves a partial
 * one. Its id names the temporary file, so that a second attempt replaces the rest of an interrupted one.
 */
export async function saveImage(
  naming: OneAtATime,
  { bytes, type }: ImageFile,
  { id, prompt, ...target }: SavingTarget,
): Promise<Uri> {
  const folder = Uri.parse(target.folder);
  const root = target.root === undefined ? undefined : Uri.parse(target.root);
  const name = fileNameFor(prompt);
  const unfinished = Uri.joinPath(folder, `.${id}.part`);
  try {
    await refuseLinkedFolder(folder, root);
    await workspace.fs.createDirectory(folder);
    await writeWhole(unfinished, bytes);
    return await naming.run(() => renameToFree(unfinished, folder, numberedNames(name, extensions[type])));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    await deleteQuietly(unfinished);
    throw new UserError("fileNotSaved", { subject: workspace.asRelativePath(Uri.joinPath(folder, name)), cause });
  }
}

async function renameToFree(file: Uri, folder: Uri, names: Iterable<string>): Promise<Uri> {
  const taken = new Set((await workspace.fs.readDirectory(folder)).map(([name]) => name));
  for (const name of names) {
    if (taken.has(name)) continue;
    const target = Uri.joinPath(folder, name);
    try {
      await workspace.fs.rename(file, target, { overwrite: false });
      return target;
    } catch (error) {
      if (!(error instanceof FileSystemError && error.code === "FileExists")) throw error;
    }
  }
  throw new Error("The names have run out.");
}
