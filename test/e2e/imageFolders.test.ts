import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo, copyWorkspace } from "../support/host/profile.ts";
import { finishOrder, orderImage } from "./support/images.ts";
import { withSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("where an image goes, in a real VS Code with several workspace folders", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;
  let first: string;
  let second: string;

  withSession(
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

  it("is asked of the user while no file is open, and nothing is ordered without an answer", async () => {
    const { editor, quickInput } = workbench;
    const place = "Where do you want to save the image?";
    await workbench.runCommand("Codex Gateway: Generate Image");
    assert.deepEqual((await quickInput.waitFor(place)).labels, ["greetings", "second"]);
    await quickInput.cancel();
    assert.deepEqual(gateway.asked, []);
    await workbench.runCommand("Codex Gateway: Generate Image");
    await quickInput.waitFor(place);
    await quickInput.pick("greetings");
    await finishOrder(workbench, "an asked owl");
    await editor.waitForTab("an-asked-owl.png");
    assert.deepEqual(await readdir(join(first, "images")), ["an-asked-owl.png"]);
  });

  it("is the folder of the active file, by that folder's own setting, or another by Save Elsewhere", async () => {
    const { editor, notifications } = workbench;
    await editor.open(join(second, "notes.md"));
    await orderImage(workbench, "a second owl");
    await notifications.waitFor("The image is saved as second/art/new/a-second-owl.png.");
    assert.deepEqual(await readdir(join(second, "art", "new")), ["a-second-owl.png"]);
    await editor.open(join(second, "notes.md"));
    await rm(join(second, "art"), { recursive: true });
    await writeFile(join(second, "art"), "in the way");
    await orderImage(workbench, "a homeless owl");
    await notifications.click(/not be saved as .*art\/new\/a-homeless-owl/, "Save Elsewhere…");
    await chooseFolder(workbench, join(first, "docs"));
    await notifications.waitFor("The image is saved as greetings/docs/a-homeless-owl.png.");
    assert.equal(gateway.asked.length, 2);
  });

  it("is asked of the user in a window without a folder", async () => {
    const { quickInput, notifications } = workbench;
    await workbench.openEmptyWindow();
    await workbench.runCommand("Codex Gateway: Generate Image");
    await quickInput.waitFor("Choose a folder for the image");
    await quickInput.cancel();
    assert.deepEqual(gateway.asked, []);
    await workbench.runCommand("Codex Gateway: Generate Image");
    await chooseFolder(workbench, join(second, ".vscode"));
    await finishOrder(workbench, "a lonely owl");
    // A browser has no file manager.
    const saved = /saved as .*\.vscode\/a-lonely-owl\.png/;
    await notifications.click(saved, "Reveal");
    const buttons = async (): Promise<string> => (await notifications.waitFor(saved)).buttons.join();
    await until(async () => (await buttons()) === "Copy Path", "the path of the image");
  });
});

/** Answers VS Code's own dialog with a folder that has no folders inside, so that the list is seen to follow. */
async function chooseFolder({ quickInput }: Workbench, folder: string): Promise<void> {
  await quickInput.waitFor("Choose a folder for the image");
  const path = join(folder, "/");
  await until(async () => {
    const { value, labels = [] } = (await quickInput.view()) ?? {};
    // The dialog writes where it begins into the field as soon as it knows, over what was typed before.
    if (value !== path) await quickInput.type(path);
    return value === path && labels.length === 1 && labels[0] === "..";
  }, "the folder to be read");
  await quickInput.accept();
}
