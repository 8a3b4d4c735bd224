import type { Locator, Page } from "playwright-core";
import { succeeded, until } from "./until.ts";

/** How long one attempt gets before it counts as lost, in milliseconds. */
const oneAttempt = 3_000;

/**
 * Does what shows something, and does it again where it does not show: a busy window loses keys, and an element that is
 * drawn anew loses the mouse. Only for attempts that do no harm the second time; `undo` takes a lost one back.
 */
export async function showBy(
  target: Locator,
  attempt: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
): Promise<void> {
  await until(`${String(target)} to show`, async () => {
    if ((await succeeded(attempt())) && (await succeeded(target.first().waitFor({ timeout: oneAttempt })))) return true;
    await undo?.();
    return undefined;
  });
}

/** Presses Escape until this is closed. */
export async function closeByEscape(page: Page, target: Locator): Promise<void> {
  await until(`Escape to close ${String(target)}`, async () => {
    // Some of what closes stays on the page, hidden.
    const shown = target.filter({ visible: true });
    if ((await shown.count()) === 0) return true;
    await page.keyboard.press("Escape");
    return succeeded(shown.first().waitFor({ state: "detached", timeout: oneAttempt }));
  });
}

/** Clicks a button that shows only while the mouse is over what surrounds it. */
export async function clickUnderMouse(surroundings: Locator, button: Locator): Promise<void> {
  await until(`a click on ${String(button)}`, async () => {
    await succeeded(surroundings.hover({ timeout: oneAttempt }));
    return succeeded(button.click({ timeout: oneAttempt }));
  });
}
