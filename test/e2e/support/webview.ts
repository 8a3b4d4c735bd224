import type { Locator, Page } from "playwright-core";
import { attempt, succeeded } from "./attempts.ts";
import { until } from "./until.ts";

/** Waits for a webview, of a view or an editor, that has this element, and returns the element. */
export async function inWebview(page: Page, selector: string): Promise<Locator> {
  return until(async () => {
    for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
      const found = frame.locator(selector);
      // A frame may be removed meanwhile.
      if ((await found.count().catch(() => 0)) > 0) return found;
    }
    return undefined;
  }, `a webview with ${selector}`);
}

/** Reads something in a webview, again if the webview is just loading new content. */
export async function readInWebview<T>(page: Page, selector: string, read: (found: Locator) => Promise<T>): Promise<T> {
  const value = await until(async () => {
    const found = await inWebview(page, selector);
    return read(found).then(
      (value) => ({ value }),
      () => undefined,
    );
  }, `what ${selector} has in a webview`);
  return value.value;
}

/** Clicks the first match in a webview, again if the webview is just loading new content. */
export async function clickInWebview(page: Page, selector: string, button?: "left" | "right"): Promise<void> {
  await attempt(
    page,
    async () => {
      const found = (await inWebview(page, selector)).first();
      return succeeded(found.click({ ...(button && { button }), timeout: 5_000 }));
    },
    `a click on ${selector}`,
  );
}

/** Waits until the image is drawn, and returns the width of its file. */
export async function drawnWidth(image: Locator): Promise<number> {
  return until(async () => {
    const width = await image.evaluate((element: { readonly naturalWidth: number }) => element.naturalWidth);
    return width > 0 ? width : undefined;
  }, "an image to be drawn");
}
