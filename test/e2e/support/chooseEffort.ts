import type { Page } from "playwright-core";
import { showBy } from "./attempts.ts";
import { exactly } from "./text.ts";

/** Picks a reasoning effort beside the model below the chat's input, and waits until it is the one. */
export async function chooseEffort(page: Page, name: string): Promise<void> {
  const button = page.locator(".part.auxiliarybar .interactive-session a.model-picker-config");
  const pick = async (): Promise<void> => {
    await button.click({ timeout: 5_000 });
    const row = page.locator(".action-widget .monaco-list-row .title", { hasText: exactly(name) });
    await row.click({ timeout: 2_000 });
  };
  const close = (): Promise<void> => page.keyboard.press("Escape");
  await showBy(button.filter({ hasText: exactly(name) }), pick, close);
  await close();
}
