import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";

/** How long a person would wait for VS Code before giving up, in milliseconds. */
export const patience = 30_000;

/** Asks again and again until the probe gives something other than `undefined`; fails with what it was waiting for. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeout = patience,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Waited ${timeout / 1000} s in vain for ${what}.`);
    await pause(50);
  }
}

/** `true` once this has succeeded, `undefined` where it fails: for attempts that `until` makes again. */
export async function succeeded(attempt: Promise<unknown>): Promise<true | undefined> {
  return attempt.then(
    () => true,
    () => undefined,
  );
}

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

/**
 * Picks from the menu of actions that opens, by keyboard: VS Code 1.133 loses a click on its rows. `undefined` where the
 * menu does not offer this, or does not close.
 */
export async function pickFromMenu(page: Page, title: string | RegExp): Promise<true | undefined> {
  const menu = page.locator(".action-widget:visible");
  const rows = menu.locator(".monaco-list-row");
  const offered = rows.filter({ has: page.locator(".title", { hasText: title }) });
  const focused = offered.and(page.locator(".focused"));
  if (!(await succeeded(offered.first().waitFor({ timeout: oneAttempt })))) return undefined;
  for (let left = await rows.count(); left > 0 && (await focused.count()) === 0; left -= 1)
    await page.keyboard.press("ArrowDown");
  if ((await focused.count()) === 0) return undefined;
  await page.keyboard.press("Enter");
  return succeeded(menu.waitFor({ state: "detached", timeout: oneAttempt }));
}
