import type { Locator, Page } from "playwright-core";
import { exactly, readable } from "./text.ts";
import { closeByEscape, showBy } from "./attempts.ts";

/** The dialog in the middle of the window that must be answered. */
export class Dialog {
  readonly #page: Page;
  readonly #box: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#box = page.locator(".monaco-dialog-box");
  }

  /** Waits for a dialog and reads its message and detail. */
  async text(): Promise<string> {
    return readable(await this.#box.locator(".dialog-message-container").innerText());
  }

  /** The labels of its buttons. */
  async buttons(): Promise<string[]> {
    return (await this.#button().allInnerTexts()).map(readable);
  }

  /** Waits for a dialog and clicks one of its buttons. Another dialog may follow at once. */
  async click(button: string): Promise<void> {
    const named = this.#button().filter({ hasText: exactly(button) });
    await named.waitFor();
    const target = await named.elementHandle();
    await target.click();
    await target.waitForElementState("hidden");
  }

  /** Closes the dialog, if there is one, without an answer. */
  async cancel(): Promise<void> {
    await closeByEscape(this.#page, this.#box);
  }

  /** Waits for a dialog and answers it with Enter, which takes the button that has the keyboard from the start. */
  async accept(): Promise<void> {
    await this.#box.locator(":focus").waitFor();
    await this.#page.keyboard.press("Enter");
    await this.#box.waitFor({ state: "detached" });
  }

  /** Does what brings a dialog up, again where it does not, and reads its message and detail. */
  async textAfter(attempt: () => Promise<unknown>): Promise<string> {
    await showBy(this.#box, async () => ((await this.#box.count()) > 0 ? undefined : attempt()));
    return this.text();
  }

  #button(): Locator {
    return this.#box.locator(".dialog-buttons a.monaco-button");
  }
}
