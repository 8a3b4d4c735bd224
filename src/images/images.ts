import {
  Disposable,
  type ExtensionContext,
  l10n,
  type TextDocument,
  type TextEditor,
  Uri,
  type WebviewView,
  window,
  workspace,
} from "vscode";
import { runOwn } from "../failures/actions.ts";
import type { Notifier } from "../failures/notifier.ts";
import { imagesViewId, promptLanguage } from "../manifest.ts";
import { asText } from "../base/json.ts";
import { OneAtATime } from "../base/oneAtATime.ts";
import { ContextKeys } from "../ui/contextKeys.ts";
import { ImageHistory } from "./history/imageHistory.ts";
import type { PendingImages } from "./pendingImages.ts";
import type { PendingImage } from "./storedImages.ts";

/** The input of the image tool, as declared in package.json. */
export interface ImageInput {
  readonly prompt: string;
  readonly size?: string;
}

/** State shared by the image features. */
export interface Images {
  readonly pending: PendingImages;
  readonly history: ImageHistory;
  /** The last prompt of this workspace, offered as a default. */
  readonly lastPrompt: { readonly get: () => string; readonly set: (prompt: string | undefined) => Thenable<void> };
  readonly lastDocument: () => LastDocument | undefined;
  /** Names files one at a time, so that two never get the same name. */
  readonly naming: OneAtATime;
  /** The prompt editors that the user opened in this window, with the folders of their images. */
  readonly prompts: WeakMap<TextDocument, Uri>;
  /** Token that identifies clicks in the extension's own view and notifications, which need no confirmation. */
  readonly ticket: string;
}

/** Creates the state available from activation on. Reads no file. */
export function createImages({
  workspaceState,
  subscriptions,
}: Pick<ExtensionContext, "workspaceState" | "subscriptions">): Omit<Images, "pending"> {
  const history = new ImageHistory(workspaceState);
  subscriptions.push(history);
  return {
    history,
    lastPrompt: {
      get: () => asText(workspaceState.get<unknown>("lastImagePrompt")) ?? "",
      set: (prompt) => workspaceState.update("lastImagePrompt", prompt),
    },
    lastDocument: trackLastDocument(subscriptions),
    naming: new OneAtATime(),
    prompts: new WeakMap(),
    ticket: crypto.randomUUID(),
  };
}

/** A text document and the column of its editor. */
export type LastDocument = Pick<TextEditor, "document" | "viewColumn">;

/** Tracks the last edited document, because an open image leaves no active text editor. Returns it unless it is closed. */
function trackLastDocument(subscriptions: ExtensionContext["subscriptions"]): () => LastDocument | undefined {
  let last: LastDocument | undefined;
  const remember = (editor: TextEditor | undefined): void => {
    if (!editor || editor.document.uri.scheme === "output" || editor.document.languageId === promptLanguage) return;
    last = { document: editor.document, viewColumn: editor.viewColumn };
  };
  remember(window.activeTextEditor);
  subscriptions.push(window.onDidChangeActiveTextEditor(remember));
  return () => (last?.document.isClosed ? undefined : last);
}

/** Registers the view "Codex Images", which `show` fills. Visible once there is an image. */
export function registerHistoryView(history: ImageHistory, show: (view: WebviewView) => Promise<void>): Disposable {
  const keys = new ContextKeys();
  const showOrHide = (): void => {
    keys.set("hasImages", history.all().length > 0);
  };
  showOrHide();
  return Disposable.from(
    history.onDidChange(showOrHide),
    workspace.onDidRenameFiles(({ files }) =>
      history.move(files.map(({ oldUri, newUri }) => [oldUri.toString(), newUri.toString()])),
    ),
    window.registerWebviewViewProvider(imagesViewId, { resolveWebviewView: show }),
  );
}

/** Offers to recover images that no window is saving, such as those of a closed window. Downloads nothing. */
export async function offerRecovery(pending: PendingImages, notifier: Pick<Notifier, "inform">): Promise<void> {
  await pending.tidy().catch(() => undefined);
  const isOfAnother = (image: PendingImage): boolean =>
    !isOfWorkspace(image) && Boolean(workspace.workspaceFolders?.length);
  const { length } = (await pending.available()).filter((image) => image.isExpired !== true && !isOfAnother(image));
  if (length === 0) return;
  const text =
    length === 1
      ? l10n.t("An image was generated and paid for, but not saved.")
      : l10n.t("{0} images were generated and paid for, but not saved.", length);
  await notifier.inform(text, { title: l10n.t("Recover Images"), run: () => runOwn("recoverImages") });
}

/** Whether an image belongs to this workspace; in a window without one, whether it belongs to none. */
export function isOfWorkspace({ folder, root }: PendingImage): boolean {
  if (workspace.workspaceFolders?.length) return workspace.getWorkspaceFolder(Uri.parse(folder)) !== undefined;
  return root === undefined || root === folder;
}
