import type { Page } from "playwright-core";
import { readable } from "./text.ts";
import { until } from "./until.ts";

/** The text that is suggested at the cursor of the editor in front. */
async function ghostText(page: Page): Promise<string> {
  // Inline, the part that the editor's own list has selected is marked apart; further lines stand below.
  const editor = page.locator(".editor-group-container.active .editor-instance");
  const inline = await editor.locator('[class*="ghost-text-decoration"]').allTextContents();
  const below = await editor.locator(".suggest-preview-text .view-line").allTextContents();
  return readable([inline.join(""), ...below].join("\n"));
}

/** Waits until this is suggested. */
export async function waitForGhostText(page: Page, pattern: RegExp, timeout = 15_000): Promise<string> {
  return until(
    `a suggestion with ${String(pattern)}`,
    async () => {
      const text = await ghostText(page);
      return pattern.test(text) ? text : undefined;
    },
    timeout,
  );
}

/** Waits until nothing is suggested. */
export async function waitForNoGhostText(page: Page): Promise<void> {
  await until("the suggestion to go", async () => ((await ghostText(page)) === "" ? true : undefined));
}
