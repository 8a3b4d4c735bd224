import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { outputFolder } from "../../../scripts/paths.ts";
import { noteSecondAttempt as note } from "../../support/stages/secondAttempts.ts";
import { until } from "./until.ts";

/** The title of the test that runs. */
export const running = { test: "" };

/** The part of a file's name for a title. */
export function slug(title: string): string {
  return title.replace(/\W+/g, "-").slice(0, 120);
}

/** Takes a picture of a window for `.vscode-test/screenshots`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = join(outputFolder, "screenshots");
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Whether this succeeds. */
export async function succeeded(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

/**
 * Does something that a busy window may lose, such as a key, until it has worked. A second attempt is named in the summary
 * of the run, and leaves a picture.
 */
export async function attempt(
  page: Page,
  hasWorked: () => Promise<boolean>,
  what: string,
  timeout?: number,
): Promise<void> {
  let attempts = 0;
  const probe = async (): Promise<boolean> => {
    attempts += 1;
    if (attempts === 2) await noteSecondAttempt(page, what);
    return hasWorked();
  };
  await until(probe, what, timeout);
}

/** Notes for the summary of the run what a test does a second time. */
export async function noteSecondAttempt(page: Page, what: string): Promise<void> {
  note(`${running.test}: ${what}`);
  await succeeded(takePicture(page, `again-${slug(`${what} ${running.test}`)}`));
}

/** How long one attempt gets before it counts as lost, in milliseconds. A key may take 5 s in a busy window. */
export const oneAttempt = 10_000;

/** Does what shows something, again if it does not show. `undo` takes a lost attempt back. */
export async function showBy(
  target: Locator,
  show: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
): Promise<void> {
  await attempt(
    target.page(),
    async () => {
      if ((await succeeded(show())) && (await succeeded(target.first().waitFor({ timeout: oneAttempt })))) return true;
      await undo?.();
      return false;
    },
    `${String(target)} to show`,
  );
}

/** Presses Escape until this is closed. */
export async function closeByEscape(
  page: Page,
  target: Locator,
  press: () => Promise<unknown> = () => page.keyboard.press("Escape"),
): Promise<void> {
  // Some of what closes stays on the page, hidden.
  const shown = target.filter({ visible: true });
  if ((await shown.count()) === 0) return;
  await attempt(
    page,
    async () => {
      await press();
      return succeeded(until(async () => (await shown.count()) === 0, "it to close", oneAttempt));
    },
    `Escape to close ${String(target)}`,
  );
}

/**
 * Picks from the menu of actions that opens, by keyboard: VS Code 1.133 loses a click on its rows. Returns whether the
 * menu offers this and closes.
 */
export async function pickFromMenu(page: Page, title: string | RegExp): Promise<boolean> {
  const menu = page.locator(".action-widget:visible");
  const rows = menu.locator(".monaco-list-row");
  const offered = rows.filter({ has: page.locator(".title", { hasText: title }) });
  const focused = offered.and(page.locator(".focused"));
  if (!(await succeeded(offered.first().waitFor({ timeout: oneAttempt })))) return false;
  for (let rest = await rows.count(); rest > 0 && (await focused.count()) === 0; rest -= 1)
    await page.keyboard.press("ArrowDown");
  if ((await focused.count()) === 0) return false;
  await page.keyboard.press("Enter");
  return succeeded(menu.waitFor({ state: "detached", timeout: oneAttempt }));
}
