import {
  CodeLens,
  commands,
  type Disposable,
  env,
  FileType,
  l10n,
  languages,
  Range,
  type TextDocument,
  ThemeIcon,
  UIKind,
  Uri,
  window,
  workspace,
} from "vscode";
import { UserError } from "../failures/userError.ts";
import { prefix, promptLanguage } from "../manifest.ts";
import type { Services } from "../services.ts";
import { asObject } from "../base/json.ts";
import { oneLine } from "../text/lines.ts";
import { quote } from "../text/safeText.ts";
import { askText } from "../ui/askText.ts";
import { cellOf } from "../ui/openDocument.ts";
import { generateImage, recoverImages } from "./generateImage.ts";
import { chooseFolder } from "./imageFolder.ts";
import { imageLink, pathFrom } from "./imageLink.ts";
import { confirmOrder, pickSize, sizeFromSetting } from "./imageOrder.ts";
import type { Images, LastDocument } from "./images.ts";
import { refineImage } from "./refineImage.ts";
import type { ImageRecord } from "./storedImages.ts";

/** The commands for images. Those for one image get it from the view; by default, they use the newest. */
export const imageCommands = {
  generateImage: generateImageCommand,
  openImage: onImage(({ file }) => commands.executeCommand("vscode.open", Uri.parse(file))),
  /** Into the last edited document. */
  insertImageLink: onImage(({ file, prompt }, { images }) =>
    insertLink(images.lastDocument(), Uri.parse(file), prompt),
  ),
  revealImage: onImage(({ file }, { notifier }) => reveal(Uri.parse(file), notifier)),
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
  refineImage: onImage((image, services) => refineImage(services, image)),
  recoverImages,
};

/** A command for one image, given by its URI or the view's menu; by default the newest. */
function onImage(run: (image: ImageRecord, services: Services, argument: unknown) => Thenable<unknown>) {
  return async (services: Services, argument?: unknown): Promise<void> => {
    const file = argument instanceof Uri ? argument.toString() : (asObject(argument)?.image ?? argument);
    const { history } = services.images;
    const image = argument === undefined ? history.all()[0] : history.find(file);
    if (!image) throw new UserError("imageGone");
    await run(image, services, argument);
  };
}

/** Reveals an image in the Explorer or, outside the workspace, in the system's file manager; otherwise shows its path. */
async function reveal(uri: Uri, notifier: Pick<Services["notifier"], "inform">): Promise<void> {
  if (workspace.getWorkspaceFolder(uri)) await commands.executeCommand("revealInExplorer", uri);
  // This command does not exist in a browser, and does nothing for a file on another machine (VS Code 1.139.1).
  else if (env.uiKind === UIKind.Desktop && !env.remoteName) await commands.executeCommand("revealFileInOS", uri);
  else {
    const path = pathOf(uri);
    const copy = { title: l10n.t("Copy Path"), run: () => env.clipboard.writeText(path) };
    void notifier.inform(l10n.t("The image is saved as {0}.", quote(path, 400)), copy);
  }
}

function pathOf(uri: Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.toString(true);
}

/** Inserts a link to an image into the last edited document, in its language's syntax. */
async function insertLink(last: LastDocument | undefined, image: Uri, prompt: string): Promise<void> {
  const { document, viewColumn } = last ?? {};
  if (document === undefined) throw new UserError("noDocument");
  const { uri } = cellOf(document.uri)?.notebook ?? document;
  const subject = workspace.asRelativePath(uri);
  const isBeside = workspace.getWorkspaceFolder(uri) === workspace.getWorkspaceFolder(image);
  if (!isBeside || uri.scheme !== image.scheme) throw new UserError("linkOutside", { subject });
  const link = imageLink(document.languageId, pathFrom(uri.path, image.path), prompt);
  const editor = await window.showTextDocument(document, { ...(viewColumn && { viewColumn }), preview: false });
  const { end } = editor.selection;
  const line = document.lineAt(end.line);
  // In these languages, it is a block, which stands below a paragraph, not in it.
  const isBelow = /^(?:restructuredtext|asciidoc)$/.test(document.languageId) && !line.isEmptyOrWhitespace;
  const [indent = ""] = /^\s*/.exec(line.text) ?? [];
  const text = (isBelow ? `\n\n${link}` : link).replace(/\n(?=.)/g, `\n${indent}`);
  const isInserted = await editor.edit((edit) => {
    edit.insert(isBelow ? line.range.end : end, text);
  });
  if (!isInserted) throw new UserError("documentReadOnly", { subject });
}

