import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { lastBody, lastQuestion } from "../support/chatBody.ts";
import { connected, withSession } from "../support/session.ts";
import { until } from "../support/until.ts";
import type { Workbench } from "../support/workbench.ts";

describe("@codex, its connection and the status bar, in a real VS Code without a sign-in", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;
  let chat: Workbench["chat"];

  withSession(connected, (session) => {
    ({ gateway, workbench } = session);
    ({ chat } = workbench);
  });

  /** Waits for the item of the status bar and for its tooltip with this text, and moves the mouse away again. */
  async function statusOf(item: string, text: string): Promise<{ tooltip: string; isWarning: boolean }> {
    const shown = workbench.statusBarItem(item);
    const tooltip = await workbench.showTooltip(item, text);
    const found = await tooltip.innerText();
    await workbench.leaveStatusBar();
    await tooltip.waitFor({ state: "hidden" });
    return { tooltip: found, isWarning: (await shown.getAttribute("class"))?.includes("warning-kind") ?? false };
  }

  it("streams an answer until Stop ends the request, and a follow-up question knows the first", async () => {
    gateway.mode({ hold: "midAnswer" });
    await chat.send("@codex What does a lighthouse do?");
    await chat.waitForAnswer(/You asked/);
    assert.doesNotMatch(await chat.answer(), /Answered by/);
    await chat.stop();
    await gateway.until(() => gateway.asked.at(-1)?.closed !== undefined);
    assert.match(await chat.answer(), /You asked/);
    await chat.waitUntilIdle();
    gateway.mode({ hold: "no" });
    const answer = await chat.ask("@codex And a buoy?");
    assert.match(answer, /And a buoy\?[^]*Answered by[^]*GPT-5\.3 Codex · primary entry/);
    assert.ok(lastBody(gateway).messages.some(({ content }) => content.includes("What does a lighthouse do?")));
  });

  it("reads the file in the editor for a command, suggests a follow-up, and uses the same file for it", async () => {
    await workbench.editor.open("greet.ts");
    assert.match(await chat.ask("@codex /explain"), /primary entry/);
    assert.match(lastQuestion(gateway), /^greet\.ts:\n```typescript\nexport function greet/);
    await chat.followUp("Document this code").click();
    await gateway.until(() => gateway.asked.length === 2);
    assert.match(lastQuestion(gateway), /greetAll[^]*documentation comments/);
    await chat.waitUntilIdle();
  });

  it("asks the model of Select Model, also one from the settings, and through the other API", async () => {
    const { quickInput } = workbench;
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder, { recursive: true });
    const models = { "gpt-7": { name: "GPT-7 Nautilus" } };
    const settings = { "codexGateway.models": models, "codexGateway.chat.api": "responses" };
    await writeFile(join(folder, "settings.json"), JSON.stringify({ ...settings, "codexGateway.streaming": "off" }));
    await until(async () => {
      await workbench.runCommand("Codex Gateway: Select Model");
      await quickInput.waitFor("Select the model for @codex");
      await quickInput.row("GPT-5.5").waitFor();
      return (await quickInput.row("GPT-7 Nautilus").count()) > 0;
    }, "the model of the settings");
    const [first = []] = await quickInput.rows();
    assert.equal(first.join(" · "), "GPT-5.3 Codex · current · Built for code. Suits most questions.");
    await quickInput.pick("GPT-7 Nautilus");
    await workbench.statusBarItem("GPT-7 Nautilus").waitFor();
    await workbench.runCommand("Codex Gateway: Select Model");
    await quickInput.pick("GPT-5.5");
    await workbench.statusBarItem("GPT-5.5").waitFor();
    gateway.mode({ strict: true });
    assert.match(await chat.ask("@codex Who are you?"), /GPT-5\.5 · primary entry/);
    const asked = gateway.asked.map(({ path, status }) => `${path} ${status}`);
    assert.deepEqual(asked, ["/v1/responses 200"]);
    await rm(folder, { recursive: true });
    await workbench.runCommand("Codex Gateway: Select Model");
    await quickInput.pick("GPT-5.3 Codex");
    await workbench.statusBarItem("GPT-5.3 Codex").waitFor();
  });

  it("goes to the backup when the primary stops, and to neither in the end, which the status bar shows", async () => {
    const { notifications } = workbench;
    await chat.ask("@codex Who is there?");
    const healthy = await statusOf("GPT-5.3 Codex · primary", "Today: ");
    assert.match(healthy.tooltip, /Primary entry\s+healthy\s+\d+ ms[^]*Backup entry[^]*Open Chat/);
    assert.equal(healthy.isWarning, false);

    await gateway.stopEntry("primary");
    assert.match(await chat.ask("@codex Who answers now?"), /Who answers now\?[^]*backup entry/);
    assert.deepEqual(await notifications.all(), []);
    assert.ok((await statusOf("GPT-5.3 Codex · backup", "failing")).isWarning);

    await gateway.stopEntry("backup");
    const text = /Neither the primary nor the backup entry can be reached\./;
    assert.match(await chat.ask("@codex Is anybody there?"), text);
    const neither = await statusOf("GPT-5.3 Codex · failing", "failing");
    assert.match(neither.tooltip, /Primary entry\s+failing[^]*Backup entry\s+failing/);
    assert.ok(neither.isWarning);
    const link = workbench.statusBarItem("· failing").locator("a");
    assert.match((await link.getAttribute("aria-label")) ?? "", /No entry is responding/);
    await gateway.startEntry("backup");
    await notifications.click(text, "Retry");
    await chat.waitForAnswer(/Is anybody there\?/);
  });

  it("is tested for each entry and key, with what helps, at the cost of one completion per entry", async () => {
    const { quickInput, notifications, page } = workbench;
    gateway.entry("backup").always({ status: 401, message: `The key ${gateway.keys.codex} is wrong.` });
    await workbench.runCommand("Codex Gateway: Test Connection");
    const { labels, placeholder } = await quickInput.waitFor("Test Connection");
    assert.equal(placeholder, "2 of 4 tests failed. Select one for help.");
    assert.deepEqual(labels.slice(0, 4), [
      "Primary entry, codex key",
      "Primary entry, image key",
      "Backup entry, codex key",
      "Backup entry, image key",
    ]);
    const answered = gateway.requests.filter(({ processed }) => processed).map(({ operation }) => operation);
    assert.deepEqual(answered, ["chat"]);
    await quickInput.pick("Copy as Text");
    await notifications.waitFor(/result was copied/);
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(text, /^Codex Gateway \d+\.\d+\.\d+, VS Code \d/);
    assert.match(text, /Primary entry, codex key · http:.* · no proxy · connected, not encrypted · key accepted · \d+/);
    assert.match(text, /Backup entry, image key · .* · unauthorized 401/);
    assert.doesNotMatch(text, /sk-\w|Reply with/);
    await workbench.runCommand("Codex Gateway: Test Connection");
    await quickInput.waitFor("Test Connection");
    await quickInput.pick("Backup entry, codex key");
    await quickInput.waitFor("API key of the codex group");
  });

  it("is no longer tested, without a message, when the test is cancelled", async () => {
    gateway.mode({ hold: "beforeHeaders" });
    await workbench.runCommand("Codex Gateway: Test Connection");
    await gateway.until((_, held) => held >= 2);
    await workbench.notifications.click(/Testing the connection/, "Cancel");
    await gateway.until((requests) => requests.every(({ closed }) => closed !== undefined));
    await workbench.notifications.waitForNone(/./);
    assert.equal(await workbench.quickInput.isOpen(), false);
  });

  it("shows the cause of a failure in the chat, with a button and links, and briefly in one notification", async () => {
    const { notifications, quickInput } = workbench;
    await notifications.dismissAll();
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always({ status: 401 });
    const answer = await chat.ask("@codex Why is the sea blue?");
    assert.match(answer, /does not accept the API key \(401\): .+ Set a valid key: .* not of the codex group\./);
    const shown = await notifications.waitFor(/^The gateway does not accept the API key \(401\)\.$/);
    assert.equal(shown.severity, "error");
    assert.deepEqual(shown.buttons, ["Set API Key"]);
    await chat.inAnswer("link", "Show Log").waitFor();
    assert.equal((await notifications.all()).length, 1);
    await chat.inAnswer("button", "Set API Key").first().click();
    await quickInput.waitFor("API key of the codex group");
  });

  it("limits prompts to what the gateway names, once the user sets it", async () => {
    const message = "This model's maximum context length is 272000 tokens. However, your messages resulted in 310250.";
    const fault = { status: 400, code: "context_length_exceeded", message } as const;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always(fault);
    await chat.ask("@codex Who has this much to say?");
    await workbench.notifications.click(/The prompt is too long for the model “gpt-5\.3-codex”/, "Set Limit");
    await workbench.notifications.waitFor("Prompts to the model “gpt-5.3-codex” are now limited to 240,000 tokens.");
  });

  it("has a menu in the status bar, with all commands", async () => {
    await workbench.openFromStatusBar("GPT-5.3 Codex");
    const { labels } = await workbench.quickInput.waitFor("Codex Gateway");
    assert.equal(labels[0], "Open Chat");
    await workbench.quickInput.pick("Set API Key");
    await workbench.quickInput.waitFor(/Which key/);
  });

  it("has a log", async () => {
    await workbench.runCommand("Codex Gateway: Show Log");
    const log = workbench.page.getByRole("toolbar", { name: "Output actions" }).getByLabel("Switch Output");
    await until(async () => (await log.inputValue()) === "Codex Gateway", "the log");
    // The log takes the keyboard late, also from the palette.
    await workbench.page.locator(".part.panel :focus").first().waitFor();
  });
});
