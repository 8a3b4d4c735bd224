import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import type { RecordedRequest } from "../../support/gateway/types.ts";
import { finishOrder, openImagesView, orderImage } from "../support/images.ts";
import { connected, withSession } from "../support/session.ts";
import { exactly } from "../support/text.ts";
import { attempt, oneAttempt, showBy, succeeded } from "../support/attempts.ts";
import { until } from "../support/until.ts";
import { clickInWebview, drawnWidth, inWebview } from "../support/webview.ts";
import type { Workbench } from "../support/workbench.ts";

describe("images, in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;

  withSession(connected, (session) => {
    ({ workbench, gateway } = session);
  });

  it("are the host's files, byte for byte, and linked from a document", async () => {
    const { editor, notifications } = workbench;
    await editor.open("docs/plan.md");
    await orderImage(workbench, "a plan [draft] of a garden", "1536x1024");
    await editor.waitForTab("a-plan-draft-of-a-garden.png");
    await assertWhole(gateway, join(workbench.workspace, "images", "a-plan-draft-of-a-garden.png"));
    const orders = gateway.asked.map(({ body }) => body);
    assert.deepEqual(orders, [{ model: "gpt-image-2", prompt: "a plan [draft] of a garden", size: "1536x1024" }]);
    for (const { headers } of gateway.downloads) assert.equal(headers.authorization, undefined);
    const saved = "The image is saved as images/a-plan-draft-of-a-garden.png.";
    const { buttons } = await notifications.waitFor(saved);
    assert.deepEqual(buttons, ["Insert Link", "Reveal", "Refine…"]);
    await notifications.click(saved, "Insert Link");
    await editor.waitForTab("plan.md");
    await waitForLink(workbench, "![a plan draft of a garden](../images/a-plan-draft-of-a-garden.png)");
    await workbench.close("Revert and Close Editor");
  });

  it("begin with what was last asked and the reliable size, and show the time and Cancel while they are made", async () => {
    const { quickInput, notifications } = workbench;
    gateway.mode({ hold: "beforeHeaders" });
    await orderImage(workbench, "a heron at the pond");
    await notifications.waitFor(/^Generating “a heron at the pond”: 0:0[2-9]$/);
    await notifications.click(/Generating/, "Cancel");
    await until(() => gateway.asked[0]?.closed, "the socket to close");
    await notifications.waitFor("“a heron at the pond” was canceled. It may still be charged.");
    await notifications.waitForNone(/Generating/);
    await workbench.runCommand("Codex Gateway: Generate Image");
    assert.equal((await quickInput.waitFor("Generate an image")).value, "a heron at the pond");
    await quickInput.accept();
    const { labels } = await quickInput.waitFor("Select the image size");
    assert.deepEqual(labels, ["1024x1024", "1536x1024", "1024x1536", "Let the Gateway Choose"]);
    assert.match((await quickInput.rows())[0]?.[1] ?? "", /most reliable/);
    await quickInput.cancel();
    assert.equal(images(gateway).length, 1);
  });

  it("are ordered at 1024x1024 where the upstream does not support another size", async () => {
    gateway.mode({ sizes: ["1024x1024"] });
    await orderImage(workbench, "a very wide desert", "1536x1024");
    await workbench.notifications.click(/does not support this image size \(400\)/, "Use 1024x1024");
    await workbench.editor.waitForTab("a-very-wide-desert.png");
    const order = { model: "gpt-image-2", prompt: "a very wide desert" };
    const expected = ["1536x1024", "1024x1024"].map((size) => ({ ...order, size }));
    const orders = images(gateway).map(({ body }) => body);
    assert.deepEqual(orders, expected);
  });

  it("are shown in the answer to @codex /image, where Retry fetches them without a second order", async () => {
    const { chat, editor, notifications } = workbench;
    gateway.imageHost.next(3, { status: 500 });
    assert.match(await chat.ask("@codex /image a lost kite"), /was generated, but not downloaded/);
    await notifications.click(/was generated, but not downloaded/, "Retry");
    await editor.waitForTab("a-lost-kite.png");
    assert.equal(images(gateway).length, 1);
    assert.match(await chat.ask("@codex /image a ferry at night"), /a-ferry-at-night\.png/);
    await drawnWidth(chat.inAnswer("img", "The generated image"));
    await editor.open("docs/plan.md");
    await chat.inAnswer("button", "Insert Link").click();
    await waitForLink(workbench, "![a ferry at night](../images/a-ferry-at-night.png)");
    await workbench.close("Revert and Close Editor");
    await chat.inAnswer("link", /a-ferry-at-night\.png/).click();
    await editor.waitForTab("a-ferry-at-night.png");
  });

  it("are made from a selection, into a folder of the explorer, and from many lines in an editor", async () => {
    const { page, editor, quickInput, notifications } = workbench;
    await editor.open("README.md");
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+A");
    await chooseFromMenu(page, "Generate Image", () => page.keyboard.press("Shift+F10"));
    await quickInput.acceptFirst("Select the image size");
    await notifications.waitFor(/is saved as/);
    // The preview takes the keyboard when it opens, which closes menus.
    await drawnWidth(await inWebview(page, "img.scale-to-fit"));
    const readme = await readFile(join(workbench.workspace, "README.md"), "utf8");
    assert.deepEqual(gateway.asked[0]?.body, { model: "gpt-image-2", prompt: readme.trim(), size: "1024x1024" });

    const folder = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "docs" });
    await chooseFromMenu(page, "Generate Image", () => folder.click({ button: "right" }));
    await finishOrder(workbench, "a map of the docs");
    await notifications.waitFor("The image is saved as docs/a-map-of-the-docs.png.");

    await workbench.runCommand("Codex Gateway: Generate Image");
    await quickInput.waitFor("Generate an image");
    await quickInput.type("a letter");
    await page.getByRole("button", { name: "Write the Prompt in an Editor" }).click();
    await editor.waitForText(/^a letter$/);
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Enter");
    await page.keyboard.insertText("with two lines");
    await page.locator(".codelens-decoration", { hasText: "Generate Image: Ctrl+Enter" }).waitFor();
    await page.keyboard.press("ControlOrMeta+Enter");
    await quickInput.acceptFirst("Select the image size");
    await notifications.waitFor(/a-letter-with-two-lines\.png/);
    const prompt = "a letter\nwith two lines";
    assert.deepEqual(gateway.asked[2]?.body, { model: "gpt-image-2", prompt, size: "1024x1024" });
    await page.locator(".tab", { hasText: "a letter" }).waitFor({ state: "detached" });
    await workbench.close("Close All Editors");
  });

  it("stand in the view with prompt, size, tokens and time, until their files are deleted", async () => {
    for (const file of globSync("*/*.png", { cwd: workbench.workspace })) await rm(join(workbench.workspace, file));
    await orderImage(workbench, "an old <b>castle</b>");
    await workbench.notifications.waitFor(/an-old-b-castle-b\.png/);
    await orderImage(workbench, "a new castle", "1536x1024");
    await workbench.notifications.waitFor(/a-new-castle\.png/);
    await openImagesView(workbench);
    const items = await inWebview(workbench.page, "li");
    assert.equal(await drawnWidth(items.first().locator("img")), 1536);
    const [first, second] = await items.allInnerTexts();
    assert.match(first ?? "", /^a new castle\s+1536x1024 · 6,\d{3} tokens · .*\d:\d\d/);
    assert.match(second ?? "", /^an old <b>castle<\/b>\s+1024x1024 · 4,\d{3} tokens · /);
    assert.match(await (await inWebview(workbench.page, "main > h1")).innerText(), /^2 images · 10,\d{3} tokens$/);
    await items.first().hover();

    await clickInWebview(workbench.page, "li:last-child a.picture");
    await workbench.editor.waitForTab("an-old-b-castle-b.png");
    await rm(join(workbench.workspace, "images", "a-new-castle.png"));
    await until(async () => {
      const total = await inWebview(workbench.page, "main > h1");
      // The page is written anew meanwhile.
      const text = await total.innerText().catch(() => "");
      return text.startsWith("1 image ·");
    }, "one image alone");
  });

  it("are in a view, made again from its menu, and recovered by its buttons", async () => {
    const { page, notifications, quickInput } = workbench;
    await orderImage(workbench, "a castle twice");
    await notifications.waitFor(/a-castle-twice\.png/);
    await openImagesView(workbench);
    await notifications.dismissAll();
    const open = (): Promise<void> => clickInWebview(page, "li .prompt", "right");
    await openMenu(page, "Copy Image Path", open);
    await page.keyboard.press("Escape");
    await chooseFromMenu(page, "Generate Image Again", open);
    await notifications.waitFor(/is saved as/);
    assert.equal(gateway.asked.length, 2);
    const header = page.locator(".pane-header", { hasText: "Codex Images" });
    await clickUnderMouse(header, header.getByRole("button", { name: "Generate Image" }));
    await quickInput.waitFor("Generate an image");
    await quickInput.cancel();
    await chooseFromMenu(page, "Recover Images", () =>
      clickUnderMouse(header, header.locator(".codicon-toolbar-more")),
    );
    await notifications.waitFor(/nothing to recover/);
  });

  it("are copied by path, revealed, opened, made again and refined from the palette, the newest first", async () => {
    const { editor, page, dialog, quickInput } = workbench;
    await orderImage(workbench, "a barn owl");
    await editor.waitForTab("a-barn-owl.png");
    await workbench.runCommand("Codex Gateway: Copy Image Path");
    const path = join(workbench.workspace, "images", "a-barn-owl.png");
    await until(async () => (await page.evaluate("navigator.clipboard.readText()")) === path, "the path");
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "README.md" }).click();
    await workbench.runCommand("Codex Gateway: Reveal Image");
    await page.locator(".explorer-folders-view .monaco-list-row.selected", { hasText: "a-barn-owl.png" }).waitFor();
    await workbench.runCommand("Codex Gateway: Open Image");
    await editor.waitForTab("a-barn-owl.png");
    await drawnWidth(await inWebview(page, "img.scale-to-fit"));
    await workbench.runCommand("Codex Gateway: Generate Image Again");
    assert.match(await dialog.text(), /Generate an image\?\s+“a barn owl”\s+Size: 1024x1024\. It is charged/);
    await dialog.cancel();
    assert.equal(gateway.asked.length, 1);
    await workbench.runCommand("Codex Gateway: Generate Image Again");
    await dialog.click("Generate");
    await workbench.notifications.waitFor(/a-barn-owl-2\.png/);
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Refine Image");
    await quickInput.answer(/Refine the image/, "at night");
    assert.notEqual((await quickInput.waitFor("Generate an image?")).value, "");
    await quickInput.answer(/Generate an image\?/, "a barn owl at night");
    await workbench.notifications.waitFor(/a-barn-owl-at-night\.png/);
    assert.match(JSON.stringify(gateway.asked.at(-1)?.body), /"prompt":"a barn owl at night"/);
  });

  it("whose links have expired are kept until the user discards or clears them", async () => {
    const { dialog, notifications } = workbench;
    gateway.imageHost.always({ status: 403 });
    const expire = async (prompt: string): Promise<void> => {
      await orderImage(workbench, prompt);
      await notifications.waitFor(/its link has expired \(403\)/);
      await notifications.dismissAll();
    };
    await expire("a gate that stays shut");
    await workbench.runCommand("Codex Gateway: Recover Images");
    await notifications.click(/its link has expired \(403\)/, "Discard");
    await workbench.runCommand("Codex Gateway: Recover Images");
    await notifications.waitFor(/nothing to recover/);
    await expire("a door in the wall");
    await workbench.runCommand("Codex Gateway: Clear History");
    const question = /image files are kept\.\s+1 image of this workspace is paid for but not saved yet\./;
    assert.match(await dialog.text(), question);
    await dialog.click("Clear");
    await workbench.page.locator(".pane-header", { hasText: "Codex Images" }).waitFor({ state: "detached" });
    await workbench.runCommand("Codex Gateway: Recover Images");
    await notifications.waitFor(/nothing to recover/);
    // Beside a notification, Escape does not always close the box.
    await notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Generate Image");
    assert.equal((await workbench.quickInput.waitFor("Generate an image")).value, "");
    await workbench.quickInput.cancel();
  });

  it("that an extension host was killed over are recovered by the next, without a second order", async function () {
    if (process.platform !== "linux") this.skip();
    gateway.imageHost.mode({ delay: 600_000 });
    await orderImage(workbench, "a phoenix at sunrise");
    await workbench.notifications.waitFor(/^Downloading “a phoenix at sunrise”/);
    await killExtensionHost(gateway);
    gateway.imageHost.mode({ delay: 0 });
    const offer = /An image was generated and paid for, but not saved/;
    await workbench.notifications.waitFor(offer);
    await workbench.notifications.click(offer, "Recover Images");
    await workbench.editor.waitForTab("a-phoenix-at-sunrise.png");
    await assertWhole(gateway, join(workbench.workspace, "images", "a-phoenix-at-sunrise.png"));
    assert.equal(images(gateway).length, 1);
  });
});

