import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { withOwnSession } from "./support/session.ts";
import { succeeded, until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("Set Up, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    // VS Code's chat cannot come on, because this host runs no extension there.
    () => ({ settings: { "remote.extensionKind": { "GitHub.copilot-chat": ["ui"] } } }),
    (session) => ({ gateway, workbench } = session),
  );

  /** The step that is shown once the one before is accepted. */
  async function answerSteps(...texts: readonly string[]): Promise<void> {
    const titles = [/primary entry/, /backup entry/, /codex group/, /image group/];
    for (const [index, text] of texts.entries()) await workbench.quickInput.answer(titles[index] ?? "", text);
  }

  it("says why a URL is refused while it is typed, and does not take it", async () => {
    const { quickInput } = workbench;
    await workbench.runCommand("Codex Gateway: Set Up");
    await quickInput.waitFor("Set Up: primary entry (1/4)");
    const refusals: readonly (readonly [string, RegExp])[] = [
      ["gateway.example.com", /not a URL/],
      ["ftp://gateway.example.com", /does not start with https/],
      ["https://me:pw@gateway.example.com", /user name or password/],
      ["https://gateway.example.com?x=1", /query/],
      [`https://gateway.example.com/${gateway.keys.codex}`, /contains an API key/],
      ["https://gateway.example.com\\v1", /backslashes/],
    ];
    for (const [text, reason] of refusals) {
      await quickInput.type(text);
      await quickInput.waitForMessage(reason);
      await quickInput.accept();
      assert.equal((await quickInput.view())?.title, "Set Up: primary entry (1/4)");
    }
    await workbench.screenshot("set-up-refused");
  });

  it("sends a key over plain http only after an explicit yes", async () => {
    const { quickInput } = workbench;
    const question = "Send your API key unencrypted to http://gateway.example.com?";
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps("http://gateway.example.com");
    await quickInput.waitFor(question);
    await workbench.screenshot("set-up-insecure");
    await quickInput.accept();
    assert.equal((await quickInput.waitFor(/primary entry/)).value, "http://gateway.example.com");
    await quickInput.accept();
    await quickInput.waitFor(question);
    await quickInput.pick("Send Unencrypted");
    await quickInput.waitFor(/backup entry/);
  });

  it("takes no backup that is the primary, and keeps what was typed on the way back", async () => {
    const { quickInput, page } = workbench;
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps("https://one.example.com/v1", "https://one.example.com");
    await quickInput.waitForMessage(/must differ/);
    await quickInput.type("https://two.example.com");
    await quickInput.accept();
    await quickInput.waitFor(/codex group/);
    const back = page.locator(".quick-input-widget:visible .codicon-quick-input-back");
    await back.click();
    assert.equal((await quickInput.waitFor(/backup entry/)).value, "https://two.example.com");
    await back.click();
    assert.equal((await quickInput.waitFor(/primary entry/)).value, "https://one.example.com");
  });

  it("goes on with what the user wanted once everything is there", async () => {
    const { notifications, chat } = workbench;
    assert.match(await chat.ask("@codex Why is the sky blue?"), /No gateway is set up yet/);
    await notifications.click(/No gateway is set up yet/, "Set Up");
    await answerSteps(gateway.primary.url, "", gateway.keys.codex, "");
    assert.match(await chat.waitForAnswer(/primary entry/), /Why is the sky blue\?/);

    await workbench.runCommand("Codex Gateway: Generate Image");
    await workbench.quickInput.answer(/image/i, "a harbor in the fog");
    await workbench.quickInput.pick("1024x1024");
    await notifications.click(/No API key of the image group/, "Set API Key");
    await workbench.quickInput.answer(/image group/, gateway.keys.image);
    await workbench.editor.waitForTab(/^a-harbor-in-the-fog.*\.png$/);
  });

  it("keeps a stored key that is not typed again, and never shows it", async () => {
    const { quickInput } = workbench;
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps(gateway.primary.url, "", gateway.keys.codex, gateway.keys.image);
    await workbench.dialog.click("Only @codex");
    await quickInput.waitFor("Test Connection");
    await quickInput.cancel();
    await workbench.runCommand("Codex Gateway: Set Up");
    assert.equal((await quickInput.waitFor(/primary entry/)).value, gateway.primary.url);
    await answerSteps(gateway.primary.url, gateway.backup.url);
    const step = await quickInput.waitFor(/codex group/);
    assert.equal(step.value, "");
    assert.ok(step.isPassword);
    assert.match(step.message, /A key is stored\. Leave this empty to keep it/);
    await quickInput.accept();
    await quickInput.answer(/image group/, "");
    assert.equal((await quickInput.waitFor("Test Connection")).placeholder, "All tests with a key passed.");
  });

  it("asks before it turns on what the user has turned off, and leaves what the workspace turns off", async () => {
    await connect();
    const before = await readFile(userSettings(), "utf8");
    // A window that opens has read its settings; one that is open does not watch them for changes from outside.
    await writeFile(userSettings(), before.replace("{", '{ "chat.disableAIFeatures": true, '));
    await workbench.reload();
    await connect();
    await workbench.runCommand("Codex Gateway: Use in VS Code's Chat");
    const question = await workbench.dialog.text();
    assert.match(question, /You have turned off VS Code's AI features\.[^]*chat\.disableAIFeatures: true → false/);
    await workbench.screenshot("everywhere-was-off");
    await workbench.dialog.cancel();
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder);
    await writeFile(join(folder, "settings.json"), '{ "chat.disableAIFeatures": true }');
    await until("the command to leave it", async () => {
      await workbench.runCommand("Codex Gateway: Use in VS Code's Chat");
      const isLeft = workbench.notifications.waitFor(/turned off by a policy or by this workspace/, 2_000);
      if (await succeeded(isLeft)) return true;
      await workbench.dialog.cancel();
      return undefined;
    });
    await rm(folder, { recursive: true });
    await writeFile(userSettings(), before);
    await workbench.reload();
  });

  it("says what to do by hand where VS Code's chat does not come on, and leaves the settings as they were", async () => {
    await connect();
    await workbench.runCommand("Codex Gateway: Use in VS Code's Chat");
    assert.match(await workbench.dialog.text(), /chat\.disableAIFeatures: not set → false/);
    await workbench.dialog.click("Use Everywhere");
    const { buttons } = await workbench.notifications.waitFor(/VS Code did not turn on its chat, so your settings are/);
    assert.deepEqual(buttons, ["Open Extensions", "Show Log"]);
    assert.doesNotMatch(await readFile(userSettings(), "utf8"), /"chat\./);
  });

  /** Names the gateway in a window where no test has set it up. */
  async function connect(): Promise<void> {
    const file = join(workbench.userData, "Machine", "settings.json");
    await writeFile(file, JSON.stringify({ "codexGateway.baseUrl": gateway.primary.url }));
    await workbench.statusBarItem(/primary$|no key/).waitFor();
  }

  const userSettings = (): string => join(workbench.userData, "User", "settings.json");
});
