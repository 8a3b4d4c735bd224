import { FileType, Uri, window, workspace } from "vscode";
import { askPrompt } from "../images/askPrompt.ts";
import { chooseFolder } from "../images/chooseFolder.ts";
import { makeImage } from "../images/makeImage.ts";
import { pickSize } from "../images/pickSize.ts";
import { sizeWithoutAsking } from "../images/sizes.ts";
import { promptLanguage } from "../manifest.ts";
import type { Services } from "../services.ts";

/**
 * Generates an image into the workspace. The prompt is the selection where the editor's menu starts the command, or the
 * whole of a prompt editor, else the user is asked; the explorer's menu names the folder.
 */
export async function generateImage(services: Services, argument?: unknown): Promise<void> {
  const { lastPrompt } = services.images;
  const folder = (await folderOf(argument)) ?? (await chooseFolder(services));
  if (folder === undefined) return;
  const prompt = writtenPrompt(argument) ?? (await askPrompt(lastPrompt.get()));
  if (prompt === undefined) return;
  await lastPrompt.set(prompt);
  const setting = services.settings(folder).imageSize;
  const chosen = setting === "ask" ? await pickSize() : { size: sizeWithoutAsking(setting) };
  if (chosen) await makeImage(services, { prompt, size: chosen.size, folder });
}

/** The folder that the explorer's menu was opened on. */
async function folderOf(argument: unknown): Promise<Uri | undefined> {
  if (!(argument instanceof Uri) || isActive(argument)) return undefined;
  const { type } = await workspace.fs.stat(argument);
  return (type & FileType.Directory) === 0 ? undefined : argument;
}

/** What stands in the editor that the command was started from. */
function writtenPrompt(argument: unknown): string | undefined {
  const { document, selection } = window.activeTextEditor ?? {};
  if (document === undefined) return undefined;
  const isSelection = argument instanceof Uri && isActive(argument) && selection?.isEmpty === false;
  if (!isSelection && document.languageId !== promptLanguage) return undefined;
  return document.getText(isSelection ? selection : undefined).trim() || undefined;
}

function isActive(uri: Uri): boolean {
  return window.activeTextEditor?.document.uri.toString() === uri.toString();
}
