import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import type { RecordedRequest } from "../support/gateway/types.ts";
import { hostHash, sha256 } from "./support/hash.ts";
import { orderImage } from "./support/orderImage.ts";
import { sharedSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import { drawnWidth, inWebview } from "./support/webview.ts";

describe("an image from the palette, in a real VS Code", () => {
  it("is the host's file, byte for byte, and asked for with documented fields only", async () => {
    const { workbench, gateway } = await sharedSession();
    await orderImage(workbench, "a wide valley", "1536x1024");
    await workbench.editor.waitForTab("a-wide-valley.png");
    const file = await readFile(join(workbench.workspace, "images", "a-wide-valley.png"));
    assert.equal(sha256(file), await hostHash(gateway));
    assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [1536, 1024]);
    const [request, ...others] = gateway.asked;
    assert.deepEqual(others, []);
    assert.deepEqual(request?.body, { model: "gpt-image-2", prompt: "a wide valley", size: "1536x1024" });
    assert.equal(request.headers.authorization, `Bearer ${gateway.keys.image}`);
    for (const { headers } of gateway.downloads) assert.equal(headers.authorization, undefined);
    const { buttons } = await workbench.notifications.waitFor("The image is saved as images/a-wide-valley.png.");
    assert.deepEqual(buttons, ["Insert Link", "Reveal", "Copy Path", "Generate Again"]);
  });

  it("offers what was last asked, marks the reliable size, and shows the time and Cancel while it waits", async () => {
    const { workbench, gateway } = await sharedSession();
    const { quickInput, notifications } = workbench;
    await orderImage(workbench, "a heron at the pond");
    await workbench.editor.waitForTab("a-heron-at-the-pond.png");
    await drawnWidth(await inWebview(workbench.page, "img.scale-to-fit"));
    await notifications.waitFor(/a-heron-at-the-pond\.png/);
    await notifications.waitForNone(/Generating|Downloading/);
    await workbench.screenshot("image-opened");
    await gateway.reset();
    await notifications.dismissAll();

    gateway.mode({ hold: "beforeHeaders" });
    await workbench.runCommand("Codex Gateway: Generate Image");
    assert.equal((await quickInput.waitFor("Generate an image")).value, "a heron at the pond");
    await workbench.screenshot("image-prompt");
    await quickInput.accept();
    const { labels } = await quickInput.waitFor("Select the image size");
    assert.deepEqual(labels, ["1024x1024", "1536x1024", "1024x1536", "Let the Gateway Choose"]);
    assert.deepEqual(
      (await quickInput.rows()).map(
        ([, description]) => /most reliable|upstream supports|no size/.exec(description ?? "")?.[0],
      ),
      ["most reliable", "upstream supports", "upstream supports", "no size"],
    );
    await workbench.screenshot("image-size");
    await quickInput.accept();
    await notifications.waitFor(/^Generating “a heron at the pond”: 0:0[2-9]$/);
    await workbench.screenshot("image-progress");
    await notifications.click(/Generating/, "Cancel");
    await until("the socket to close", () => gateway.asked[0]?.closed);
    await notifications.waitForNone(/./);
    assert.equal(images(gateway).length, 1);
  });

  it("is not ordered a second time when the primary dies after the request, but Retry orders it", async () => {
    const { workbench, gateway } = await sharedSession();
    gateway.entry("primary").next(1, { broken: "closed" });
    await orderImage(workbench, "a bridge over fog");
    await workbench.notifications.waitFor(/may have been charged/);
    await workbench.screenshot("image-may-be-charged");
    assert.equal(images(gateway).length, 1);
    await workbench.notifications.click(/may have been charged/, "Retry");
    await workbench.editor.waitForTab("a-bridge-over-fog.png");
    assert.equal(images(gateway).length, 2);
  });

  it("is ordered at 1024x1024 where the upstream does not support another size", async () => {
    const { workbench, gateway } = await sharedSession();
    gateway.mode({ sizes: ["1024x1024"] });
    await orderImage(workbench, "a very wide desert", "1536x1024");
    await workbench.notifications.click(/does not support this image size \(400\)/, "Use 1024x1024");
    await workbench.editor.waitForTab("a-very-wide-desert.png");
    assert.deepEqual(
      images(gateway).map(({ body }) => body),
      [
        { model: "gpt-image-2", prompt: "a very wide desert", size: "1536x1024" },
        { model: "gpt-image-2", prompt: "a very wide desert", size: "1024x1024" },
      ],
    );
  });

  it("says that a link has expired, and keeps it for Recover Images until the user gives it up", async () => {
    const { workbench, gateway } = await sharedSession();
    gateway.imageHost.always({ status: 403 });
    await orderImage(workbench, "a door in the wall");
    await workbench.notifications.waitFor(/its link has expired \(403\)/);
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Recover Images");
    await workbench.notifications.click(/its link has expired \(403\)/, "Discard");
    await workbench.runCommand("Codex Gateway: Recover Images");
    await workbench.notifications.waitFor(/nothing to recover/);
    assert.equal(images(gateway).length, 1);
  });

  it("is saved by Retry once the folder can be written", async () => {
    const { workbench, gateway } = await sharedSession();
    const folder = join(workbench.workspace, "images");
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, "in the way");
    await orderImage(workbench, "a stone in the way");
    await workbench.notifications.waitFor(
      /not be saved as images\/a-stone-in-the-way.*disk may be full, or the folder may be read-only/,
    );
    await workbench.screenshot("image-not-saved");
    await rm(folder);
    await workbench.notifications.click(/not be saved as/, "Retry");
    await workbench.editor.waitForTab("a-stone-in-the-way.png");
    assert.equal(images(gateway).length, 1);
    assert.deepEqual(await readdir(folder), ["a-stone-in-the-way.png"]);
  });
});

/** The image orders that have arrived. */
function images({ asked }: LocalGateway): readonly RecordedRequest[] {
  return asked.filter(({ operation }) => operation === "image");
}
