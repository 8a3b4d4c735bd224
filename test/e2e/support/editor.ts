import { isAbsolute, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { PageElement } from "./pageElement.ts";
import type { QuickInput } from "./quickInput.ts";
import { until } from "./until.ts";

interface Surroundings {
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

  constructor({ page, quickInput, workspace }: Surroundings) {
    this.#page = page;
    this.#quickInput = quickInput;
    this.#workspace = workspace;
    this.#active = page.locator(".editor-group-container.active");
  }

  /** Opens a file by its path in the workspace, as Go to File does. */
  async open(path: string): Promise<void> {
    const whole = isAbsolute(path) ? path : join(this.#workspace, path);
    const name = path.replace(/^.*[\\/]/, "");
    // A window whose editor has just closed may have its keyboard nowhere for a moment.
    await until("Go to File", async () => {
      await this.#page.keyboard.press("ControlOrMeta+P");
      return (await this.#quickInput.opens()) || undefined;
    });
    await this.#quickInput.type(whole);
    await this.#quickInput.row(name).waitFor();
    await this.#quickInput.accept();
    await this.waitForTab(name);
  }

  /** Waits until the file with this name is the one in front. */
  async waitForTab(name: string | RegExp): Promise<string> {
    return until(`the tab ${String(name)}`, async () => {
      const shown = await this.activeTab();
      const isIt = shown !== undefined && (typeof name === "string" ? shown === name : name.test(shown));
      return isIt ? shown : undefined;
    });
  }

  /** The name on the tab in front. */
  async activeTab(): Promise<string | undefined> {
    const tab = this.#active.locator(".tab.active");
    const names = await tab.evaluateAll((tabs: PageElement[]) =>
      tabs.map((it) => it.getAttribute("data-resource-name")),
    );
    return names[0] ?? undefined;
  }

  /** The lines of the text editor in front that are in view; a long file is better read from the disk. */
  async text(): Promise<string> {
    const lines = await this.#active.locator(".editor-instance .view-line").evaluateAll((elements: PageElement[]) =>
      elements
        .map((line) => ({ top: parseFloat(line.style.top), text: line.textContent }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return lines.map((line) => line.replaceAll("\u00a0", " ")).join("\n");
  }

  /** Waits until the lines in view hold this. */
  async waitForText(pattern: RegExp): Promise<string> {
    return until(`an editor with ${String(pattern)}`, async () => {
      const text = await this.text();
      return pattern.test(text) ? text : undefined;
    });
  }

  /** Puts the keyboard into the text editor in front. */
  async focus(): Promise<void> {
    await this.#active.locator(".editor-instance .native-edit-context").first().focus();
  }
}
