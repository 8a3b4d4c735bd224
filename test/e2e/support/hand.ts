import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { Locator } from "playwright-core";
import { until } from "./until.ts";
import type { Workbench } from "./workbench.ts";

/** Time between two keys of a fast typist, in milliseconds. The extension host sets what some keys do a moment late. */
const pause = 120;

/** A user without a mouse, whose keys are counted. */
export class Hand {
  readonly #workbench: Workbench;
  #keys = 0;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Presses a key. Modifiers that are held down with it do not count. */
  async press(key: string): Promise<void> {
    this.#keys += 1;
    await setTimeout(pause);
    await this.#workbench.page.keyboard.press(key);
  }

  /** Types a text, which does not count. */
  async type(text: string): Promise<void> {
    await this.#workbench.page.keyboard.insertText(text);
  }

  /** Checks that a task needs this many keys and no mouse. */
  async needs(keys: number, task: () => Promise<void>): Promise<void> {
    const { page } = this.#workbench;
    await page.evaluate(`globalThis.clicks ??= (addEventListener("mousedown", () => clicks.push(1), true), [])`);
    await page.evaluate("clicks.length = 0");
    this.#keys = 0;
    await task();
    assert.equal(await page.evaluate("clicks.length"), 0, "A mouse was used.");
    assert.equal(this.#keys, keys);
  }
}

/** Waits until something is in view as a whole and nothing covers it. */
export async function waitUntilInView(what: string, shown: Locator): Promise<void> {
  await until(
    () =>
      shown
        .last()
        .evaluate(isInView, undefined, { timeout: 1_000 })
        .catch(() => false),
    `${what} in view`,
  );
}

/** An element, and the page around it. */
interface Shown {
  readonly ownerDocument: { elementsFromPoint(x: number, y: number): readonly Shown[] };
  matches(selectors: string): boolean;
  contains(other: Shown): boolean;
  getBoundingClientRect(): Readonly<Record<"left" | "right" | "top" | "bottom", number>>;
}

/** Runs in the page. An action widget of VS Code 1.133 is below a transparent element, which only takes clicks. */
function isInView(element: Shown): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => {
    const there = element.ownerDocument.elementsFromPoint((left + right) / 2, y);
    const hit = there.find((other) => !other.matches(".context-view-pointerBlock"));
    return bottom > top && hit !== undefined && (element.contains(hit) || hit.contains(element));
  });
}
