import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { startGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { copyWorkspace } from "../support/host/copyWorkspace.ts";
import { packageAs } from "../../scripts/packageExtension.ts";
import { vsixPath } from "../../scripts/paths.ts";
import { createProfile } from "../support/host/profile.ts";
import { installExtensions, startServer } from "../support/host/server.ts";
import { visitWorkbench } from "./support/workbench.ts";

/**
 * This host keeps secrets in the page's memory, so a stored key cannot outlive the reload that an upgrade needs; its
 * name does not change with the version (test/settings). The keys here come from the environment, the settings from the
 * profile, and what the extension itself has kept is the list of images.
 */
describe("a new version", () => {
  it("installs over the previous one and keeps settings, keys and images", async () => {
    await using cleanup = new AsyncDisposableStack();
    const gateway = cleanup.use(await startGateway());
    const { settings, env } = connectedTo(gateway, { "codexGateway.image.size": "1024x1024" });
    const profile = await createProfile(settings);
    cleanup.defer(() => profile.remove());
    const { folder } = cleanup.use(await copyWorkspace());
    const old = await mkdtemp(join(tmpdir(), "codex-gateway-"));
    cleanup.defer(() => rm(old, { recursive: true }));
    const previous = join(old, "previous.vsix");
    await packageAs("0.9.0", previous);
    await installExtensions(profile, [previous]);
    assert.deepEqual(await versions(profile.extensions), ["codex-gateway.codex-gateway-0.9.0"]);
    const server = await startServer({ profile, env });
    cleanup.defer(() => server.stop());
    const workbench = await visitWorkbench({ url: server.url(folder), workspace: folder });
    cleanup.defer(() => workbench.close());
    await workbench.runCommand("Codex Gateway: Generate Image");
    await workbench.quickInput.answer("Generate an image", "a bridge between versions");
    await workbench.notifications.waitFor(/is saved as/);

    await installExtensions(profile, [vsixPath]);
    await workbench.reload();
    assert.ok((await versions(profile.extensions)).includes(`codex-gateway.codex-gateway-${manifest.version}`));
    assert.match(await workbench.chat.ask("@codex Which version answers?"), /Which version answers/);
    assert.equal(gateway.asked.at(-1)?.headers.authorization, `Bearer ${gateway.keys.codex}`);
    await workbench.runCommand("Codex Gateway: Open Image");
    await workbench.editor.waitForTab("a-bridge-between-versions.png");
  });
});

async function versions(extensions: string): Promise<readonly string[]> {
  return (await readdir(extensions)).filter((name) => name.startsWith("codex-gateway."));
}