/** A prompt, and whether the user typed it into a prompt box or prompt editor. */
interface Prompt {
  readonly text: string;
  readonly isTypedAsPrompt: boolean;
  /** The prompt editor, which is closed once the image is ordered, and the folder for which it was opened. */
  readonly editor?: TextDocument;
  readonly folder?: Uri;
}

/**
 * Generates an image in the workspace. The prompt is the selection if the editor's context menu starts the command, the
 * whole text of a prompt editor, or typed by the user; the Explorer's menu passes the folder. Orders nothing before the
 * user has typed the prompt for this purpose, picked a size or confirmed the order.
 */
async function generateImageCommand(services: Services, argument?: unknown): Promise<void> {
  services.gateway.preconnect();
  const written = writtenPrompt(services.images, argument);
  const folder = (await folderOf(argument)) ?? written?.folder ?? (await chooseFolder(services));
  if (folder === undefined) return;
  const prompt = written ?? (await askPrompt(services.images, folder));
  if (prompt === undefined) return;
  await services.images.lastPrompt.set(prompt.text);
  const setting = services.settings(folder).imageSize;
  const chosen = setting === "ask" ? await pickSize() : { size: sizeFromSetting(setting) };
  if (chosen === undefined) return;
  const order = { prompt: prompt.text, size: chosen.size, folder };
  if (!prompt.isTypedAsPrompt && setting !== "ask" && !(await confirmOrder(order))) return;
  if (prompt.editor) {
    // Its text is stored as the last prompt.
    await window.showTextDocument(prompt.editor);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
  await generateImage(services, order);
}

/** The folder on which the Explorer's menu was opened. */
async function folderOf(argument: unknown): Promise<Uri | undefined> {
  if (!(argument instanceof Uri) || isActive(argument)) return undefined;
  const { type } = await workspace.fs.stat(argument);
  if ((type & FileType.Directory) === 0) return undefined;
  if (workspace.getWorkspaceFolder(argument)) return argument;
  throw new UserError("folderOutside", { subject: argument.fsPath });
}

/**
 * The prompt in the editor that started the command. A workspace can assign the prompt language to any file, so only
 * untitled documents count as prompts, and only those opened here skip the confirmation.
 */
function writtenPrompt({ prompts }: Images, argument: unknown): Prompt | undefined {
  const { document, selection } = window.activeTextEditor ?? {};
  if (document === undefined) return undefined;
  const isSelection = argument instanceof Uri && isActive(argument) && selection?.isEmpty === false;
  const isPrompt = document.languageId === promptLanguage && document.uri.scheme === "untitled";
  if (!isSelection && !isPrompt) return undefined;
  const text = document.getText(isPrompt ? undefined : selection).trim();
  if (text === "") return undefined;
  const folder = isPrompt ? prompts.get(document) : undefined;
  return { text, isTypedAsPrompt: folder !== undefined, ...(folder && { editor: document, folder }) };
}

function isActive(uri: Uri): boolean {
  return window.activeTextEditor?.document.uri.toString() === uri.toString();
}

/** Asks for a prompt, offering the last one. `undefined` if the user cancels, or continues in an editor, for several lines. */
async function askPrompt({ lastPrompt, prompts }: Images, folder: Uri): Promise<Prompt | undefined> {
  const last = lastPrompt.get();
  // Input boxes join lines without a space.
  const value = oneLine(last);
  const answer = await askText({
    title: l10n.t("Generate an image"),
    prompt: l10n.t("Describe the image."),
    value,
    button: { iconPath: new ThemeIcon("edit"), tooltip: l10n.t("Write the Prompt in an Editor") },
    validate: (text) => (text.trim() === "" ? l10n.t("Describe the image in a few words.") : undefined),
  });
  if (answer?.isButton) await writePrompt(prompts, folder, answer.text === value ? last : answer.text);
  return answer && !answer.isButton ? { text: answer.text.trim(), isTypedAsPrompt: true } : undefined;
}

/** Opens a prompt editor, with Generate Image in its title bar. */
async function writePrompt(prompts: Images["prompts"], folder: Uri, content: string): Promise<void> {
  const document = await workspace.openTextDocument({ language: promptLanguage, content });
  prompts.set(document, folder);
  await window.showTextDocument(document);
}

/** Shows in prompt editors which keys generate the image. */
export function registerPromptLens(): Disposable {
  const lens = new CodeLens(new Range(0, 0, 0, 0), {
    title: l10n.t("Generate Image: Ctrl+Enter (Cmd+Enter on macOS)"),
    command: `${prefix}.generateImage`,
  });
  return languages.registerCodeLensProvider(
    { language: promptLanguage, scheme: "untitled" },
    { provideCodeLenses: () => [lens] },
  );
}
