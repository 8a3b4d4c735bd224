import { succeeded, until } from "./until.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Picks from the menu of the lightbulb at the cursor. What is known of a line, for example its errors, may reach extensions
 * after it is drawn, and an open menu stays as it is: where it does not offer this, it is closed and opened again.
 */
export async function pickQuickFix({ page, editor }: Workbench, label: string): Promise<void> {
  const menu = page.locator(".action-widget:visible");
  const row = menu.locator(".monaco-list-row", { hasText: label });
  await until(`the lightbulb to offer "${label}"`, async () => {
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+.");
    const isClicked = await succeeded(row.click({ timeout: 3_000 }));
    if (isClicked && (await succeeded(menu.waitFor({ state: "detached", timeout: 3_000 })))) return true;
    // In the editor itself the key would take the selection away.
    if ((await menu.count()) > 0) await page.keyboard.press("Escape");
    return undefined;
  });
}
