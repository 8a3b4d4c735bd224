import type { Locator, Page } from "playwright-core";
import { textsOf } from "./text.ts";
import { untilText } from "./until.ts";

/** The Source Control view. With several repositories, each has a row with its name, its buttons, and a box below. */
export class SourceControl {
  readonly #page: Page;
  readonly #view: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#view = page.locator(".part.sidebar");
  }

  async open(): Promise<void> {
    await this.#page
      .getByRole("tab", { name: /^Source Control|^源代码管理/ })
      .first()
      .click();
  }

  /** The row of the repository with this root, if there are several. */
  row(root: string): Locator {
    return this.#view.locator(".monaco-list-row").filter({ has: this.#page.locator(`[aria-label="Git: ${root}"]`) });
  }

  /** A button in the title. VS Code's own button with the same name is beside the box. */
  button(name: string, root?: string): Locator {
    const place = root === undefined ? this.#view : this.row(root);
    return place.locator(`.action-label[aria-label="${name}"]:not(.scm-editor-toolbar *)`).first();
  }

  /** Clicks a button in the title, which shows its buttons only under the pointer. */
  async press(name: string, root?: string): Promise<void> {
    await (root === undefined ? this.#view.locator(".pane-header").first() : this.row(root)).hover();
    await this.button(name, root).click();
  }

  /** Waits for the text in the box, whose lines are wrapped, with every gap as one space. */
  async waitForBox(text: string, root?: string): Promise<void> {
    const read = async (): Promise<string> => {
      const lines = await textsOf((await this.#box(root)).locator(".view-line"));
      return lines.join(" ").replace(/\s+/g, " ").trim();
    };
    await untilText("the box", read, text);
  }

  async focusBox(): Promise<void> {
    const box = await this.#box();
    // At its left end: the hover of a button in the title may cover the rest.
    await box.locator(".view-lines").click({ position: { x: 10, y: 8 } });
  }

  /** The box, which is the row below that of its repository. */
  async #box(root?: string): Promise<Locator> {
    if (root === undefined) return this.#view.locator(".scm-editor").first();
    const index = Number(await this.row(root).getAttribute("data-index"));
    return this.#view.locator(`.monaco-list-row[data-index="${index + 1}"] .scm-editor`).first();
  }
}
