import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { copyWorkspace } from "../support/host/copyWorkspace.ts";
import { vsixPath } from "../../scripts/paths.ts";
import { createProfile, type Profile } from "../support/host/profile.ts";
import { installExtensions, startServer } from "../support/host/server.ts";
import { closeByEscape } from "./support/attempts.ts";
import { visitWorkbench, type Workbench } from "./support/workbench.ts";

/** The backup entry of the gateway stands for an address that the keys were not entered for, and that takes them. */
describe("keys whose entries change behind the user's back, in a real VS Code", () => {
  const cleanup = new AsyncDisposableStack();
  let gateway: LocalGateway;
  let stranger: LocalGateway;
  let profile: Profile;
  let workbench: Workbench;

  /** As another extension or the definition of a dev container may. */
  async function changeEntries(baseUrl: string, backupBaseUrl = ""): Promise<void> {
    const isNew = (await workbench.statusBarItem("GPT-5.5").count()) === 0;
    const [model, name] = isNew ? (["gpt-5.5", "GPT-5.5"] as const) : (["gpt-5.4", "GPT-5.4"] as const);
    const settings = {
      "codexGateway.baseUrl": baseUrl,
      "codexGateway.backupBaseUrl": backupBaseUrl,
      "codexGateway.chat.model": model,
    };
    await writeFile(join(profile.userData, "Machine", "settings.json"), JSON.stringify(settings));
    await workbench.statusBarItem(new RegExp(`${RegExp.escape(name)} ·`)).waitFor();
  }

  const sent = (): readonly (readonly [string, string | undefined])[] =>
    gateway.asked.map(({ entry, headers }) => [entry, headers.authorization]);

  before(async () => {
    gateway = cleanup.use(await startGateway());
    stranger = cleanup.use(await startGateway());
    profile = await createProfile();
    cleanup.defer(() => profile.remove());
    const { folder } = cleanup.use(await copyWorkspace());
    await installExtensions(profile, [vsixPath]);
    const noKeys = { CODEX_GATEWAY_API_KEY: undefined, CODEX_GATEWAY_IMAGE_API_KEY: undefined };
    const server = await startServer({ profile, env: noKeys });
    cleanup.defer(() => server.stop());
    workbench = await visitWorkbench({ url: server.url(folder), workspace: folder });
    cleanup.defer(() => workbench.close());

    const { quickInput } = workbench;
    await workbench.runCommand("Codex Gateway: Set Up");
    await quickInput.answer(/primary entry/, gateway.primary.url);
    await quickInput.answer(/backup entry/, "");
    await quickInput.answer(/codex group/, gateway.keys.codex);
    await quickInput.answer(/image group/, gateway.keys.image);
    await workbench.dialog.click("Only @codex");
    assert.equal((await quickInput.waitFor("Test Connection")).placeholder, "All tests with a key passed.");
    await changeEntries(gateway.backup.url);
  });
  beforeEach(async () => {
    await gateway.reset();
    await workbench.chat.waitUntilIdle();
    await workbench.tidyUp();
  });
  after(() => cleanup.disposeAsync());

  it("stay here when the question with both addresses is answered with Cancel", async () => {
    const { chat, dialog } = workbench;
    await chat.send("@codex Where does my key go?");
    const text = await dialog.text();
    assert.ok(text.includes(`Send your API keys to ${gateway.backup.url}?`), text);
    assert.ok(text.includes(`entered for ${gateway.primary.url}`), text);
    assert.deepEqual((await dialog.buttons()).toSorted(), ["Cancel", "Open Settings", "Send Keys"]);
    await workbench.screenshot("key-question");
    await dialog.click("Cancel");
    assert.match(await chat.waitForAnswer(/entered for another address/), /codex group was not sent to http:/);
    assert.deepEqual(sent(), []);
  });

  it("stay here when the question is answered with Enter unread, which shows the setting", async () => {
    const { chat, dialog, page } = workbench;
    await chat.send("@codex Where does my key go?");
    await dialog.text();
    await dialog.accept();
    const settings = page.locator(".settings-editor");
    await settings.waitFor();
    await chat.waitForAnswer(/entered for another address/);
    assert.deepEqual(sent(), []);
    await closeByEscape(page, settings);
  });

  it("go there once the user agrees, and no more is asked", async () => {
    const { chat, dialog } = workbench;
    await chat.send("@codex Who answers?");
    await dialog.click("Send Keys");
    await chat.waitForAnswer(/Answered by/);
    // VS Code fills the input anew when an answer ends.
    await chat.waitUntilIdle();
    await chat.ask("@codex And now?");
    await workbench.runCommand("Codex Gateway: Test Connection");
    const { placeholder } = await workbench.quickInput.waitFor("Test Connection");
    assert.equal(placeholder, "All tests with a key passed.");
    const [first, second] = sent();
    assert.deepEqual([first, second], Array(2).fill(["backup", `Bearer ${gateway.keys.codex}`]));
  });

  it("are refused to one entry, and the other answers", async () => {
    const { chat, dialog } = workbench;
    await changeEntries(stranger.primary.url, gateway.backup.url);
    await chat.send("@codex Who answers?");
    await dialog.click("Cancel");
    await chat.waitForAnswer(/Answered by/);
    assert.deepEqual(sent(), [["backup", `Bearer ${gateway.keys.codex}`]]);
    assert.deepEqual([...stranger.requests], []);
  });

  it("are asked about once by Test Connection, which tells the refusal", async () => {
    await workbench.runCommand("Codex Gateway: Test Connection");
    await workbench.dialog.click("Cancel");
    const { placeholder } = await workbench.quickInput.waitFor("Test Connection");
    assert.equal(placeholder, "2 of 4 tests failed. Select one for help.");
    assert.deepEqual([...stranger.requests], []);
  });

  it("belong to the new entries once Set Up has confirmed them", async () => {
    const { chat, quickInput } = workbench;
    await workbench.runCommand("Codex Gateway: Set Up");
    await quickInput.answer(/primary entry/, stranger.primary.url);
    await quickInput.answer(/backup entry/, "");
    await quickInput.answer(/codex group/, stranger.keys.codex);
    await quickInput.answer(/image group/, "");
    await quickInput.waitFor("Test Connection");
    await quickInput.cancel();
    await chat.ask("@codex Who answers?");
    assert.equal(stranger.asked.at(-1)?.headers.authorization, `Bearer ${stranger.keys.codex}`);

    await changeEntries(gateway.primary.url);
    await chat.send("@codex Who answers?");
    assert.match(await workbench.dialog.text(), new RegExp(`entered for ${RegExp.escape(stranger.primary.url)}`));
    await workbench.dialog.click("Cancel");
    await chat.waitForAnswer(/entered for another address/);
    assert.deepEqual(sent(), []);
  });
});
