import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Locator } from "playwright-core";
import { until } from "./until.ts";
import type { Workbench } from "./workbench.ts";

/** An everyday task, as CONTRIBUTING.md counts its keys. */
interface Task {
  readonly name: string;
  readonly keys: number;
  /** The keys for the same in VS Code's own chat; `undefined` where there is no way without a mouse. */
  readonly keysInVsCode: number | undefined;
}

/** The ten tasks of CONTRIBUTING.md. */
export const everydayTasks: readonly Task[] = readFileSync(new URL("../../../CONTRIBUTING.md", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line): Task | [] => {
    const [, name, keys, keysInVsCode] = /^\| (\w.*?) +\| +(\d+) +\| +(\d+|–) +\|/.exec(line) ?? [];
    if (name === undefined) return [];
    return { name, keys: Number(keys), keysInVsCode: keysInVsCode === "–" ? undefined : Number(keysInVsCode) };
  });

/** Time between two keys of a quick typist, in milliseconds: what a key means may take the extension host a moment to tell. */
const pause = 120;

/** A hand without a mouse, which counts the keys that it presses. Words that it types are not counted. */
export class Hand {
  readonly #workbench: Workbench;
  #keys = 0;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Presses keys; those of a chord count each, and keys that are held down with them do not. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#keys += 1;
      await setTimeout(pause);
      await this.#workbench.page.keyboard.press(key);
    }
  }

  async type(words: string): Promise<void> {
    await this.#workbench.page.keyboard.insertText(words);
  }

  /** Runs a command that the palette finds first by these words. */
  async run(words: string): Promise<void> {
    const { quickInput } = this.#workbench;
    await this.press("F1");
    await quickInput.insertText(words);
    await until(async () => (await quickInput.view())?.labels[0] === words, `${words} on top of the palette`);
    await this.press("Enter");
  }

  /** Does a task, and checks that it takes as many keys as CONTRIBUTING.md says, and no mouse. */
  async does(name: string, count: "keys" | "keysInVsCode", work: () => Promise<void>): Promise<void> {
    const task = everydayTasks.find((one) => one.name === name);
    assert.ok(task, `CONTRIBUTING.md does not list: ${name}`);
    const { page } = this.#workbench;
    await page.evaluate(`globalThis.clicks ??= (addEventListener("mousedown", () => clicks.push(1), true), [])`);
    await page.evaluate("clicks.length = 0");
    this.#keys = 0;
    await work();
    assert.equal(await page.evaluate("clicks.length"), 0, "A mouse was used.");
    assert.equal(this.#keys, task[count], name);
  }
}

/** Waits until something is in view as a whole and nothing covers it. */
export async function waitUntilInView(what: string, shown: Locator): Promise<void> {
  await until(async () => {
    const found = await shown
      .last()
      .evaluate(isInView, undefined, { timeout: 1_000 })
      .catch(() => false);
    return found;
  }, `${what} in view`);
}

/** An element, and the page around it. */
interface Shown {
  readonly ownerDocument: { elementFromPoint(x: number, y: number): Shown | null };
  contains(other: Shown): boolean;
  getBoundingClientRect(): Readonly<Record<"left" | "right" | "top" | "bottom", number>>;
}

/** Runs in the page. */
function isInView(element: Shown): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => {
    const hit = element.ownerDocument.elementFromPoint((left + right) / 2, y);
    return bottom > top && hit !== null && (element.contains(hit) || hit.contains(element));
  });
}
