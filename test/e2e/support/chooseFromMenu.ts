import type { Locator, Page } from "playwright-core";
import { showBy } from "./attempts.ts";
import { exactly } from "./text.ts";
import { succeeded, until } from "./until.ts";

/** Opens a context menu, waits until it offers this, and gives the item. */
export async function openMenu(page: Page, label: string, open: () => Promise<unknown>): Promise<Locator> {
  const item = page.locator(".context-view .action-label").filter({ hasText: exactly(label) });
  const close = (): Promise<void> => page.keyboard.press("Escape");
  await showBy(item, open, close);
  return item;
}

/** Opens a context menu and picks from it. A menu takes no click in the moment it opens. */
export async function chooseFromMenu(page: Page, label: string, open: () => Promise<unknown>): Promise<void> {
  const item = await openMenu(page, label, open);
  await until(`the menu to take a click on ${label}`, async () => {
    await succeeded(item.click({ timeout: 1_000 }));
    return (await item.count()) === 0 || undefined;
  });
}
