import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { orderImage } from "./support/orderImage.ts";
import { sharedSession } from "./support/session.ts";

describe("the main job, in a real VS Code", () => {
  it("answers @codex over HTTP", async () => {
    const { workbench, gateway } = await sharedSession();
    const answer = await workbench.chat.ask("@codex What does a lighthouse do?");
    assert.match(answer, /lighthouse/);
    assert.deepEqual(
      gateway.asked.map(({ operation }) => operation),
      ["chat"],
    );
  });

  it("generates an image into the workspace and opens it", async () => {
    const { workbench } = await sharedSession();
    await orderImage(workbench, "a lighthouse that waves");
    const name = await workbench.editor.waitForTab(/\.png$/);
    const [path] = globSync(`**/${name}`, { cwd: workbench.workspace });
    assert.ok(path);
    const file = await readFile(join(workbench.workspace, path));
    assert.equal(file.subarray(1, 4).toString("latin1"), "PNG");
  });
});
