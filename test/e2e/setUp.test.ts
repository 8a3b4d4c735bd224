import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Locator } from "playwright-core";
import { vsixPath } from "../../scripts/paths.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { orderImage } from "./support/images.ts";
import { withSession } from "./support/session.ts";
import { closeByEscape, succeeded } from "./support/attempts.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("the first minute, Set Up and keys, in a real VS Code", () => {
  let gateway: LocalGateway;
  let stranger: LocalGateway;
  let workbench: Workbench;
  let chat: Workbench["chat"];
  let dialog: Workbench["dialog"];
  let notifications: Workbench["notifications"];
  let quickInput: Workbench["quickInput"];

  withSession(
    async (_, cleanup) => {
      stranger = cleanup.use(await startGateway());
      // VS Code's chat cannot come on, because this host runs no extension there.
      return { extensions: [], settings: { "remote.extensionKind": { "GitHub.copilot-chat": ["ui"] } } };
    },
    (session) => {
      ({ gateway, workbench } = session);
      ({ chat, dialog, notifications, quickInput } = workbench);
    },
    { isSequence: true },
  );

  /** The step that is shown once the one before is accepted. */
  async function answerSteps(...texts: readonly string[]): Promise<void> {
    const titles = [/primary entry/, /backup entry/, /codex group/, /image group/];
    for (const [index, text] of texts.entries()) await quickInput.answer(titles[index] ?? "", text);
  }

  const machineSettings = (): string => join(workbench.userData, "Machine", "settings.json");

  /** As another extension or the definition of a dev container may. */
  async function changeEntries(baseUrl: string, backupBaseUrl = ""): Promise<void> {
    const isNew = (await workbench.statusBarItem("GPT-5.5").count()) === 0;
    const [model, name] = isNew ? (["gpt-5.5", "GPT-5.5"] as const) : (["gpt-5.4", "GPT-5.4"] as const);
    const settings = {
      "codexGateway.baseUrl": baseUrl,
      "codexGateway.backupBaseUrl": backupBaseUrl,
      "codexGateway.chat.model": model,
    };
    await writeFile(machineSettings(), JSON.stringify(settings));
    await workbench.statusBarItem(new RegExp(`${RegExp.escape(name)} ·`)).waitFor();
  }

  const sent = (): readonly (readonly [string, string | undefined])[] =>
    gateway.asked.map(({ entry, headers }) => [entry, headers.authorization]);

  /** The circle before a step of the walkthrough that is ticked, or not. */
  const step = (id: string, isDone: boolean): Locator =>
    workbench.page.locator(`[data-done-step-id$="#getStarted#${id}"][aria-checked="${isDone}"]:visible`);

  const openWalkthrough = async (): Promise<void> => {
    await workbench.runCommand("Welcome: Open Walkthrough...");
    await quickInput.pick("Get Started with Codex Gateway");
  };

  it("offers set-up and walkthrough when the VSIX is installed", async () => {
    // VS Code offers this once it knows that its server can install extensions.
    await workbench.waitForCommand("Extensions: Install from VSIX...");
    await workbench.runCommand("Extensions: Install from VSIX...");
    await quickInput.waitFor("Install from VSIX");
    // Once it lists the folder that it starts in, it no longer changes what is typed.
    await quickInput.row("..").waitFor();
    await quickInput.type(join(dirname(vsixPath), "/"));
    await quickInput.pick(basename(vsixPath));
    const { buttons } = await notifications.waitFor(/Codex Gateway is installed/);
    assert.deepEqual(buttons, ["Set Up", "Get Started"]);
    await workbench.statusBarItem("Set Up Codex Gateway").waitFor();
  });

  it("completes a URL, and says why one is refused while it is typed", async () => {
    await workbench.runCommand("Codex Gateway: Set Up");
    await quickInput.waitFor("Set Up: primary entry (1/4)");
    await quickInput.type("127.0.0.1:9/one");
    await quickInput.waitForMessage("Used as http://127.0.0.1:9/one");
    await quickInput.type(`https://gateway.example.com/${gateway.keys.codex}`);
    await quickInput.waitForMessage(/contains an API key/);
    await quickInput.accept();
    assert.equal((await quickInput.view())?.title, "Set Up: primary entry (1/4)");
    await quickInput.type("https://a.example/[x](command:workbench.action.closeAllEditors)/v1");
    await quickInput.waitForMessage(/^Used as https:\/\/a\.example\//);
    assert.equal(await workbench.page.locator(".quick-input-message a").count(), 0);
  });

  it("sends a key over plain http only after an explicit yes", async () => {
    const question = "Send your API key unencrypted to http://gateway.example.com?";
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps("http://gateway.example.com");
    await quickInput.waitFor(question);
    await quickInput.accept();
    assert.equal((await quickInput.waitFor(/primary entry/)).value, "http://gateway.example.com");
    await quickInput.accept();
    await quickInput.waitFor(question);
    await quickInput.pick("Send Unencrypted");
    await quickInput.waitFor(/backup entry/);
  });

  it("refuses the primary as the backup, and has what was typed when going back", async () => {
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps("one.example.com:8443/v1", "https://one.example.com:8443");
    await quickInput.waitForMessage(/must differ/);
    await quickInput.type("https://two.example.com");
    await quickInput.accept();
    await quickInput.waitFor(/codex group/);
    const back = workbench.page.locator(".quick-input-widget:visible .codicon-quick-input-back");
    await back.click();
    assert.equal((await quickInput.waitFor(/backup entry/)).value, "https://two.example.com");
    await back.click();
    assert.equal((await quickInput.waitFor(/primary entry/)).value, "https://one.example.com:8443");
  });

  it("goes from a fresh profile to the first answer by keyboard, without a page of documentation", async () => {
    const { page } = workbench;
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    const startedAt = Date.now();
    await quickInput.open();
    await quickInput.type(">Codex Gateway: Set Up");
    await quickInput.row("Codex Gateway: Set Up").waitFor();
    await press("Enter");
    await quickInput.waitFor(/primary entry/);
    await quickInput.insertText(`${gateway.primary.url}/v1/`);
    await quickInput.waitForMessage(`Used as ${gateway.primary.url}`);
    await press("Enter");
    for (const [title, text] of [
      [/backup entry/, gateway.backup.url],
      [/codex group/, gateway.keys.codex],
      [/image group/, ""],
    ] as const) {
      await quickInput.waitFor(title);
      await quickInput.insertText(text);
      await press("Enter");
    }
    assert.match(await dialog.text(), /^Use the gateway's models in Ask, Agent, and inline chat/);
    assert.ok((await dialog.buttons()).includes("Only @codex"));
    await press("Escape");
    await quickInput.waitFor("Test Connection");
    await press("Enter");
    await until(async () => (await chat.input()).includes("@codex "), "@codex in the chat");
    await page.keyboard.insertText("What does a lighthouse do?");
    await press("Enter");
    assert.match(await chat.waitForAnswer(/primary entry/), /lighthouse/);

    const seconds = (Date.now() - startedAt) / 1000;
    console.log(`      set-up to first answer: ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 60, `${seconds} s`);
    await workbench.statusBarItem("GPT-5.3 Codex · primary").waitFor();
    // Escape is Only @codex, which leaves VS Code's own chat as it is.
    assert.doesNotMatch(await readFile(join(workbench.userData, "User", "settings.json"), "utf8"), /chat\./i);
  });

  it("shows completed steps in the walkthrough, and completes the next one once its key is set", async () => {
    await openWalkthrough();
    await step("setUp", true).waitFor();
    await step("ask", true).waitFor();
    await orderImage(workbench, "a harbor in the fog");
    await notifications.click(/No API key of the image group/, "Set API Key");
    await quickInput.answer(/image group/, gateway.keys.image);
    await workbench.editor.waitForTab(/^a-harbor-in-the-fog.*\.png$/);
    await openWalkthrough();
    await step("generateImage", true).waitFor();
    await step("inlineChat", false).waitFor();
    await workbench.close("Close All Editors");
  });

  it("continues what the user wanted once the set-up is complete", async () => {
    await writeFile(machineSettings(), "{}");
    await workbench.statusBarItem("Set Up Codex Gateway").waitFor();
    assert.match(await chat.ask("@codex Why is the sky blue?"), /No gateway is set up yet/);
    await notifications.click(/No gateway is set up yet/, "Set Up");
    await answerSteps(gateway.primary.url, "", gateway.keys.codex, "");
    assert.match(await chat.waitForAnswer(/primary entry/), /Why is the sky blue\?/);
  });

  it("gets to its last step after a mistake, whose remedy is chosen in its results", async () => {
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps(gateway.primary.url, gateway.backup.url, "opaque");
    await quickInput.waitFor("The key does not start with sk-. Use it anyway?");
    await quickInput.accept();
    await quickInput.answer(/codex group/, "sk-wrong");
    await quickInput.answer(/image group/, "");
    const { placeholder } = await quickInput.waitFor("Test Connection");
    assert.equal(placeholder, "2 of 4 tests failed. Select one for help.");
    await quickInput.accept();
    await quickInput.answer("API key of the codex group", gateway.keys.codex);
    assert.equal((await quickInput.waitFor("Test Connection")).placeholder, "All tests with a key passed.");
    await quickInput.cancel();
  });

  it("keeps a stored key that is not typed again, and never shows it", async () => {
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

  it("sends a key to another address only once the user agrees to it, not for Cancel or Enter unread", async () => {
    await changeEntries(stranger.primary.url, gateway.backup.url);
    await chat.send("@codex Where does my key go?");
    const text = await dialog.text();
    assert.ok(text.includes(`Send your API keys to ${stranger.primary.url}?`), text);
    assert.ok(text.includes(`allowed for ${gateway.primary.url}`), text);
    assert.deepEqual((await dialog.buttons()).toSorted(), ["Cancel", "Open Settings", "Send Keys"]);
    await dialog.click("Cancel");
    await chat.waitForAnswer(/Answered by/);
    assert.deepEqual(sent(), [["backup", `Bearer ${gateway.keys.codex}`]]);

    await changeEntries(stranger.primary.url);
    await chat.waitUntilIdle();
    await chat.send("@codex And without a backup?");
    await dialog.text();
    await dialog.accept();
    const settings = workbench.page.locator(".settings-editor");
    // The tab of the remote machine has the setting.
    await settings.locator(".setting-item-label", { hasText: "Base Url" }).first().waitFor();
    await chat.waitForAnswer(/not allowed for this address/);
    // The settings get the focus late, and an Escape before that closes nothing.
    await succeeded(settings.locator(":focus").first().waitFor({ state: "attached", timeout: 10_000 }));
    // Escape in the search box only clears it.
    await closeByEscape(workbench.page, settings, async () => {
      for (const key of ["Escape", "Escape"]) await workbench.page.keyboard.press(key);
    });
    assert.deepEqual([...stranger.requests], []);

    await chat.send("@codex Who answers?");
    await dialog.click("Send Keys");
    await until(() => stranger.asked.length > 0, "the question there");
    assert.equal(stranger.asked.at(-1)?.headers.authorization, `Bearer ${gateway.keys.codex}`);
  });

  it("stores and removes a key, and binds it to the entries that Set Up has confirmed", async () => {
    await workbench.runCommand("Codex Gateway: Set Up");
    await answerSteps(gateway.primary.url, "", gateway.keys.codex, "");
    await quickInput.waitFor("Test Connection");
    await quickInput.cancel();
    assert.match(await chat.ask("@codex Who answers?"), /primary entry/);
    await workbench.runCommand("Codex Gateway: Set API Key");
    await quickInput.waitFor("Which key do you want to set?");
    await quickInput.pick("codex group: chat and code");
    await quickInput.answer("API key of the codex group", gateway.keys.codex);
    await notifications.waitFor("The API key of the codex group was saved.");
    await workbench.runCommand("Codex Gateway: Remove API Key");
    await quickInput.waitFor("Which key do you want to remove?");
    await quickInput.pick("codex group: chat and code");
    await dialog.click("Remove");
    await notifications.waitFor(/The stored API key and the allowed addresses of the codex group were removed/);
    assert.match(await chat.ask("@codex Does any key serve?"), /No API key/);
  });

  /** Opens a link as the system does, and lets the extension open it. */
  async function openLink(query: string): Promise<void> {
    await workbench.runCommand("Developer: Open URL");
    await quickInput.waitForMessage(/URL to open/);
    await quickInput.type(`vscode://codex-gateway.codex-gateway/setup?${query}`);
    await quickInput.accept();
    await dialog.click("Open");
  }

  it("is done by a link, which says what changes and who gets the key, and writes nothing before Set Up", async () => {
    await openLink("baseUrl=http%3A%2F%2Fgateway.example.com");
    await notifications.waitFor(/This set-up link cannot be used: plain http would send the key unencrypted\./);
    const entries = { baseUrl: stranger.primary.url, backupBaseUrl: stranger.backup.url, model: "gpt-5.4" };
    const query = new URLSearchParams(entries).toString();
    await openLink(query);
    const text = await dialog.text();
    const { url } = gateway.primary;
    assert.ok(text.includes(`Primary entry: ${url} → ${entries.baseUrl}`), text);
    assert.ok(text.includes(`will be sent to ${entries.baseUrl}, ${entries.backupBaseUrl}.`), text);
    assert.deepEqual((await dialog.buttons()).toSorted(), ["Cancel", "Don't Set Up", "Set Up"]);
    const settings = (): Promise<string> => readFile(machineSettings(), "utf8");
    const before = await settings();
    await dialog.accept();
    assert.equal(await settings(), before);
    assert.equal(await workbench.page.locator(".settings-editor:visible").count(), 0);

    await openLink(query);
    await dialog.click("Set Up");
    await quickInput.answer("API key of the codex group", stranger.keys.codex);
    // The stored image key was entered for other entries: the link alone does not send it.
    for (const origin of [entries.baseUrl, entries.backupBaseUrl]) {
      await until(async () => (await dialog.text()).includes(`keys to ${origin}?`), `the question for ${origin}`);
      await workbench.page.keyboard.press("Escape");
    }
    await quickInput.waitFor("Test Connection");
    const rows = await quickInput.rows();
    assert.match(rows.map((row) => row.join(" ")).join("\n"), /Primary entry, codex key key accepted/);
    await quickInput.cancel();
    await workbench.runCommand("Codex Gateway: Copy Set-Up Link");
    await notifications.waitFor("The set-up link was copied. It contains no key.");
    assert.match(await chat.ask("@codex Who answers?"), /Answered by gpt-5\.4/);
    assert.ok(stranger.asked.length > 0);
  });

  it("takes the key from a command, again when the gateway refuses it, and shows the result", async () => {
    const file = join(workbench.userData, "key");
    await writeFile(file, "sk-expired");
    const code = `process.stdout.write(require("node:fs").readFileSync(${JSON.stringify(file)}))`;
    const settings = {
      "codexGateway.baseUrl": gateway.primary.url,
      "codexGateway.keyCommand.codex": [process.execPath, "-e", code],
      "codexGateway.keyCommand.ttl": 60,
    };
    await writeFile(machineSettings(), JSON.stringify(settings));
    await chat.send("@codex Is the key expired?");
    assert.match(await dialog.text(), /these keys yet\.[^]*printed by the command \S*node -e/);
    await dialog.click("Send Keys");
    await chat.waitForAnswer(/this one is wrong, expired, or not of the codex group/);
    const asked = gateway.requests.length;
    await writeFile(file, gateway.keys.codex);
    assert.match(await chat.ask("@codex And now?"), /And now\?/);
    const keys = gateway.requests.slice(asked).map(({ headers }) => headers.authorization);
    assert.deepEqual(keys, ["Bearer sk-expired", `Bearer ${gateway.keys.codex}`]);
    await notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Test Connection");
    await quickInput.waitFor("Test Connection");
    const row = (await quickInput.rows()).find(([label = ""]) => label.includes("codex key"));
    assert.match(row?.join(" ") ?? "", /printed · \d+ ms/);
    await quickInput.cancel();
    // Back to the entries of the stored key.
    await writeFile(machineSettings(), JSON.stringify({ "codexGateway.baseUrl": stranger.primary.url }));
  });

  it("leaves VS Code's chat unchanged if a workspace setting prevents the change, which is named, or if the chat does not start", async () => {
    const useInChat = (): Promise<void> => workbench.runCommand("Codex Gateway: Use in VS Code's Chat");
    const toggleChat = workbench.page.locator(".part.titlebar [aria-label^='Toggle Chat']");
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder);
    await writeFile(join(folder, "settings.json"), '{ "chat.disableAIFeatures": true }');
    // VS Code then lays out the window anew, which would close the palette.
    await toggleChat.waitFor({ state: "detached" });
    await useInChat();
    await notifications.waitFor(/because this workspace sets chat\.disableAIFeatures\./);
    await rm(folder, { recursive: true });
    await toggleChat.waitFor();
    await notifications.dismissAll();
    assert.match(await dialog.textAfter(useInChat), /chat\.disableAIFeatures: not set → false/);
    await dialog.click("Use Everywhere");
    const { buttons } = await notifications.waitFor(/VS Code did not turn on its chat, so your settings are/);
    assert.deepEqual(buttons, ["Open Extensions", "Show Log"]);
    const settings = await readFile(join(workbench.userData, "User", "settings.json"), "utf8");
    assert.doesNotMatch(settings, /"chat\./);
  });
});