/** Clicks a button that shows only while the mouse is over what surrounds it. */
async function clickUnderMouse(surroundings: Locator, button: Locator): Promise<void> {
  await attempt(
    button.page(),
    async () => {
      await succeeded(surroundings.hover({ timeout: oneAttempt }));
      return succeeded(button.click({ timeout: oneAttempt }));
    },
    `a click on ${String(button)}`,
  );
}

/** Opens a context menu, waits until it offers this, and gives the item. */
async function openMenu(page: Page, label: string, open: () => Promise<unknown>): Promise<Locator> {
  const item = page.locator(".context-view .action-label").filter({ hasText: exactly(label) });
  const close = (): Promise<void> => page.keyboard.press("Escape");
  await showBy(item, open, close);
  return item;
}

/** Opens a context menu and picks from it by keyboard: it takes no click within 100 ms after it opens (VS Code 1.139). */
async function chooseFromMenu(page: Page, label: string, open: () => Promise<unknown>): Promise<void> {
  const item = await openMenu(page, label, open);
  const focused = page.locator(".context-view .action-item.focused .action-label").filter({ hasText: exactly(label) });
  for (let rest = await page.locator(".context-view .action-item").count(); rest > 0; rest -= 1) {
    if ((await focused.count()) > 0) break;
    await page.keyboard.press("ArrowDown");
  }
  await focused.waitFor();
  await page.keyboard.press("Enter");
  await item.waitFor({ state: "detached" });
}

/** The image orders that have arrived. */
function images({ asked }: LocalGateway): readonly RecordedRequest[] {
  return asked.filter(({ operation }) => operation === "image");
}

/** Checks that a file is, byte for byte, what the image host has behind the link that was followed last. */
async function assertWhole({ imageHost, downloads }: LocalGateway, path: string): Promise<void> {
  const response = await fetch(imageHost.url + (downloads.at(-1)?.path ?? ""));
  assert.ok((await readFile(path)).equals(await response.bytes()));
}

/** Waits until the editor, which wraps lines, shows this. */
async function waitForLink({ editor }: Workbench, link: string): Promise<void> {
  await until(async () => (await editor.text()).replaceAll("\n", "").includes(link), "the link");
}

/** Kills the extension host that asks this gateway, as a crash or a power cut would. */
async function killExtensionHost({ primary }: LocalGateway): Promise<void> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    // Processes come and go meanwhile.
    const read = (file: string): Promise<string> => readFile(`/proc/${id}/${file}`, "utf8").catch(() => "");
    const isHost = (await read("cmdline")).includes("--type=extensionHost");
    if (isHost && (await read("environ")).includes(primary.url)) process.kill(Number(id), "SIGKILL");
  }
}
