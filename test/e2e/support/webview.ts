import type { Locator, Page } from "playwright-core";
import { attempt, succeeded } from "./attempts.ts";
import { until } from "./until.ts";

/** Waits for the webview, of a view or an editor, that holds this, and returns it. */
export async function inWebview(page: Page, selector: string): Promise<Locator> {
  return until(async () => {
    for (const frame of page.frames().filter((one) => one !== page.mainFrame())) {
      const found = frame.locator(selector);
      // A frame may go while it is asked.
      if ((await found.count().catch(() => 0)) > 0) return found;
    }
    return undefined;
  }, `a webview with ${selector}`);
}

/** Reads something of this in a webview, again where the webview was just being filled anew. */
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

/** Clicks the first of these in a webview, again where the webview was just being filled anew. */
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

/** Waits until the image is drawn, and says how wide the file is. */
export async function drawnWidth(image: Locator): Promise<number> {
  return until(async () => {
    const width = await image.evaluate((element: { readonly naturalWidth: number }) => element.naturalWidth);
    return width > 0 ? width : undefined;
  }, "an image to be drawn");
}
