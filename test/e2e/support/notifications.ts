import type { Locator, Page } from "playwright-core";
import { exactly, matches, type PageElement, type TextPattern } from "./text.ts";
import { attempt, succeeded } from "./attempts.ts";
import { until } from "./until.ts";

/** A notification as it is read. */
export interface Notification {
  readonly severity: "error" | "warning" | "info";
  readonly text: string;
  readonly buttons: readonly string[];
}

/** The notifications in the corner of the window. */
export class Notifications {
  readonly #page: Page;
  readonly #toasts: Locator;
  /** Shows the list of all notifications instead of the toasts, and hides it. */
  readonly #bell: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#bell = page.locator("[id='status.notifications'] a");
    this.#toasts = page.locator(":is(.notification-toast, .notifications-center.visible) .notification-list-item");
  }

  /** Those on the screen now, the newest first. */
  async all(): Promise<Notification[]> {
    return this.#toasts.evaluateAll((toasts: PageElement[]) =>
      toasts.map((toast) => {
        const icon = toast.querySelector(".notification-list-item-icon");
        const severity = (["error", "warning"] as const).find((name) => icon?.classList.contains(`codicon-${name}`));
        const message = toast.querySelector(".notification-list-item-message");
        const buttons = [...toast.querySelectorAll(".notification-list-item-buttons-container a")];
        return {
          severity: severity ?? ("info" as const),
          text: (message?.innerText ?? "").replaceAll("\u00a0", " ").trim(),
          buttons: buttons.map((button) => button.innerText.trim()),
        };
      }),
    );
  }

  /**
   * Waits for the notification with this text. VS Code shows no toast for the fourth one within 800 ms, which a test reaches
   * and nobody else (1.139): after a while, this looks into the list of all.
   */
  async waitFor(pattern: TextPattern, timeout?: number): Promise<Notification> {
    let seen: readonly Notification[] = [];
    const late = Date.now() + 5_000;
    const found = until(
      async () => {
        seen = await this.all();
        const found = seen.find(({ text }) => matches(text, pattern));
        if (!found && Date.now() > late) await this.#openList();
        return found;
      },
      `the notification ${String(pattern)}`,
      timeout,
    );
    return found.catch((cause: unknown) => {
      const texts = seen.map(({ text }) => text).join(" | ") || "none";
      throw new Error(`${String(cause)} Shown: ${texts}`, { cause });
    });
  }

  /** Waits until no notification with this text is on the screen, for example when a progress ends. */
  async waitForNone(pattern: TextPattern): Promise<void> {
    const isShown = async (): Promise<boolean> => (await this.all()).some(({ text }) => matches(text, pattern));
    await until(async () => !(await isShown()), `the notification ${String(pattern)} to go`);
  }

  /** Waits for the notification and clicks one of its buttons or links. */
  async click(pattern: TextPattern, button: string): Promise<void> {
    await this.waitFor(pattern);
    const toast = this.#toasts.filter({ hasText: pattern });
    const target = toast.locator("a.monaco-button, .notification-list-item-message a", { hasText: exactly(button) });
    await attempt(
      this.#page,
      async () => {
        if (await succeeded(target.click({ timeout: 5_000 }))) return true;
        await this.#leave();
        return false;
      },
      `a click on ${button}`,
    );
  }

  /** Closes every notification. One that shows a progress cannot be closed, so the bell hides it with the list of all. */
  async dismissAll(): Promise<void> {
    if ((await this.#toasts.count()) === 0) return;
    await until(async () => {
      if ((await this.#toasts.count()) === 0) return true;
      // The cross shows up under the mouse. A notification may go by itself meanwhile: then the next round finds less.
      const quickly = { timeout: 1_000 };
      const cross = this.#page.locator(".codicon-notifications-clear");
      const toast = this.#toasts.filter({ has: cross }).first();
      const close = async (): Promise<void> => {
        if ((await toast.count()) === 0) {
          await this.#bell.click(quickly);
          // Its tooltip would cover the toast that comes next.
          return this.#leave();
        }
        await toast.hover(quickly);
        await toast.locator(cross).click(quickly);
      };
      // A click that failed may have left the mouse where its tooltip covers the cross.
      await close().catch(async () => this.#leave());
      return undefined;
    }, "the notifications to close");
    await this.#leave();
  }

  async #openList(): Promise<void> {
    if (await this.#page.locator(".notifications-center.visible").isVisible()) return;
    await succeeded(this.#bell.click({ timeout: 1_000 }));
    await this.#leave();
  }

  /** Moves mouse and focus away: a tooltip stays while one of them does, and covers what opens next. */
  async #leave(): Promise<void> {
    await this.#page.mouse.move(1, 1);
    await succeeded(this.#bell.blur({ timeout: 1_000 }));
  }
}
