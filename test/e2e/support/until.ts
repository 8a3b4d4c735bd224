import { setTimeout as pause } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { matches, type TextPattern } from "./text.ts";

/** How long a person would wait for VS Code before giving up, in milliseconds. */
export const patience = 45_000;

/** Asks again and again until the probe gives something else than `undefined` or `false`; fails with what it waited for. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeout = patience,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${timeout / 1000} s in vain for ${what}.`);
    await pause(50);
  }
}

/** Waits until a text is the one looked for, and returns it; fails with what it was instead. */
export async function untilText(
  what: string,
  read: () => Promise<string>,
  wanted: TextPattern,
  timeout?: number,
): Promise<string> {
  let text = "";
  const probe = async (): Promise<string | false> => {
    text = await read();
    return matches(text, wanted) && text;
  };
  return until(`${what} to say ${String(wanted)}`, probe, timeout).catch((cause: unknown) => {
    throw new Error(`${String(cause)} It says: ${text}`, { cause });
  });
}

/** Whether this succeeds: for attempts that `until` makes again. */
export async function succeeded(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

/** How long one attempt gets before it counts as lost, in milliseconds. */
const oneAttempt = 5_000;

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
 * Picks from the menu of actions that opens, by keyboard: VS Code 1.133 loses a click on its rows. Tells whether the
 * menu offers this, and closes.
 */
export async function pickFromMenu(page: Page, title: string | RegExp): Promise<boolean> {
  const menu = page.locator(".action-widget:visible");
  const rows = menu.locator(".monaco-list-row");
  const offered = rows.filter({ has: page.locator(".title", { hasText: title }) });
  const focused = offered.and(page.locator(".focused"));
  if (!(await succeeded(offered.first().waitFor({ timeout: oneAttempt })))) return false;
  for (let left = await rows.count(); left > 0 && (await focused.count()) === 0; left -= 1)
    await page.keyboard.press("ArrowDown");
  if ((await focused.count()) === 0) return false;
  await page.keyboard.press("Enter");
  return succeeded(menu.waitFor({ state: "detached", timeout: oneAttempt }));
}
