import assert from "node:assert/strict";
import { commands, extensions } from "vscode";
import { commandNames, prefix } from "../../src/manifest.ts";

describe("activation", () => {
  it("activates without anything being set up", async () => {
    const extension = extensions.getExtension("codex-gateway.codex-gateway");
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it("registers every contributed command", async () => {
    await extensions.getExtension("codex-gateway.codex-gateway")?.activate();
    const registered = await commands.getCommands(true);
    const missing = commandNames.filter((name) => !registered.includes(`${prefix}.${name}`));
    assert.deepEqual(missing, []);
  });
});
