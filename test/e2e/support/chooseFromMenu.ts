import type { Page } from "playwright-core";
import { exactly } from "./text.ts";
import { until } from "./until.ts";

/** Picks from the open context menu, which takes no click in the moment it opens. */
export async function chooseFromMenu(page: Page, label: string): Promise<void> {
  const item = page.locator(".context-view .action-label").filter({ hasText: exactly(label) });
  await item.waitFor();
  await until(`the menu to take a click on ${label}`, async () => {
    await item.click({ timeout: 1_000 }).catch(() => undefined);
    return (await item.count()) === 0 || undefined;
  });
}
