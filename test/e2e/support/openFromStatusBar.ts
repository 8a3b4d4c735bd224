import { showBy } from "./attempts.ts";
import type { Workbench } from "./workbench.ts";

/** Clicks the item of the status bar with this text, until the box at the top of the window opens. */
export async function openFromStatusBar(workbench: Workbench, text: string): Promise<void> {
  const box = workbench.page.locator(".quick-input-widget:visible");
  await showBy(box, () => workbench.statusBarItem(text).click({ timeout: 5_000 }));
}
