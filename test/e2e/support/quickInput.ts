import type { Locator, Page } from "playwright-core";
import { exactly, matches, type PageElement, type TextPattern } from "./text.ts";
import { attempt, closeByEscape, oneAttempt, succeeded } from "./attempts.ts";
import { patience, until, untilText } from "./until.ts";

/** The content of the box at the top of the window. */
export interface QuickInputView {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isPassword: boolean;
  /** The prompt, or what is wrong with the value. */
  readonly message: string;
  /** The labels to pick from; empty for a plain input. */
  readonly labels: readonly string[];
}

/** The box at the top of the window that asks for text or lets the user pick. */
export class QuickInput {
  readonly #page: Page;
  readonly #box: Locator;
  readonly #field: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#box = page.locator(".quick-input-widget:visible");
    this.#field = this.#box.locator(".quick-input-filter input.input");
  }

  /** Waits until the box with this title is open, or where it has none, with these words in its field. */
  async waitFor(title: TextPattern): Promise<QuickInputView> {
    return until(
      async () => {
        const view = await this.view();
        return view && matches(view.title || view.placeholder, title) ? view : undefined;
      },
      `an input box titled ${String(title)}`,
    );
  }

  /** The content of the box; `undefined` when it is closed. */
  async view(): Promise<QuickInputView | undefined> {
    if (!(await this.isOpen())) return undefined;
    return this.#box.first().evaluate((box: PageElement) => {
      const field = box.querySelector(".quick-input-filter input.input");
      const text = (selector: string): string => box.querySelector(selector)?.innerText.trim() ?? "";
      const rows = [...box.querySelectorAll(".quick-input-list .monaco-list-row")];
      return {
        title: text(".quick-input-title"),
        placeholder: field?.placeholder ?? "",
        value: field?.value ?? "",
        isPassword: field?.type === "password",
        message: text(".quick-input-message"),
        labels: rows.map((row) => row.querySelector(".label-name")?.innerText.trim() ?? ""),
      };
    });
  }

  /**
   * Opens the box with F1. Unlike Ctrl+P, which picks a file if the box is open, F1 can be pressed again. A webview that
   * still loads, such as the preview of an image, loses keys: then with the mouse.
   */
  async open(): Promise<void> {
    await attempt(
      this.#page,
      async () => {
        if ((await this.#page.locator("iframe:focus").count()) > 0)
          await succeeded(this.#page.locator(".command-center-quick-pick").click({ timeout: 5_000 }));
        else await this.#page.keyboard.press("F1");
        return succeeded(this.#field.waitFor({ timeout: oneAttempt }));
      },
      "the box at the top of the window",
    );
  }

  async isOpen(): Promise<boolean> {
    return (await this.#box.count()) > 0;
  }

  /** Replaces the text of the field. */
  async type(text: string, timeout = patience): Promise<void> {
    await this.#field.fill(text, { timeout });
  }

  /** Waits for this message under the field, for example why the value is refused. */
  async waitForMessage(pattern: TextPattern): Promise<string> {
    return untilText("the line under the input", async () => (await this.view())?.message ?? "", pattern);
  }

  async accept(timeout = patience): Promise<void> {
    await this.#field.press("Enter", { timeout });
  }

  /** Waits for the box, types and accepts. */
  async answer(title: TextPattern, text: string): Promise<void> {
    await this.waitFor(title);
    await this.type(text);
    await this.accept();
  }

  /** Waits for the list with this title and accepts the row on top, which is marked once the list is filled. */
  async acceptFirst(title: TextPattern): Promise<void> {
    await this.waitFor(title);
    await this.#box.locator(".quick-input-list .monaco-list-row.focused").first().waitFor();
    await this.accept();
  }

  /** Types as the keyboard does, into the field that has it. */
  async insertText(text: string): Promise<void> {
    await this.#box.locator(".quick-input-filter input.input:focus").waitFor();
    await this.#page.keyboard.insertText(text);
  }

  /** Picks the row with this label. */
  async pick(label: string): Promise<void> {
    await this.row(label).click();
  }

  /** The row with this label, to wait for or to read more from. */
  row(label: string): Locator {
    const name = this.#page.locator(".quick-input-list-row:first-child .label-name", { hasText: exactly(label) });
    return this.#box.locator(".quick-input-list .monaco-list-row").filter({ has: name }).first();
  }

  /** Label, description and detail of each row, in this order. */
  async rows(): Promise<string[][]> {
    const rows = this.#box.locator(".quick-input-list .monaco-list-row");
    return rows.evaluateAll((elements: PageElement[]) =>
      elements.map((row) => [...row.querySelectorAll(".label-name, .label-description")].map((part) => part.innerText)),
    );
  }

  /** Closes the box without an answer. */
  async cancel(): Promise<void> {
    if (!(await this.isOpen())) return;
    // Escape closes a tooltip first, and one shows where a click on a row or button has left the mouse.
    await this.#page.mouse.move(1, 1);
    await succeeded(this.#page.locator(".monaco-hover:visible").first().waitFor({ state: "hidden", timeout: 2_000 }));
    // A list in place of an input has the focus from before, and an Escape before a row is marked may close nothing.
    if ((await this.#box.locator(".quick-input-list:visible").count()) > 0)
      await succeeded(this.#box.locator(".monaco-list-row.focused").first().waitFor({ timeout: 2_000 }));
    await closeByEscape(this.#page, this.#box, async () => {
      // A box that opens gets the focus late, and an Escape before that closes nothing.
      if (!(await succeeded(this.#box.locator(":focus").first().waitFor({ timeout: 5_000 }))))
        await succeeded(this.#field.focus({ timeout: 1_000 }));
      await this.#page.keyboard.press("Escape");
    });
  }
}
