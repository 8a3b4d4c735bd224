import { html, type Html } from "../../text/html.ts";
import { quote } from "../../text/safeText.ts";
import type { ImageRecord } from "../storedImages.ts";

/** Parameters of the page. */
export interface PageFrame {
  /** Language tag of the texts, for screen readers. */
  readonly language: string;
  /** The webview's `cspSource`, for images and style sheets. */
  readonly source: string;
  readonly styleSheet: string;
  /** Returns the address of a file inside the webview. */
  readonly addressOf: (file: string) => string;
  readonly factsOf: (image: ImageRecord) => string;
  readonly heading: string;
  readonly actions: readonly { readonly command: string; readonly title: string }[];
  /** Token by which commands recognize that this page started them. */
  readonly ticket: string;
}

/** The HTML of the view: a list of images without scripts. Links run only the extension's own commands. */
export function historyPage(images: readonly ImageRecord[], frame: PageFrame): string {
  const policy = `default-src 'none'; img-src ${frame.source}; style-src ${frame.source}`;
  return html`<!DOCTYPE html>
    <html lang="${frame.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <title>${frame.heading}</title>
        <link rel="stylesheet" href="${frame.styleSheet}" />
      </head>
      <body>
        <main>
          <h1>${frame.heading}</h1>
          <ul>
            ${images.map((image, index) => item(image, `prompt-${index}`, frame))}
          </ul>
        </main>
      </body>
    </html>`.text;
}

/** `id`: the id of the prompt's element, by which screen readers distinguish the links of different images. */
function item({ file, prompt, isLarge, ...image }: ImageRecord, id: string, frame: PageFrame): Html {
  const { addressOf, factsOf, actions, ticket } = frame;
  const [open, ...others] = actions;
  const link = (command = ""): string =>
    `command:${command}?${encodeURIComponent(JSON.stringify([{ image: file, ticket }]))}`;
  const menu = { webviewSection: "image", image: file, ticket, preventDefaultContextMenuItems: true };
  // Longer titles would fill the screen as a tooltip and take minutes in a screen reader.
  const title = quote(prompt, 300);
  return html`<li data-vscode-context="${JSON.stringify(menu)}">
    <a class="picture" href="${link(open?.command)}" title="${title}"
      >${isLarge ? title : html`<img src="${addressOf(file)}" alt="${title}" loading="lazy" />`}</a
    >
    <div>
      <p class="prompt" id="${id}" title="${title}">${title}</p>
      <p class="facts">${factsOf({ file, prompt, ...image })}</p>
      <p class="actions">
        ${others.map(({ command, title }) => html`<a href="${link(command)}" aria-describedby="${id}">${title}</a> `)}
      </p>
    </div>
  </li>`;
}
