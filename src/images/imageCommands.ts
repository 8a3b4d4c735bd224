import { commands, env, l10n, type TextDocument, UIKind, Uri, window, workspace } from "vscode";
import { UserError } from "../failures/userError.ts";
import type { Services } from "../services.ts";
import { asObject } from "../text/json.ts";
import { quote } from "../text/safeText.ts";
import { confirmOrder } from "./imageOrder.ts";
import { downloadAllPending, generateImage } from "./generateImage.ts";
import { generateImageCommand } from "./generateImageCommand.ts";
import type { LastDocument } from "./images.ts";
import { imageLink, pathFrom } from "./imageLink.ts";
import type { ImageRecord } from "./storedImages.ts";

/** The commands for images. Those for one image get it from the view, or take the newest. */
export const imageCommands = {
  generateImage: generateImageCommand,
  openImage: onImage(({ file }) => commands.executeCommand("vscode.open", Uri.parse(file))),
  /** Into the last edited document. */
  insertImageLink: onImage(({ file, prompt }, { images }) => insertLink(images.lastDocument, Uri.parse(file), prompt)),
  revealImage: onImage(({ file }) => reveal(Uri.parse(file))),
  copyImagePath: onImage(({ file }) => env.clipboard.writeText(pathOf(Uri.parse(file)))),
  /**
   * Orders an image with another one's prompt and size, into the same folder. Links, tasks and other extensions can run
   * this command, so the user is asked unless it comes from the extension's own view or notification.
   */
  generateImageAgain: onImage(async ({ file, prompt, size }, services, argument) => {
    const order = { prompt, size, folder: Uri.joinPath(Uri.parse(file), "..") };
    const hasTicket = asObject(argument)?.ticket === services.images.ticket;
    if (hasTicket || (await confirmOrder(order))) await generateImage(services, order);
  }),
  /** Downloads pending images: paid for, but not saved because of a failure or a closed window. */
  recoverImages: async (services: Services): Promise<void> => {
    if ((await downloadAllPending(services)) > 0) return;
    void window.showInformationMessage(l10n.t("There is nothing to recover: every generated image is saved."));
  },
};

/** A command for one image, given by its URI or the view's menu; by default the newest. */
function onImage(run: (image: ImageRecord, services: Services, argument: unknown) => Thenable<unknown>) {
  return async (services: Services, argument?: unknown): Promise<void> => {
    const file = argument instanceof Uri ? argument.toString() : (asObject(argument)?.image ?? argument);
    const image = services.images.history.all().find((one) => argument === undefined || one.file === file);
    if (image) await run(image, services, argument);
  };
}

/**
 * Reveals an image in the Explorer, or outside the workspace in the system's file manager. Where that is out of reach, tells
 * its path.
 */
async function reveal(uri: Uri): Promise<void> {
  if (workspace.getWorkspaceFolder(uri)) await commands.executeCommand("revealInExplorer", uri);
  // This command does not exist in a browser, and does nothing for a file on another machine (VS Code 1.139.1).
  else if (env.uiKind === UIKind.Desktop && !env.remoteName) await commands.executeCommand("revealFileInOS", uri);
  else void tellPath(pathOf(uri));
}

async function tellPath(path: string): Promise<void> {
  const copy = l10n.t("Copy Path");
  const text = l10n.t("The image is saved as {0}.", quote(path, 400));
  if ((await window.showInformationMessage(text, copy)) === copy) await env.clipboard.writeText(path);
}

function pathOf(uri: Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.toString(true);
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
