import type { Locator, Page } from "playwright-core";
import { readable, textsOf, withoutSpaces } from "./text.ts";
import { attempt, oneAttempt, succeeded } from "./attempts.ts";
import { patience, until, untilText } from "./until.ts";

/** The inline chat in the editor in front, driven by keyboard. */
export class InlineChat {
  readonly #page: Page;
  readonly #threads: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#threads = page.locator(".editor-group-container.active .review-widget:visible");
  }

  /** Opens a thread at the cursor, or the input of the one that is open there, and waits for the input. */
  async open(): Promise<void> {
    // An editor that is still opening may take the focus. The keys open one thread even if pressed twice, but the second time
    // they empty the input, so the first time gets a long timeout.
    const open = async (): Promise<boolean> => {
      if ((await this.#focusedInput().count()) > 0) return true;
      await this.#pressOnce("g");
      if (await succeeded(this.input().waitFor({ timeout: patience / 2 }))) return true;
      // Outside editors these keys do nothing, and the Chat view may have the focus.
      const editors = this.#page.locator(".editor-group-container");
      if ((await editors.locator(":focus").count()) === 0)
        await succeeded(editors.and(this.#page.locator(".active")).locator(".native-edit-context").first().focus());
      return false;
    };
    await attempt(this.#page, open, "the input of inline chat", 2 * patience);
    await this.waitForInput();
  }

  /** Waits until the keyboard is in the input. */
  async waitForInput(): Promise<void> {
    await until(async () => (await this.#focusedInput().count()) > 0, "the keyboard in the input of inline chat");
  }

  /** Types a question and sends it, after which the code has the focus. */
  async ask(question: string): Promise<void> {
    await this.open();
    await this.type(question);
    await this.send();
  }

  /** Replaces the text of the input. In a busy window, something else may take the focus at any time. */
  async type(text: string): Promise<void> {
    const holder = this.input().filter({ has: this.#page.locator(".native-edit-context:focus") });
    const isTyped = async (): Promise<boolean> =>
      withoutSpaces((await textsOf(holder.locator(".view-line"))).join("")) === withoutSpaces(text);
    await attempt(
      this.#page,
      async () => {
        if (!(await this.#focusInput())) return false;
        await this.#page.keyboard.press("ControlOrMeta+A");
        await this.#page.keyboard.insertText(text);
        return succeeded(until(isTyped, "what was typed", oneAttempt));
      },
      `${JSON.stringify(text)} in the input of inline chat`,
    );
  }

  /** Sends the text of the input, after which the code has the focus. */
  async send(): Promise<void> {
    await attempt(
      this.#page,
      async () => {
        // Once it is sent, the input is gone.
        if (await this.#focusInput()) await this.#page.keyboard.press("Enter");
        return succeeded(this.waitUntilLeft(oneAttempt));
      },
      "the question to be sent",
    );
  }

  /** Closes a thread in which nothing was asked. */
  async cancel(): Promise<void> {
    if ((await this.input().count()) === 0) return;
    await attempt(
      this.#page,
      async () => {
        if (await this.#focusInput()) await this.#page.keyboard.press("Escape");
        return succeeded(this.input().waitFor({ state: "detached", timeout: oneAttempt }));
      },
      "the input of inline chat to close",
    );
  }

  /** Waits until the code has the focus. */
  async waitUntilLeft(timeout = patience): Promise<void> {
    await this.#page
      .locator(".editor-group-container.active .native-edit-context:focus:not(.review-widget *)")
      .waitFor({ state: "attached", timeout });
  }

  /** Applies the last answer as the keyboard does. */
  async applyByKeyboard(): Promise<void> {
    await this.press("a", async () => /Applied[^]*Keep/.test(await this.text()));
  }

  /** Asks and waits until the answer is done. */
  async askFully(question: string): Promise<void> {
    await this.ask(question);
    await this.waitFor(new RegExp(`${question}[^]*\\nDone`));
  }

  /** Presses Ctrl+K and another key, again if a busy window loses them, or has not noticed yet where the cursor is. */
  async press(key: string, hasWorked: () => Promise<boolean>): Promise<void> {
    await attempt(
      this.#page,
      async () => {
        await this.#pressOnce(key);
        return succeeded(until(hasWorked, "what the keys do", oneAttempt));
      },
      `Ctrl+K ${key} to work`,
    );
  }

  async #pressOnce(key: string): Promise<void> {
    await this.#page.keyboard.press("ControlOrMeta+K");
    await this.#page.keyboard.press(key);
  }

  /** The text of the threads, whichever entry answered: after an earlier test, the primary may be out of use. */
  async text(): Promise<string> {
    const texts = (await this.#threads.allInnerTexts()).map(readable);
    return texts.join("\n\n").replaceAll(" (backup entry)", "");
  }

  /** Waits until the threads contain this. */
  async waitFor(pattern: RegExp): Promise<string> {
    return untilText("inline chat", () => this.text(), pattern);
  }

  /** Clicks one of the links below the last answer, which may name its keys. */
  async click(action: string): Promise<void> {
    const name = new RegExp(`^${action}( \\(|$)`);
    await this.#threads.getByRole("link", { name }).last().click();
  }

  /** Stops as the keyboard does. */
  async stopByKeyboard(): Promise<void> {
    await this.#threads.getByRole("button", { name: "Stop Answer" }).press("Enter");
  }

  /** Holds the mouse down on Stop as long as a slow hand does: pieces of the answer fall into the click. */
  async stop(): Promise<void> {
    await this.#threads.getByRole("button", { name: "Stop Answer" }).click({ delay: 300 });
  }

  /** How many threads are open in the editor in front. */
  async count(): Promise<number> {
    return this.#threads.count();
  }

  input(): Locator {
    return this.#threads.locator(".edit-textarea");
  }

  /** Focuses the open input, if there is one. */
  async #focusInput(): Promise<boolean> {
    if ((await this.#focusedInput().count()) > 0) return true;
    if ((await this.input().count()) === 0) return false;
    return succeeded(this.input().locator(".native-edit-context").last().focus({ timeout: 1_000 }));
  }

  #focusedInput(): Locator {
    return this.input().locator(".native-edit-context:focus");
  }
}
