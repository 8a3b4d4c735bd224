import { commands, Disposable, type WebviewView, window, workspace } from "vscode";
import { imagesViewId, prefix } from "../../manifest.ts";
import type { ImageHistory } from "./imageHistory.ts";

/**
 * Registers the view "Codex Images", which `show` fills. Visible once there is an image. This file loads at activation,
 * `showHistory.ts` does not.
 */
export function registerHistoryView(history: ImageHistory, show: (view: WebviewView) => Promise<void>): Disposable {
  const showOrHide = (): void => {
    void commands.executeCommand("setContext", `${prefix}.hasImages`, history.all().length > 0);
  };
  if (history.all().length > 0) showOrHide();
  return Disposable.from(
    history.onDidChange(showOrHide),
    workspace.onDidRenameFiles(({ files }) =>
      history.move(files.map(({ oldUri, newUri }) => [oldUri.toString(), newUri.toString()])),
    ),
    window.registerWebviewViewProvider(imagesViewId, { resolveWebviewView: show }),
  );
}
