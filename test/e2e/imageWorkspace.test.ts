import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { clickUnderMouse } from "./support/attempts.ts";
import { chooseFromMenu, openMenu } from "./support/chooseFromMenu.ts";
import { openImagesView } from "./support/openImagesView.ts";
import { orderImage } from "./support/orderImage.ts";
import { type Session, sharedSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import { clickInWebview, drawnWidth, inWebview } from "./support/webview.ts";

describe("images in the workspace, in a real VS Code", () => {
  it("are linked from a document in a sub-folder, where the Markdown preview shows them", async () => {
    const { workbench } = await sharedSession();
    await workbench.editor.open("docs/plan.md");
    await orderImage(workbench, "a plan [draft] of a garden");
    await workbench.editor.waitForTab("a-plan-draft-of-a-garden.png");
    await workbench.notifications.click(/a-plan-draft-of-a-garden\.png/, "Insert Link");
    await workbench.editor.waitForTab("plan.md");
    const link = "![a plan \\[draft\\] of a garden](../images/a-plan-draft-of-a-garden.png)";
    const unwrapped = async (): Promise<string> => (await workbench.editor.text()).replaceAll("\n", "");
    await until("the link", async () => (await unwrapped()).includes(link) || undefined);
    await workbench.runCommand("Markdown: Open Preview to the Side");
    const image = await inWebview(workbench.page, "img[src*='a-plan-draft-of-a-garden']");
    assert.equal(await drawnWidth(image), 1024);
    await workbench.screenshot("image-markdown-preview");
    await workbench.runCommand("View: Revert and Close Editor");
    await workbench.runCommand("View: Close All Editors");
  });

  it("are made from a selection", async () => {
    const { workbench, gateway } = await sharedSession();
    const { page } = workbench;
    await workbench.editor.open("README.md");
    await workbench.editor.focus();
    await page.keyboard.press("ControlOrMeta+A");
    await chooseFromMenu(page, "Generate Image", () => page.keyboard.press("Shift+F10"));
    await workbench.quickInput.acceptFirst("Select the image size");
    await workbench.notifications.waitFor(/is saved as/);
    const readme = await readFile(join(workbench.workspace, "README.md"), "utf8");
    assert.deepEqual(gateway.asked[0]?.body, { model: "gpt-image-2", prompt: readme.trim(), size: "1024x1024" });
  });

  it("go into the folder of the explorer's menu", async () => {
    const { workbench } = await sharedSession();
    const { page } = workbench;
    const folder = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "docs" });
    await chooseFromMenu(page, "Generate Image", () => folder.click({ button: "right" }));
    await workbench.quickInput.answer("Generate an image", "a map of the docs");
    await workbench.quickInput.acceptFirst("Select the image size");
    await workbench.notifications.waitFor("The image is saved as docs/a-map-of-the-docs.png.");
  });

  it("take a prompt of many lines from an editor", async () => {
    const { workbench, gateway } = await sharedSession();
    const { page, quickInput } = workbench;
    await workbench.runCommand("Codex Gateway: Generate Image");
    await quickInput.waitFor("Generate an image");
    await quickInput.type("a letter");
    await page.getByRole("button", { name: "Write the Prompt in an Editor" }).click();
    await workbench.editor.waitForText(/^a letter$/);
    await workbench.editor.focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Enter");
    await page.keyboard.insertText("with two lines");
    await workbench.screenshot("image-prompt-editor");
    await page.locator(".editor-actions").getByRole("button", { name: "Generate Image" }).click();
    await quickInput.acceptFirst("Select the image size");
    await workbench.notifications.waitFor(/a-letter-with-two-lines\.png/);
    assert.deepEqual(gateway.asked[0]?.body, {
      model: "gpt-image-2",
      prompt: "a letter\nwith two lines",
      size: "1024x1024",
    });
    await workbench.runCommand("View: Close All Editors");
    await workbench.dialog.click("Don't Save");
  });

  it("stand in the view with prompt, size, tokens and time, over a reload, until their files are deleted", async () => {
    const session = await sharedSession();
    const { workbench } = session;
    await removeAll(session);
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
    assert.match(await (await inWebview(workbench.page, ".total")).innerText(), /^2 images · 10,\d{3} tokens$/);
    await items.first().hover();
    await workbench.screenshot("image-history");

    await workbench.reload();
    await openImagesView(workbench);
    await drawnWidth((await inWebview(workbench.page, "li")).first().locator("img"));
    await clickInWebview(workbench.page, "li:last-child a.picture");
    await workbench.editor.waitForTab("an-old-b-castle-b.png");

    await rm(join(workbench.workspace, "images", "a-new-castle.png"));
    await until("one image alone", async () => {
      const total = await inWebview(workbench.page, ".total");
      // The page is written anew meanwhile.
      const text = await total.innerText().catch(() => "");
      return text.startsWith("1 image ·") || undefined;
    });
  });

  it("are made again from the view's menu", async () => {
    const session = await sharedSession();
    const { workbench, gateway } = session;
    await orderImage(workbench, "a castle twice");
    await workbench.notifications.waitFor(/a-castle-twice\.png/);
    await openImagesView(workbench);
    await workbench.notifications.dismissAll();
    const open = (): Promise<void> => clickInWebview(workbench.page, "li .prompt", "right");
    await openMenu(workbench.page, "Copy Image Path", open);
    await workbench.screenshot("image-history-menu");
    await workbench.page.keyboard.press("Escape");
    await chooseFromMenu(workbench.page, "Generate Image Again", open);
    await workbench.notifications.waitFor(/is saved as/);
    assert.equal(gateway.asked.length, 2);
  });

  it("are ordered and recovered from the buttons of the view", async () => {
    const session = await sharedSession();
    const { workbench } = session;
    await orderImage(workbench, "a castle behind buttons");
    await workbench.notifications.waitFor(/a-castle-behind-buttons\.png/);
    await openImagesView(workbench);
    const header = workbench.page.locator(".pane-header", { hasText: "Codex Images" });
    await clickUnderMouse(header, header.getByRole("button", { name: "Generate Image" }));
    await workbench.quickInput.waitFor("Generate an image");
    await workbench.quickInput.cancel();
    await chooseFromMenu(workbench.page, "Recover Images", () =>
      clickUnderMouse(header, header.locator(".codicon-toolbar-more")),
    );
    await workbench.notifications.waitFor(/nothing to recover/);
  });

  it("are linked, copied by path and revealed from the palette, the newest first", async () => {
    const { workbench, gateway } = await sharedSession();
    const { editor, page } = workbench;
    await orderImage(workbench, "a barn owl");
    await editor.waitForTab("a-barn-owl.png");
    await editor.open("docs/plan.md");
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+End");
    await workbench.runCommand("Codex Gateway: Insert Image Link");
    await editor.waitForText(/!\[a barn owl\]\(\.\.\/images\/a-barn-owl\.png\)/);
    await workbench.runCommand("Codex Gateway: Copy Image Path");
    await editor.focus();
    await until("the path", async () => {
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.press("ControlOrMeta+V");
      const path = (await editor.text()).replaceAll("\n", "");
      return path === join(workbench.workspace, "images", "a-barn-owl.png") || undefined;
    });
    await workbench.runCommand("View: Revert and Close Editor");
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "README.md" }).click();
    await workbench.runCommand("Codex Gateway: Reveal Image");
    await page.locator(".explorer-folders-view .monaco-list-row.selected", { hasText: "a-barn-owl.png" }).waitFor();
    await workbench.runCommand("Codex Gateway: Generate Image Again");
    assert.match(await workbench.dialog.text(), /Generate an image\?\s+“a barn owl”\s+Size: 1024x1024\. It is charged/);
    await workbench.screenshot("image-confirm");
    await workbench.dialog.cancel();
    assert.equal(gateway.asked.length, 1);
    await workbench.runCommand("Codex Gateway: Generate Image Again");
    await workbench.dialog.click("Generate");
    await workbench.notifications.waitFor(/a-barn-owl-2\.png/);
  });

  it("are forgotten after a question, those that are paid for and not saved with them", async () => {
    const { workbench, gateway } = await sharedSession();
    const { dialog, notifications } = workbench;
    await orderImage(workbench, "a gate that opens");
    await notifications.waitFor(/a-gate-that-opens\.png/);
    await notifications.dismissAll();
    gateway.imageHost.always({ status: 403 });
    await orderImage(workbench, "a gate that stays shut");
    await notifications.waitFor(/its link has expired \(403\)/);
    await notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Clear History");
    assert.match(await dialog.text(), /image files are kept\.\s+1 image is paid for but not saved yet\./);
    await workbench.screenshot("image-clear-history");
    await dialog.cancel();
    await openImagesView(workbench);
    await (await inWebview(workbench.page, "li .prompt")).first().waitFor();
    await workbench.runCommand("Codex Gateway: Clear History");
    await dialog.click("Clear");
    await workbench.page.locator(".pane-header", { hasText: "Codex Images" }).waitFor({ state: "detached" });
    await workbench.runCommand("Codex Gateway: Recover Images");
    await notifications.waitFor(/nothing to recover/);
    await workbench.runCommand("Codex Gateway: Generate Image");
    assert.equal((await workbench.quickInput.waitFor("Generate an image")).value, "");
    await workbench.quickInput.cancel();
    assert.ok(globSync("images/*.png", { cwd: workbench.workspace }).length > 0);
  });
});

async function removeAll({ workbench }: Session): Promise<void> {
  for (const file of globSync("*/*.png", { cwd: workbench.workspace })) await rm(join(workbench.workspace, file));
}
