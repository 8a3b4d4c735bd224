import type { Locator, Page } from "playwright-core";
import { launchBrowser } from "../../support/host/chromium.ts";
import { copyWorkspace, createProfile, type Settings } from "../../support/host/profile.ts";
import { vsixPath } from "../../../scripts/paths.ts";
import { startServer } from "../../support/host/server.ts";
import { attempt, noteSecondAttempt, oneAttempt, showBy, succeeded } from "./attempts.ts";
import { Chat } from "./chat.ts";
import { Dialog } from "./dialog.ts";
import { Editor } from "./editor.ts";
import { InlineChat } from "./inlineChat.ts";
import { Notifications } from "./notifications.ts";
import { QuickInput } from "./quickInput.ts";
import { SourceControl } from "./sourceControl.ts";
import { patience, until } from "./until.ts";
import { prefix } from "../../../src/manifest.ts";

/** What a test's VS Code starts with. */
export interface WorkbenchOptions {
  /** The folder or `.code-workspace` file to open; a copy of the sample workspace by default, removed at the end. */
  readonly workspace?: string;
  readonly settings?: Settings;
  /** Environment of the extension host, for example `CODEX_GATEWAY_API_KEY`. Keys of the developer never get there. */
  readonly env?: Readonly<Record<string, string>>;
  /** The packaged extensions to install; ours by default. */
  readonly extensions?: readonly string[];
  /** The display language, for example `zh-cn`; VS Code's own texts stay English without its language pack. */
  readonly locale?: string;
  /** `false` opens the folder in Restricted Mode. */
  readonly trust?: boolean;
}

const noKeys = { CODEX_GATEWAY_API_KEY: undefined, CODEX_GATEWAY_IMAGE_API_KEY: undefined };

/** The windows that are open now. */
export const openWorkbenches = new Set<Workbench>();

/** A real VS Code with the packaged extension in a throwaway profile, driven as a person would. Disposing removes both. */
export class Workbench implements AsyncDisposable {
  readonly page: Page;
  /** The folder that is open. */
  readonly workspace: string;
  /** Where VS Code keeps what the user does; empty where the server was started by somebody else. */
  readonly userData: string;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly dialog: Dialog;
  readonly editor: Editor;
  readonly chat: Chat;
  readonly inlineChat: InlineChat;
  readonly sourceControl: SourceControl;
  readonly #cleanup: AsyncDisposable;

  constructor(page: Page, workspace: string, userData: string, cleanup: AsyncDisposable) {
    this.page = page;
    this.workspace = workspace;
    this.userData = userData;
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
    this.dialog = new Dialog(page);
    this.editor = new Editor({ page, quickInput: this.quickInput, workspace });
    this.chat = new Chat(page);
    this.inlineChat = new InlineChat(page);
    this.sourceControl = new SourceControl(page);
    this.#cleanup = cleanup;
    openWorkbenches.add(this);
  }

  /** Runs a command from the palette by its whole title, for example `Codex Gateway: Generate Image`. */
  async runCommand(title: string): Promise<void> {
    await attempt(
      this.page,
      async () => {
        // Another box may be open, or open late.
        await this.quickInput.cancel();
        return succeeded(this.#chooseFromPalette(title));
      },
      `the palette to offer "${title}"`,
    );
  }

  /** Waits until the palette offers a command, or no longer does. It shows the commands that there were when it opened. */
  async waitForCommand(title: string, isOffered = true): Promise<void> {
    const { quickInput } = this;
    await until(
      async () => {
        await quickInput.open();
        await quickInput.type(`>${title}`);
        const hasRow = async (): Promise<boolean> => (await quickInput.row(title).count()) > 0 === isOffered;
        const isReached = await succeeded(until(hasRow, title, 3_000));
        await quickInput.cancel();
        return isReached;
      },
      `the palette ${isOffered ? "" : "not "}to offer "${title}"`,
    );
  }

  /**
   * One attempt, which may fail: an editor that opens or closes meanwhile may take the keyboard, which closes the palette,
   * and the palette does not notice commands that arrive while it is open.
   */
  async #chooseFromPalette(title: string): Promise<void> {
    await this.quickInput.open();
    await this.quickInput.type(`>${title}`, oneAttempt);
    await this.quickInput.row(title).click({ timeout: oneAttempt });
  }

  /**
   * Closes editors by a command of the palette, and waits until their tabs have gone: the palette closes before, and an editor
   * that goes closes what has been opened at the top of the window meanwhile, and moves the items of the status bar.
   */
  async close(which: "Close Editor" | "Revert and Close Editor" | "Close All Editors"): Promise<void> {
    const tabs = this.page.locator(".editor-group-container .tab");
    const rest = which === "Close All Editors" ? 0 : Math.max(0, (await tabs.count()) - 1);
    await this.runCommand(`View: ${which}`);
    await until(async () => (await tabs.count()) <= rest, "the tabs to go");
  }

