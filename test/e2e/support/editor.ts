import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type PageElement, type TextPattern, textsOf } from "./text.ts";
import type { QuickInput } from "./quickInput.ts";
import { attempt, oneAttempt, succeeded } from "./attempts.ts";
import { until, untilText } from "./until.ts";

interface EditorParts {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly workspace: string;
}

/** The editors in the middle of the window. */
export class Editor {
  readonly #page: Page;
  readonly #quickInput: QuickInput;
  readonly #workspace: string;
  readonly #active: Locator;

  constructor({ page, quickInput, workspace }: EditorParts) {
    this.#page = page;
    this.#quickInput = quickInput;
    this.#workspace = workspace;
    this.#active = page.locator(".editor-group-container.active");
  }

  /**
   * Opens a file by its path in the workspace, as Go to File finds it, and waits until it has the keyboard: VS Code 1.139
   * shows the tab up to some hundred milliseconds before, and would take the keyboard from what is typed into meanwhile.
   */
  async open(path: string): Promise<void> {
    const whole = isAbsolute(path) ? path : join(this.#workspace, path);
    const name = path.replace(/^.*[\\/]/, "");
    await attempt(
      this.#page,
      async () => {
        // A box that stays open goes on with what it found first, and does not notice that the same is typed again.
        await this.#quickInput.cancel();
        return succeeded(this.#goTo(whole, name));
      },
      `Go to File to find ${name}`,
    );
    await this.waitForTab(name);
    // A notebook lies over its group, and its cells are chosen by a click.
    const focused = this.#active.locator(".editor-instance :focus").or(this.#page.locator(".notebook-editor"));
    await focused.first().waitFor({ state: "attached" });
  }

  /** One attempt, which may fail: an editor that closes meanwhile may take the keyboard, which closes the box. */
  async #goTo(path: string, name: string): Promise<void> {
    await this.#quickInput.open();
    await this.#quickInput.type(path, oneAttempt);
    // The list begins with what was open before, until it has read what was typed.
    const isFirst = async (): Promise<boolean> => (await this.#quickInput.view())?.labels[0] === name;
    await until(async () => await isFirst(), `${name} in the list`, oneAttempt);
    await this.#quickInput.accept(oneAttempt);
  }

  /** Writes a file of the workspace and opens it, with the keyboard at its start. */
  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.#workspace, name), text);
    await this.open(name);
    await this.focus();
    await this.#page.keyboard.press("ControlOrMeta+Home");
  }

  /** Saves the file in front and waits until these are its bytes. */
  async save(name: string, expected: string): Promise<void> {
    const path = join(this.#workspace, name);
    await this.focus();
    const isSaved = async (): Promise<boolean> => (await readFile(path, "utf8")) === expected;
    const save = async (): Promise<boolean> => {
      await this.#page.keyboard.press("ControlOrMeta+S");
      return succeeded(until(isSaved, `the bytes of ${name}`, oneAttempt));
    };
    if (!(await succeeded(attempt(this.#page, save, `Ctrl+S to save ${name}`, 2 * oneAttempt))))
      assert.equal(await readFile(path, "utf8"), expected);
  }

  /** Puts the cursor at the start of a line, counted from 1, and selects the line. */
  async selectLine(line: number): Promise<void> {
    await this.moveTo(line);
    await this.#page.keyboard.press("Shift+End");
  }

  /** Waits until the cursor is in a line, counted from 1. */
  async waitForLine(line: number): Promise<void> {
    await this.#page.locator(".statusbar-item", { hasText: `Ln ${line},` }).waitFor();
  }

  /** Puts the cursor at the start of a line, counted from 1. */
  async moveTo(line: number): Promise<void> {
    const cursor = this.#page.locator(".statusbar-item", { hasText: `Ln ${line},` });
    // Another editor that is still opening may take the keyboard meanwhile.
    await attempt(
      this.#page,
      async () => {
        await this.focus();
        await this.#page.keyboard.press("ControlOrMeta+Home");
        for (let left = line; left > 1; left -= 1) await this.#page.keyboard.press("ArrowDown");
        await this.#page.keyboard.press("Home");
        return succeeded(cursor.waitFor({ timeout: oneAttempt }));
      },
      `the cursor in line ${line}`,
    );
  }

  /** Waits until the file with this name is the one in front. */
  async waitForTab(name: TextPattern): Promise<string> {
    const tab = this.#active.locator(".tab.active");
    const read = async (): Promise<string> => {
      const names = await tab.evaluateAll((tabs: PageElement[]) =>
        tabs.map((it) => it.getAttribute("data-resource-name")),
      );
      return names[0] ?? "";
    };
    return untilText("the tab in front", read, name);
  }

  /** The lines of the text editor in front that are in view; a long file is better read from the disk. */
  async text(): Promise<string> {
    const shown = this.#active.locator(".editor-instance .view-line:not(.review-widget *)");
    return (await textsOf(shown)).join("\n");
  }

  /** Waits until the lines in view hold this. */
  async waitForText(pattern: RegExp): Promise<string> {
    return untilText("the editor", () => this.text(), pattern);
  }

  /** Puts the keyboard into the text editor in front. */
  async focus(): Promise<void> {
    await this.#active.locator(".editor-instance .native-edit-context").first().focus();
  }
}
