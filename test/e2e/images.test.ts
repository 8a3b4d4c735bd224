import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { orderImage } from "./support/orderImage.ts";
import { sharedSession } from "./support/session.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";

describe("an image from the palette, in a real VS Code", () => {
  const cases = [
    { size: "1024x1024", prompt: "a square of blue tiles", pixels: [1024, 1024] },
    { size: "1536x1024", prompt: "a wide valley", pixels: [1536, 1024] },
    { size: "1024x1536", prompt: "a tall tower", pixels: [1024, 1536] },
    { size: "Let the Gateway Choose", prompt: "a cloud of any shape", pixels: [1024, 1024] },
  ] as const;
  for (const { size, prompt, pixels } of cases) {
    it(`is the host's file, byte for byte, and asked for with documented fields only: ${size}`, async () => {
      const { workbench, gateway } = await sharedSession();
      await orderImage(workbench, prompt, size);
      const name = `${prompt.replaceAll(" ", "-")}.png`;
      await workbench.editor.waitForTab(name);
      const file = await readFile(join(workbench.workspace, "images", name));
      assert.equal(sha256(file), await hostHash(gateway));
      assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], pixels);
      const [request, ...others] = gateway.requests;
      assert.deepEqual(others, []);
      assert.deepEqual(request?.body, { model: "gpt-image-2", prompt, ...(size.includes("x") && { size }) });
      assert.equal(request.headers.authorization, `Bearer ${gateway.keys.image}`);
      assert.ok(gateway.downloads.length > 0);
      for (const { headers } of gateway.downloads) assert.equal(headers.authorization, undefined);
      await workbench.notifications.waitFor(`“${prompt}” is saved as images/${name}.`);
      await workbench.screenshot(`image-${size.replaceAll(" ", "-")}`);
    });
  }
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What the image host has behind the link that was followed last. */
async function hostHash({ imageHost, downloads }: LocalGateway): Promise<string> {
  const path = downloads.at(-1)?.path ?? "";
  return sha256(await (await fetch(imageHost.url + path)).bytes());
}
