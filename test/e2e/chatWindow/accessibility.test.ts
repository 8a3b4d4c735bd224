import assert from "node:assert/strict";
import axe, { type Result } from "axe-core";
import type { Frame } from "playwright-core";
import { attempt, oneAttempt, succeeded } from "../support/attempts.ts";
import { openImagesView, orderImage } from "../support/images.ts";
import { connected, withSession } from "../support/session.ts";
import { inWebview } from "../support/webview.ts";
import type { Workbench } from "../support/workbench.ts";

/** The default themes and those with high contrast, by the class that a webview gets. The default comes last. */
const themes = {
  "vscode-dark": "Dark 2026",
  "vscode-high-contrast": "Dark High Contrast",
  "vscode-high-contrast-light": "Light High Contrast",
  "vscode-light": "Light 2026",
};

/** A page in a webview: what it has, and where in the window it is. */
const pages = [
  ["#panel-today", "editor"],
  ["a.picture", "sideBar"],
] as const;

describe("the usage and the images, in a real VS Code", () => {
  let workbench: Workbench;

  withSession(connected, (session) => ({ workbench } = session));

  it("are accessible: contrast in every theme, keyboard, screen reader, and nothing moves", async () => {
    await orderImage(workbench, "a painted door");
    await workbench.notifications.waitFor(/a-painted-door\.png/);
    await openImagesView(workbench);
    await workbench.runCommand("Codex Gateway: Show Usage");
    // A page takes the keyboard when it opens, which closes the palette.
    for (const [selector] of pages) await inWebview(workbench.page, selector);
    for (const [name, theme] of Object.entries(themes)) {
      await chooseTheme(workbench, theme);
      for (const [selector, place] of pages) {
        const found = await inWebview(workbench.page, `body.${name} ${selector}`);
        const frame = await (await found.first().elementHandle()).ownerFrame();
        assert.ok(frame);
        assert.deepEqual(await violations(frame, place), [], theme);
        // The browser of the tests is set to reduce motion.
        assert.deepEqual(await frame.evaluate(moving), [], theme);
        await assertKeyboard(workbench, frame);
      }
    }
  });
});

/** As a person does: VS Code does not notice each change of its settings on disk. */
async function chooseTheme(workbench: Workbench, theme: string): Promise<void> {
  await attempt(
    workbench.page,
    async () => {
      await workbench.runCommand("Preferences: Color Theme");
      await workbench.quickInput.waitFor("Select Color Theme (detect system color mode disabled)");
      await workbench.quickInput.type(theme);
      return succeeded(workbench.quickInput.row(theme).click({ timeout: oneAttempt }));
    },
    `the theme ${theme}`,
  );
}

async function violations(frame: Frame, place: string): Promise<readonly string[]> {
  // A webview is transparent, and axe-core does not see the background behind it.
  await frame.evaluate(`document.documentElement.style.background = "var(--vscode-${place}-background)"`);
  // Evaluated as a debugger does, which the page's Content Security Policy does not concern.
  await frame.evaluate(axe.source);
  // A page that may run no scripts has no timers either.
  await frame.evaluate("globalThis.setTimeout = (run) => void run()");
  const found = await frame.evaluate<readonly Result[]>("axe.run().then(({ violations }) => violations)");
  return found.map(({ help, nodes }) =>
    [help, ...nodes.map((node) => `${node.html} ${node.failureSummary}`)].join("\n"),
  );
}

/** Presses Tab from the heading on until it has been everywhere, and compares with what shows a hand to the mouse. */
async function assertKeyboard({ page }: Workbench, frame: Frame): Promise<void> {
  const clickable = await frame.evaluate(clickables);
  assert.ok(clickable.length > 0);
  await frame.locator("h1").click();
  const reached = new Set<string>();
  for (;;) {
    await page.keyboard.press("Tab");
    const { element, hasOutline } = await frame.evaluate(focused);
    if (element === "" || reached.has(element)) break;
    assert.ok(hasOutline, element);
    reached.add(element);
  }
  const unreached = clickable.filter((one) => !reached.has(one));
  assert.deepEqual(unreached, []);
}

/** The little that the functions below, which run in the page, need of it; the project is typed without the DOM. */
interface Globals {
  readonly document: { readonly activeElement: Element; querySelectorAll(selector: string): Iterable<Element> };
  readonly getComputedStyle: (element: Element) => Readonly<Record<string, string>>;
}

interface Element {
  readonly outerHTML: string;
  readonly parentElement: Element;
  checkVisibility(): boolean;
  matches(selector: string): boolean;
}

/** All but the tabs that are not chosen, which the arrow keys choose. */
function clickables(): readonly string[] {
  const { document, getComputedStyle } = globalThis as unknown as Globals;
  const hasHand = (element: Element): boolean => getComputedStyle(element).cursor === "pointer";
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && hasHand(element) && !hasHand(element.parentElement))
    .filter((element) => !element.matches("[role=tab][aria-selected=false]"))
    .map(({ outerHTML }) => outerHTML);
}

function focused(): { readonly element: string; readonly hasOutline: boolean } {
  const { document, getComputedStyle } = globalThis as unknown as Globals;
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  const element = document.activeElement.matches("body") ? "" : document.activeElement.outerHTML;
  return { element, hasOutline: outlineStyle !== "none" && outlineWidth !== "0px" };
}

function moving(): readonly string[] {
  const { document, getComputedStyle } = globalThis as unknown as Globals;
  return [...document.querySelectorAll("*")]
    .filter((element) => {
      const { animationName, scrollBehavior, transitionDuration } = getComputedStyle(element);
      return animationName !== "none" || scrollBehavior === "smooth" || transitionDuration !== "0s";
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 200));
}
