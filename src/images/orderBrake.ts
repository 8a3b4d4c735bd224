import { l10n, window } from "vscode";

/** Maximum number of images from agents in this time span, in milliseconds, before the user is asked again. */
const maxOrders = 10;
const span = 60 * 60 * 1000;

/**
 * Limits series of image orders by agents. VS Code's own confirmation can be turned off
 * (`chat.tools.global.autoApprove`, VS Code 1.139), this one cannot.
 */
export class OrderBrake {
  readonly #now: () => number;
  readonly #ask: () => Promise<boolean>;
  /** Times of the counted orders. */
  #orders: readonly number[] = [];
  #asking: Promise<boolean> | undefined;

  constructor(now: () => number = Date.now, ask: () => Promise<boolean> = askForMore) {
    this.#now = now;
    this.#ask = ask;
  }

  /** Counts an order, unless there were too many and the user declines. Waiting orders share one question. */
  async allows(): Promise<boolean> {
    while (this.#recent().length >= maxOrders) {
      if (!(await (this.#asking ??= this.#askOnce()))) return false;
    }
    this.#orders = [...this.#recent(), this.#now()];
    return true;
  }

  #recent(): readonly number[] {
    return this.#orders.filter((time) => time > this.#now() - span);
  }

  async #askOnce(): Promise<boolean> {
    try {
      const isAllowed = await this.#ask();
      if (isAllowed) this.#orders = [];
      return isAllowed;
    } finally {
      this.#asking = undefined;
    }
  }
}

async function askForMore(): Promise<boolean> {
  const proceed = l10n.t("Continue");
  const detail = l10n.t("Every image is charged to the account of the image key. Continue allows {0} more.", maxOrders);
  const text = l10n.t("Agents have requested {0} images within an hour. Allow more?", maxOrders);
  return (await window.showWarningMessage(text, { modal: true, detail }, proceed)) === proceed;
}
