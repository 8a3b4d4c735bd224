import { commands, env, l10n, type TextDocument, UIKind, Uri, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import type { Services } from "../services.ts";
import { asObject } from "../text/json.ts";
import { quote } from "../text/safeText.ts";
import { confirmOrder } from "./imageOrder.ts";
import { downloadAllPending, generateImage } from "./generateImage.ts";
import type { LastDocument } from "./keptImages.ts";
import { imageLink, pathFrom } from "./imageLink.ts";
import type { ImageRecord } from "./storedImages.ts";

/** Opens an image of the view. */
export async function openImage({ images }: Services, argument?: unknown): Promise<void> {
  const image = imageOf(images.history.all(), argument);
  if (image) await commands.executeCommand("vscode.open", Uri.parse(image.file));
}

/** Inserts a link to an image, by default the newest, into the last edited document. */
export async function insertImageLink({ images }: Services, argument?: unknown): Promise<void> {
  const image = imageOf(images.history.all(), argument);
  if (image) await insertLink(images.lastDocument, Uri.parse(image.file), image.prompt);
}

/**
 * Reveals an image in the Explorer, or outside the workspace in the system's file manager. Where that is out of reach, tells
 * its path.
 */
export async function revealImage({ images }: Services, argument?: unknown): Promise<void> {
  const image = imageOf(images.history.all(), argument);
  if (image === undefined) return;
  const uri = Uri.parse(image.file);
  if (workspace.getWorkspaceFolder(uri)) await commands.executeCommand("revealInExplorer", uri);
  // This command does not exist in a browser, and does nothing for a file on another machine (VS Code 1.139.1).
  else if (env.uiKind === UIKind.Desktop && !env.remoteName) await commands.executeCommand("revealFileInOS", uri);
  else void tellPath(pathOf(uri));
}

/** Puts the path of an image on the clipboard. */
export async function copyImagePath({ images }: Services, argument?: unknown): Promise<void> {
  const image = imageOf(images.history.all(), argument);
  if (image === undefined) return;
  await env.clipboard.writeText(pathOf(Uri.parse(image.file)));
}

/**
 * Orders an image with another one's prompt and size, into the same folder. Links, tasks and other extensions can run
 * this command, so the user is asked unless it comes from the extension's own view or notification.
 */
export async function generateImageAgain(services: Services, argument?: unknown): Promise<void> {
  const image = imageOf(services.images.history.all(), argument);
  if (image === undefined) return;
  const order = { prompt: image.prompt, size: image.size, folder: Uri.joinPath(Uri.parse(image.file), "..") };
  if (hasTicket(services.images, argument) || (await confirmOrder(order))) await generateImage(services, order);
}

/** Downloads pending images: paid for, but not saved because of a failure or a closed window. */
export async function recoverImages(services: Services): Promise<void> {
  if ((await downloadAllPending(services)) > 0) return;
  void window.showInformationMessage(l10n.t("There is nothing to recover: every generated image is saved."));
}

async function tellPath(path: string): Promise<void> {
  const copy = l10n.t("Copy Path");
  const text = l10n.t("The image is saved as {0}.", quote(path, 400));
  if ((await window.showInformationMessage(text, copy)) === copy) await env.clipboard.writeText(path);
}

function pathOf(uri: Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.toString(true);
}

/** The image for a command, given by its URI or the view's menu; by default the newest. */
function imageOf(images: readonly ImageRecord[], argument: unknown): ImageRecord | undefined {
  if (argument === undefined) return images[0];
  const file = fileOf(argument);
  return images.find((image) => image.file === file);
}

function hasTicket({ ticket }: Services["images"], argument: unknown): boolean {
  return asObject(argument)?.ticket === ticket;
}

function fileOf(argument: unknown): unknown {
  if (argument instanceof Uri) return argument.toString();
  const fromMenu = asObject(argument);
  return fromMenu ? fromMenu.image : argument;
}

/** Inserts a link to an image into the last edited document, in its language's syntax. */
async function insertLink(last: LastDocument, image: Uri, prompt: string): Promise<void> {
  const document = last.get();
  if (document === undefined) throw new UserError("noDocument");
  const subject = workspace.asRelativePath(document.uri);
  if (!shareFolder(document, image)) throw new UserError("linkOutside", { subject });
  const link = imageLink(document.languageId, pathFrom(document.uri.path, image.path), prompt);
  const editor = await last.show();
  const isInserted = await editor?.edit((edit) => {
    edit.insert(editor.selection.end, link);
  });
  if (!isInserted) throw new UserError("documentReadOnly", { subject });
}

function shareFolder({ uri }: TextDocument, image: Uri): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  return folder !== undefined && folder === workspace.getWorkspaceFolder(image);
}
