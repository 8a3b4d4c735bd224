import assert from "node:assert/strict";
import { mkdir, readdir, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { copyWorkspace } from "../support/host/copyWorkspace.ts";
import { orderImage } from "./support/orderImage.ts";
import { withOwnSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("where an image goes, in a real VS Code", () => {
  describe("with several workspace folders", () => {
    let gateway: LocalGateway;
    let workbench: Workbench;
    let first: string;
    let second: string;

    withOwnSession(
      async (local, cleanup) => {
        first = cleanup.use(await copyWorkspace()).folder;
        second = join(dirname(first), "second");
        await mkdir(join(second, ".vscode"), { recursive: true });
        await writeFile(join(second, "notes.md"), "# Notes\n");
        await writeFile(join(second, ".vscode", "settings.json"), '{ "codexGateway.image.folder": "art/new" }');
        const workspace = join(dirname(first), "both.code-workspace");
        await writeFile(workspace, JSON.stringify({ folders: [{ path: first }, { path: second }] }));
        return { ...connectedTo(local), workspace };
      },
      (session) => ({ gateway, workbench } = session),
    );

    it("the user is asked while no file is open, and nothing is ordered without an answer", async () => {
      const { quickInput } = workbench;
      await workbench.runCommand("Codex Gateway: Generate Image");
      const { labels } = await quickInput.waitForPlaceholder("Where do you want to save the image?");
      assert.deepEqual(labels, ["greetings", "second"]);
      await workbench.screenshot("image-which-folder");
      await quickInput.cancel();
      assert.deepEqual(gateway.asked, []);
      await workbench.runCommand("Codex Gateway: Generate Image");
      await quickInput.waitForPlaceholder("Where do you want to save the image?");
      await quickInput.pick("greetings");
      await finishOrder(workbench, "an asked owl");
      await workbench.editor.waitForTab("an-asked-owl.png");
      assert.deepEqual(await readdir(join(first, "images")), ["an-asked-owl.png"]);
      assert.equal(gateway.asked.length, 1);
    });

    it("it goes to the folder of the active file, by that folder's own setting", async () => {
      await workbench.editor.open(join(second, "notes.md"));
      await orderImage(workbench, "a second owl");
      await workbench.editor.waitForTab("a-second-owl.png");
      assert.deepEqual(await readdir(join(second, "art", "new")), ["a-second-owl.png"]);
      await workbench.notifications.click("The image is saved as second/art/new/a-second-owl.png.", "Insert Link");
      await workbench.editor.waitForText(/!\[a second owl\]\(art\/new\/a-second-owl\.png\)/);
      await workbench.runCommand("View: Revert and Close Editor");
    });

    it("it goes nowhere, and nothing is ordered, where the folder is a link that leads out of the workspace", async () => {
      const outside = join(dirname(first), "outside");
      await mkdir(outside);
      await workbench.editor.open(join(second, "notes.md"));
      await rm(join(second, "art"), { recursive: true, force: true });
      await symlink(outside, join(second, "art"), "junction");
      await workbench.runCommand("Codex Gateway: Generate Image");
      const { buttons } = await workbench.notifications.waitFor(
        "The image folder second/art/new links to a location outside the workspace, so nothing is saved there. Choose another folder.",
      );
      assert.deepEqual(buttons, ["Open Settings"]);
      await workbench.screenshot("image-linked-folder");
      await unlink(join(second, "art"));
      assert.deepEqual(await readdir(outside), []);
      assert.deepEqual(gateway.asked, []);
    });

    it("it goes to another folder by Save Elsewhere where its own cannot be written to", async () => {
      await workbench.editor.open(join(second, "notes.md"));
      await writeFile(join(second, "art"), "in the way");
      await orderImage(workbench, "a homeless owl");
      await workbench.notifications.click(/not be saved as .*art\/new\/a-homeless-owl/, "Save Elsewhere…");
      await workbench.screenshot("image-save-elsewhere");
      await chooseFolder(workbench, join(first, "docs"));
      await workbench.editor.waitForTab("a-homeless-owl.png");
      await workbench.notifications.waitFor("The image is saved as greetings/docs/a-homeless-owl.png.");
      assert.equal(gateway.asked.length, 1);
    });
  });

  describe("without a workspace", () => {
    let gateway: LocalGateway;
    let workbench: Workbench;

    withOwnSession(
      (local) => ({ ...connectedTo(local), isEmpty: true }),
      (session) => ({ gateway, workbench } = session),
    );

    it("the user is asked where to save it, and nothing is ordered without an answer", async () => {
      const { quickInput, notifications } = workbench;
      await workbench.runCommand("Codex Gateway: Generate Image");
      await quickInput.waitFor("Choose a folder for the image");
      await workbench.screenshot("image-no-workspace");
      await quickInput.cancel();
      assert.deepEqual(gateway.asked, []);
      await workbench.runCommand("Codex Gateway: Generate Image");
      await chooseFolder(workbench, join(workbench.workspace, "docs"));
      await finishOrder(workbench, "a lonely owl");
      await workbench.editor.waitForTab("a-lonely-owl.png");
      await notifications.waitFor(/saved as .*docs\/a-lonely-owl\.png/);
      await workbench.screenshot("image-no-workspace-saved");
      assert.equal(gateway.asked.length, 1);
      // A browser has no file manager.
      await notifications.click(/saved as .*docs\/a-lonely-owl\.png/, "Reveal");
      await until("the path of the image", async () => {
        const { buttons } = await notifications.waitFor(/saved as .*docs\/a-lonely-owl\.png/);
        return buttons.join() === "Copy Path" || undefined;
      });
    });
  });
});

/** Answers VS Code's own dialog with a folder that has no folders inside, so that the list is seen to follow. */
async function chooseFolder({ quickInput }: Workbench, folder: string): Promise<void> {
  await quickInput.waitFor("Choose a folder for the image");
  const path = join(folder, "/");
  await until("the folder to be read", async () => {
    const { value, labels = [] } = (await quickInput.view()) ?? {};
    // The dialog writes where it begins into the field as soon as it knows, over what was typed before.
    if (value !== path) await quickInput.type(path);
    return (value === path && labels.length === 1 && labels[0] === "..") || undefined;
  });
  await quickInput.accept();
}

async function finishOrder({ quickInput }: Workbench, prompt: string): Promise<void> {
  await quickInput.answer("Generate an image", prompt);
  await quickInput.acceptFirst("Select the image size");
}
