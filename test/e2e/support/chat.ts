import type { Locator, Page } from "playwright-core";
import { exactly, type PageElement, readable, textsOf, withoutSpaces } from "./text.ts";
import { attempt, oneAttempt, pickFromMenu, showBy, succeeded } from "./attempts.ts";
import { until, untilText } from "./until.ts";

/** The Chat view. */
export class Chat {
  readonly #page: Page;
  readonly #view: Locator;
  readonly #input: Locator;
  readonly #lastAnswer: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#view = page.locator(".part.auxiliarybar .interactive-session");
    this.#input = this.#view.locator(".interactive-input-editor");
    this.#lastAnswer = this.#view.locator(".monaco-list-row.response[data-last-element='true']");
  }

  /** Asks, again if VS Code has not resolved a model yet, as it may after its start, and gives the whole answer as text. */
  async ask(question: string, timeout?: number): Promise<string> {
    await attempt(
      this.#page,
      async () => {
        await this.#askOnce(question, timeout);
        if (!(await this.#lastAnswer.innerText()).includes("Language model unavailable")) return true;
        await this.startAnew();
        return false;
      },
      "VS Code to have a model",
    );
    return this.answer();
  }

  async #askOnce(question: string, timeout?: number): Promise<void> {
    const before = await this.#lastTurn();
    await this.send(question);
    const isAnswered = async (): Promise<boolean> => {
      const { question: last, index } = await this.#lastTurn();
      // VS Code may replace the conversation by a new one, in which the rows start again.
      return index > before.index || (index >= 0 && last !== before.question);
    };
    await until(async () => (await isAnswered()) && !(await this.isAnswering()), "an answer in the chat", timeout);
  }

  /** Begins a new conversation, unless the one on the screen is new. */
  async startAnew(timeout?: number): Promise<void> {
    const button = this.#page.locator(".part.auxiliarybar").getByRole("button", { name: /^New Chat \(/ });
    const isNew = async (): Promise<boolean> => (await this.#lastIndex()) < 0;
    if (await isNew()) return;
    const begin = async (): Promise<boolean> => {
      await succeeded(button.click({ timeout: 3_000 }));
      if (!(await succeeded(until(isNew, "the click to begin one", oneAttempt)))) return false;
      // What is clicked before the new conversation has its welcome is drawn anew, and the click is lost.
      await succeeded(this.#view.locator(".chat-welcome-view-title").waitFor({ timeout: 3_000 }));
      return true;
    };
    await attempt(this.#page, begin, "an empty conversation", timeout);
  }

  /** Replaces the text of the input and clicks Send. The chat must know a participant at its start. */
  async send(question: string): Promise<void> {
    const participant = /^@\S+/.exec(question)?.[0];
    // The chat answers nobody before a model is resolved; a few seconds after the start one should be.
    const model = this.#view.locator(".model-picker-name:not([aria-label*='sign in'])");
    if (participant) await succeeded(model.waitFor({ timeout: 15_000 }));
    const isSent = async (): Promise<boolean> => !withoutSpaces(await this.input()).includes(withoutSpaces(question));
    const isTyped = async (): Promise<boolean> => !(await isSent());
    await attempt(
      this.#page,
      async () => {
        await this.type(question);
        // What was typed is drawn a moment later, and until then looks as if it were sent. Another view may have taken it.
        if (!(await succeeded(until(isTyped, "the question to be drawn", oneAttempt)))) return false;
        return participant === undefined || (await this.#knows(participant));
      },
      "the question in the input, with its participant marked",
    );
    const button = this.#view.getByRole("button", { name: /^Send\b/ });
    await attempt(
      this.#page,
      async () => {
        if (await isSent()) return true;
        const isClicked = await succeeded(button.click({ timeout: 1_500 }));
        // A notification may lie over the button, which the keyboard reaches all the same.
        if (!isClicked && !(await isSent())) await succeeded(button.press("Enter", { timeout: 1_500 }));
        return succeeded(until(isSent, "the button to send it", oneAttempt));
      },
      "the question to leave the input",
    );
  }

  /** Replaces the text of the input, in one piece, so that no suggestion is accepted in between. */
  async type(text: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press("ControlOrMeta+A");
    await this.#page.keyboard.press("Delete");
    await this.#page.keyboard.insertText(text);
  }

  /** Focuses the input. */
  async focus(): Promise<void> {
    await this.#input.locator(".native-edit-context").focus();
  }

  /** The text of the input. */
  async input(): Promise<string> {
    return (await textsOf(this.#input.locator(".view-line"))).join("\n");
  }

  /** The text of the last answer so far; empty while there is none. */
  async answer(): Promise<string> {
    const texts = await this.#lastAnswer.locator(".value").allInnerTexts();
    return readable(texts[0] ?? "");
  }

  /** Waits until the last answer, complete or not, contains this. */
  async waitForAnswer(pattern: RegExp, timeout?: number): Promise<string> {
    return untilText("the answer", () => this.answer(), pattern, timeout);
  }

  async isAnswering(): Promise<boolean> {
    return (
      (await this.#stopButton().count()) > 0 || (await this.#lastAnswer.locator(".chat-response-loading").count()) > 0
    );
  }

  /** Waits until nothing is being answered any more. */
  async waitUntilIdle(timeout?: number): Promise<void> {
    await until(async () => !(await this.isAnswering()), "the answer to end", timeout);
  }

  /** Stops the answer if it has not ended. */
  async stopIfAnswering(timeout?: number): Promise<void> {
    const stop = async (): Promise<boolean> => {
      if (!(await this.isAnswering())) return true;
      await succeeded(this.#stopButton().click({ timeout: 1_000 }));
      return false;
    };
    await until(stop, "the answer to stop", timeout);
  }

  /** Clicks Stop. */
  async stop(): Promise<void> {
    await this.#stopButton().click();
  }

  /** A button, link, or picture in the last answer. */
  inAnswer(role: "button" | "link" | "img", name: string | RegExp): Locator {
    return this.#lastAnswer.getByRole(role, { name });
  }

  /** The picker below the input, where it shows this mode. */
  mode(name: string): Locator {
    return this.#view.locator(".chat-mode-picker-item a.action-label", { hasText: exactly(name) });
  }

  /** Picks Ask, Agent or another mode below the input. The built-in chat brings some a while after its start. */
  async chooseMode(name: string): Promise<void> {
    const chosen = this.mode(name);
    if ((await chosen.count()) > 0) return;
    const picker = this.#view.locator(".chat-mode-picker-item a.action-label");
    await attempt(
      this.#page,
      async () => {
        await waitUntilSettled(picker);
        await picker.click();
        if (await pickFromMenu(this.#page, exactly(name))) return true;
        await this.#page.keyboard.press("Escape");
        // Older versions give the chosen mode a longer row (VS Code 1.133).
        return (await chosen.count()) > 0;
      },
      `the mode ${name}`,
    );
  }

  /** Picks a model below the input, as the picker names it, and waits until it is the one. */
  async chooseModel(name: string): Promise<void> {
    const picker = this.#view.locator("a.model-picker-name");
    const chosen = picker.and(this.#page.getByRole("button", { name: `Models, ${name}`, exact: true }));
    const pick = async (): Promise<void> => {
      await picker.click({ timeout: 5_000 });
      await this.#page.locator(".action-list-filter-input").fill(name, { timeout: 5_000 });
      await pickFromMenu(this.#page, exactly(name));
    };
    await showBy(chosen, pick, () => this.#page.keyboard.press("Escape"));
  }

  /** A suggestion of what to ask next, under the last answer. */
  followUp(label: string): Locator {
    return this.#view.locator(".interactive-session-followups .monaco-button", { hasText: label });
  }

  /** The last question and which row its answer is. */
  async #lastTurn(): Promise<{ readonly question: string; readonly index: number }> {
    const questions = await this.#view.locator(".monaco-list-row.request").allInnerTexts();
    return { question: readable(questions.at(-1) ?? ""), index: await this.#lastIndex() };
  }

  /** Which row of the conversation the last answer is; -1 while there is none. */
  async #lastIndex(): Promise<number> {
    const rows = await this.#lastAnswer.evaluateAll((elements: PageElement[]) =>
      elements.map((row) => row.getAttribute("data-index")),
    );
    return Number(rows[0] ?? -1);
  }

  /** Whether the input marks the participant as one. */
  async #knows(participant: string): Promise<boolean> {
    const mark = this.#input.locator("[class*='chat-session-text']", { hasText: exactly(participant) });
    return succeeded(mark.waitFor({ timeout: 10_000 }));
  }

  #stopButton(): Locator {
    return this.#view.locator(".chat-input-toolbars .codicon-stop-circle, .chat-execute-toolbar .codicon-stop-circle");
  }
}

/**
 * Waits until this has not been replaced for a while. VS Code draws the buttons below the input anew about 100 ms after it has
 * begun a conversation, which closes a menu that one of them has opened.
 */
async function waitUntilSettled(drawn: Locator): Promise<void> {
  const settled = (element: { drawnAt?: number }): boolean => {
    element.drawnAt ??= performance.now();
    return performance.now() - element.drawnAt > 300;
  };
  await until(
    async () => drawn.evaluate(settled, undefined, { timeout: 1_000 }).catch(() => false),
    "buttons that stay",
  );
}
