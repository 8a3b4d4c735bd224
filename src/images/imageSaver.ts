import { randomUUID } from "node:crypto";
import { FileSystemError, Uri, workspace } from "vscode";
import type { ImageFile } from "../gateway/types.ts";
import { UserError } from "../ui/userError.ts";
import { fileNameFor, numberedNames } from "./fileName.ts";

const extensions: Record<ImageFile["type"], string> = { png: "png", jpeg: "jpg", webp: "webp" };

/** Saves one image at a time, so that two never find the same name free. */
export class ImageSaver {
  private last: Promise<unknown> = Promise.resolve();

  /** Saves an image under a name made from its prompt and returns where. Nothing is overwritten, no half file is seen. */
  async save(file: ImageFile, prompt: string, folder: Uri): Promise<Uri> {
    const saved = this.last.then(() => saveImage(file, prompt, folder));
    this.last = saved.catch(() => undefined);
    return await saved;
  }
}

async function saveImage({ bytes, type }: ImageFile, prompt: string, folder: Uri): Promise<Uri> {
  const name = fileNameFor(prompt);
  const unfinished = Uri.joinPath(folder, `.${randomUUID()}.part`);
  try {
    await workspace.fs.createDirectory(folder);
    await workspace.fs.writeFile(unfinished, bytes);
    return await renameToFree(unfinished, folder, numberedNames(name, extensions[type]));
  } catch (cause) {
    await removeQuietly(unfinished);
    throw new UserError("fileNotSaved", { subject: workspace.asRelativePath(Uri.joinPath(folder, name)), cause });
  }
}

async function renameToFree(file: Uri, folder: Uri, names: Iterable<string>): Promise<Uri> {
  for (const name of names) {
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

async function removeQuietly(file: Uri): Promise<void> {
  try {
    await workspace.fs.delete(file);
  } catch {
    // What could not be written is not there.
  }
}
