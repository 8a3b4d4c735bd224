import type { Locator, Page } from "playwright-core";
import { exactly, readable } from "./text.ts";

/** The dialog in the middle of the window that must be answered. */
export class Dialog {
  readonly #box: Locator;

  constructor(page: Page) {
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

  /** Waits for a dialog and clicks one of its buttons. */
  async click(button: string): Promise<void> {
    await this.#button()
      .filter({ hasText: exactly(button) })
      .click();
    await this.#box.waitFor({ state: "detached" });
  }

  /** Closes the dialog, if there is one, without an answer. */
  async cancel(): Promise<void> {
    if ((await this.#box.count()) === 0) return;
    await this.#box.press("Escape");
    await this.#box.waitFor({ state: "detached" });
  }

  #button(): Locator {
    return this.#box.locator(".dialog-buttons a.monaco-button");
  }
}