  /** The item of the status bar with this text. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator(".part.statusbar .statusbar-item").filter({ hasText: text });
  }

  /** Shows the tooltip of an item of the status bar, once it stays in its place: the items beside it change with the editors. */
  async showTooltip(item: string, text: string): Promise<Locator> {
    const shown = this.statusBarItem(item);
    const tooltip = this.page.locator(".monaco-hover:visible", { hasText: text });
    let places: readonly string[] = [];
    await until(async () => {
      places = [...places, JSON.stringify(await shown.boundingBox())].slice(-6);
      return places.length === 6 && new Set(places).size === 1;
    }, "an item of the status bar to stay where it is");
    // An item that changes while the mouse is over it shows no tooltip until the mouse comes again (VS Code 1.139).
    await until(async () => {
      await succeeded(shown.hover({ timeout: 5_000 }));
      if (await succeeded(tooltip.waitFor({ timeout: 2_000 }))) return true;
      await this.leaveStatusBar();
      return false;
    }, `the tooltip of ${item}`);
    return tooltip;
  }

  async leaveStatusBar(): Promise<void> {
    await this.page.mouse.move(600, 300);
  }

  /** Clicks the item of the status bar with this text, until the box at the top of the window opens. */
  async openFromStatusBar(text: string): Promise<void> {
    const box = this.page.locator(".quick-input-widget:visible");
    await showBy(box, () => this.statusBarItem(text).click({ timeout: 5_000 }));
  }

  /** Reloads the window. This host then forgets its secrets: keys that must survive come from the environment. */
  async reload(): Promise<void> {
    await this.page.reload();
    await waitUntilReady(this.page);
    await this.waitUntilActive();
  }

  /**
   * Waits until this extension has started, which takes VS Code 8 to 24 s on two free cores, and longer on busy ones. Before
   * that, the palette does not offer its commands.
   */
  async waitUntilActive(): Promise<void> {
    const item = this.page.locator(`.part.statusbar .statusbar-item[id$="${prefix}.status"]`);
    await item.first().waitFor({ timeout: 3 * patience });
  }

  /** Opens a window without a folder in place of this one. */
  async openEmptyWindow(): Promise<void> {
    await this.page.goto(new URL("/?ew=true", this.page.url()).href);
    await waitUntilReady(this.page);
    await this.waitUntilActive();
  }

  /**
   * Leaves the window as a new test expects it: nothing open but the editors, no notification, a new conversation. A
   * window in which that does not work is reloaded, since mocha gives hooks no second attempt.
   */
  async tidyUp(): Promise<void> {
    try {
      await this.#tidyUp();
    } catch (error) {
      await noteSecondAttempt(this.page, `reload of the window: ${String(error)}`);
      await this.reload();
      await this.#tidyUp();
    }
  }

  async #tidyUp(): Promise<void> {
    await this.quickInput.cancel();
    await this.notifications.dismissAll();
    await until(async () => {
      // Until the built-in chat is active, VS Code answers a question with a dialog that offers to sign in, some seconds late.
      await this.dialog.cancel();
      return succeeded(this.chat.stopIfAnswering(3_000).then(async () => this.chat.startAnew(3_000)));
    }, "a new conversation");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    openWorkbenches.delete(this);
    await this.#cleanup[Symbol.asyncDispose]();
  }
}

/**
 * Opens VS Code in a browser. End-to-end tests run on the VS Code server on every platform: it shows the same workbench
 * as the desktop, and one driver serves all. The desktop host runs the suite in the extension host and `npm start`.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { settings, env, extensions = [vsixPath], locale, trust = true } = options;
  await using cleanup = new AsyncDisposableStack();
  const profile = await createProfile(settings);
  cleanup.defer(() => profile.remove());
  const workspace = options.workspace ?? cleanup.use(await copyWorkspace()).folder;
  const server = await startServer({ profile, extensions, asksForTrust: !trust, env: { ...noKeys, ...env } });
  cleanup.defer(() => server.stop());
  return await visitWorkbench({ url: server.url(workspace), workspace, userData: profile.userData, cleanup, locale });
}

/** Opens the page of a VS Code server that runs already. The workbench disposes `cleanup` as well, or this where it fails. */
export async function visitWorkbench({
  url,
  workspace,
  userData = "",
  locale,
  cleanup: others = new AsyncDisposableStack(),
}: {
  readonly url: string;
  readonly workspace: string;
  readonly userData?: string;
  readonly locale?: string | undefined;
  readonly cleanup?: AsyncDisposableStack;
}): Promise<Workbench> {
  await using cleanup = others.move();
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  // Without animations, which the processor draws here, commands run in a third of the time.
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  if (locale) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(locale)}`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  page.setDefaultTimeout(patience);
  await page.goto(url);
  await waitUntilReady(page);
  return new Workbench(page, workspace, userData, cleanup.move());
}

/** The workbench is there once the explorer lists files, which come from the server. An empty window shows no explorer. */
async function waitUntilReady(page: Page): Promise<void> {
  const isEmpty = new URL(page.url()).searchParams.has("ew");
  await page
    .locator(isEmpty ? ".part.statusbar .statusbar-item" : ".explorer-folders-view .monaco-list-row")
    .first()
    .waitFor({ timeout: 2 * patience });
}
