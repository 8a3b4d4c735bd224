import { Disposable, FileType, l10n, Uri, type WebviewView, workspace } from "vscode";
import { textLanguage } from "../../failures/sentences.ts";
import { imageActions } from "../generateImage.ts";
import { typeOf } from "../imageFolder.ts";
import type { Images } from "../images.ts";
import type { ImageRecord } from "../storedImages.ts";
import { historyPage } from "./historyPage.ts";
import type { ImageHistory } from "./imageHistory.ts";

/** A record can point to any file after a rename; the page may read only image files. */
const imageFile = /[^/]\.(?:png|jpe?g|webp)$/i;

/** Milliseconds for which deletions are collected: a build or a checkout deletes thousands of files. */
const pruneDelay = 500;

/** Shows the history in the view and updates it until the view is disposed. `extension` is the extension's folder. */
export function showHistory(
  view: WebviewView,
  { history, ticket }: Pick<Images, "history" | "ticket">,
  extension: Uri,
): void {
  const media = Uri.joinPath(extension, "media");
  const actions = imageActions();
  let shown: readonly string[] = [];
  const render = (): void => {
    const images = history.all();
    // A file system may report a name in another case than the one under which the image was saved.
    shown = images.map(({ file }) => `${file.toLowerCase()}/`);
    const files = images.map(({ file }) => Uri.parse(file)).filter(({ path }) => imageFile.test(path));
    const folders = files.map((file) => Uri.joinPath(file, "..")).filter(({ path }) => path !== "/");
    view.webview.options = {
      enableCommandUris: actions.map(({ command }) => command),
      localResourceRoots: [media, ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri), ...folders],
    };
    view.webview.html = historyPage(images, {
      language: textLanguage(),
      source: view.webview.cspSource,
      styleSheet: view.webview.asWebviewUri(Uri.joinPath(media, "images.css")).toString(),
      addressOf: (file) => view.webview.asWebviewUri(Uri.parse(file)).toString(),
      factsOf,
      heading: totalOf(images),
      actions,
      ticket,
    });
  };
  let timer: NodeJS.Timeout | undefined;
  const prune = (): void => {
    timer = undefined;
    void removeMissing(history);
  };
  const watcher = workspace.createFileSystemWatcher("**/*", true, true);
  const listeners = Disposable.from(
    watcher,
    watcher.onDidDelete((uri) => {
      const deleted = `${uri.toString().toLowerCase()}/`;
      if (timer === undefined && shown.some((file) => file.startsWith(deleted))) timer = setTimeout(prune, pruneDelay);
    }),
    history.onDidChange(render),
    view.onDidChangeVisibility(prune),
  );
  view.onDidDispose(() => {
    clearTimeout(timer);
    listeners.dispose();
  });
  render();
  prune();
}

function factsOf({ size, usage, savedAt }: ImageRecord): string {
  const time = new Intl.DateTimeFormat(textLanguage(), { dateStyle: "short", timeStyle: "short" }).format(savedAt);
  return [size ?? l10n.t("size chosen by the gateway"), ...(usage ? [tokens(usage.totalTokens)] : []), time].join(
    " · ",
  );
}

function totalOf(images: readonly ImageRecord[]): string {
  const total = images.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0);
  const count = images.length === 1 ? l10n.t("1 image") : l10n.t("{0} images", images.length);
  return `${count} · ${tokens(total)}`;
}

function tokens(count: number): string {
  return l10n.t("{0} tokens", count.toLocaleString(textLanguage()));
}

/** Removes deleted images from the history. */
async function removeMissing(history: ImageHistory): Promise<void> {
  const files = history.all().map(({ file }) => file);
  // Other failures, such as a lost remote connection, do not mean that the file is gone.
  const types = await Promise.all(files.map((file) => typeOf(Uri.parse(file)).catch(() => FileType.Unknown)));
  await history.remove(new Set(files.filter((_, index) => types[index] === undefined)));
}
