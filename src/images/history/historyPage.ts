import { escapeHtml } from "../../text/html.ts";
import { quote } from "../../text/safeText.ts";
import type { ImageRecord } from "../storedImages.ts";

/** Parameters of the page. All texts are plain. */
export interface PageFrame {
  /** Language tag of the texts, for screen readers. */
  readonly language: string;
  /** The webview's `cspSource`, for images and style sheets. */
  readonly source: string;
  readonly styleSheet: string;
  /** Returns the address of a file inside the webview. */
  readonly addressOf: (file: string) => string;
  readonly factsOf: (image: ImageRecord) => string;
  readonly total: string;
  readonly actions: readonly { readonly command: string; readonly title: string }[];
  /** Proves to commands that they were started from this page. */
  readonly ticket: string;
}

/** The HTML of the view: a list of images without scripts. Links run only the extension's own commands. */
export function historyPage(images: readonly ImageRecord[], frame: PageFrame): string {
  const policy = `default-src 'none'; img-src ${frame.source}; style-src ${frame.source}`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(frame.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <link rel="stylesheet" href="${escapeHtml(frame.styleSheet)}">
  </head>
  <body>
    <p class="total">${escapeHtml(frame.total)}</p>
    <ul>${images.map((image) => item(image, frame)).join("")}</ul>
  </body>
</html>`;
}

function item(image: ImageRecord, { addressOf, factsOf, actions, ticket }: PageFrame): string {
  const { file, prompt, isLarge } = image;
  const [open, ...others] = actions;
  const menu = { webviewSection: "image", image: file, ticket, preventDefaultContextMenuItems: true };
  // Longer titles would fill the screen as a tooltip and take minutes in a screen reader.
  const title = escapeHtml(quote(prompt, 300));
  return `
    <li data-vscode-context="${escapeHtml(JSON.stringify(menu))}">
      <a class="picture" href="${link(open?.command, file, ticket)}" title="${title}">${isLarge ? title : picture(addressOf(file), title)}</a>
      <div>
        <p class="prompt" title="${title}">${title}</p>
        <p class="facts">${escapeHtml(factsOf(image))}</p>
        <p class="actions">${others.map((action) => `<a href="${link(action.command, file, ticket)}" title="${escapeHtml(action.title)}">${escapeHtml(action.title)}</a>`).join(" ")}</p>
      </div>
    </li>`;
}

/** `title` is already escaped. */
function picture(address: string, title: string): string {
  return `<img src="${escapeHtml(address)}" alt="${title}" loading="lazy">`;
}

function link(command: string | undefined, image: string, ticket: string): string {
  return escapeHtml(`command:${command ?? ""}?${encodeURIComponent(JSON.stringify([{ image, ticket }]))}`);
}
