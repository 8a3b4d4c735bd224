import assert from "node:assert/strict";
import { sharedSession } from "./support/session.ts";
import { until } from "./support/until.ts";

describe("palette commands that most people reach by a button", () => {
  it("act on the inline chat at the cursor", async () => {
    const { workbench, gateway } = await sharedSession();
    const { editor, inlineChat } = workbench;
    await editor.open("greet.ts");
    await editor.focus();
    await workbench.runCommand("Codex Gateway: Inline Chat");
    await inlineChat.input().waitFor();
    await inlineChat.cancel();
    await editor.focus();
    await inlineChat.askFully("Say it in the palette");
    await workbench.runCommand("Codex Gateway: Copy Answer");
    await workbench.runCommand("Codex Gateway: Ask Again");
    await until("the question to be asked again", () => {
      // The client also asks by itself whether an entry lives.
      return gateway.asked.filter(({ operation }) => operation === "chat").length === 2 || undefined;
    });
    await inlineChat.waitFor(/Done/);
    await workbench.runCommand("Codex Gateway: Close Inline Chat");
    await until("no thread", async () => ((await inlineChat.count()) === 0 ? true : undefined));
    await workbench.runCommand("View: Revert and Close Editor");
  });

  it("show the log", async () => {
    const { workbench } = await sharedSession();
    await workbench.runCommand("Codex Gateway: Show Log");
    const log = workbench.page.getByRole("toolbar", { name: "Output actions" }).getByLabel("Switch Output");
    await until("the log", async () => (await log.inputValue()) === "Codex Gateway" || undefined);
    await workbench.runCommand("View: Hide Panel");
  });

  it("store and remove a key", async () => {
    const { workbench, gateway } = await sharedSession();
    const { quickInput, notifications, dialog } = workbench;
    await workbench.runCommand("Codex Gateway: Set API Key");
    await quickInput.waitFor("Which key do you want to set?");
    await quickInput.pick("codex group: chat and code");
    await quickInput.answer("API key of the codex group", gateway.keys.codex);
    await notifications.waitFor("The API key of the codex group was saved.");
    await workbench.runCommand("Codex Gateway: Remove API Key");
    await quickInput.waitFor("Which key do you want to remove?");
    await quickInput.pick("codex group: chat and code");
    await dialog.click("Remove");
    await notifications.waitFor(/The stored API key of the codex group was removed/);
    assert.match(await workbench.chat.ask("@codex Does the key of the environment serve again?"), /serve again/);
  });

  it("say why there is no commit message to write without a repository", async () => {
    const { workbench } = await sharedSession();
    await workbench.runCommand("Codex Gateway: Generate Commit Message");
    const { buttons } = await workbench.notifications.waitFor(
      /^No Git repository is open\. Open a folder that is in a/,
    );
    assert.deepEqual(buttons, ["Open Source Control"]);
    await workbench.notifications.dismissAll();
  });
});
