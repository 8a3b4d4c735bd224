import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { showBy } from "./support/attempts.ts";
import { openFromStatusBar } from "./support/openFromStatusBar.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

describe("Test Connection and the status bar, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    (local) => connectedTo(local),
    async (session) => {
      ({ gateway, workbench } = session);
      await workbench.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    },
  );

  /** Waits for the tooltip with this text, which closes when the item is drawn anew. */
  async function hover(item: string, text: string): Promise<Locator> {
    const tooltip = workbench.page.locator(".monaco-hover:visible", { hasText: text });
    const attempt = (): Promise<void> => workbench.statusBarItem(item).hover({ timeout: 5_000 });
    await showBy(tooltip, attempt, () => workbench.page.mouse.move(600, 300));
    return tooltip;
  }

  /** Moves the mouse away, so that the tooltip covers nothing. */
  async function leave(tooltip: Locator): Promise<void> {
    await workbench.page.mouse.move(600, 300);
    await tooltip.waitFor({ state: "hidden" });
  }

  const background = (text: string): Promise<string | null> => workbench.statusBarItem(text).getAttribute("class");

  it("tells for each entry and key what works and what helps, at the cost of one completion per entry", async () => {
    gateway.entry("backup").always({ status: 401 });
    await workbench.runCommand("Codex Gateway: Test Connection");
    const { labels, placeholder } = await workbench.quickInput.waitFor("Test Connection");
    assert.equal(placeholder, "2 of 4 tests failed. Select one for help.");
    assert.deepEqual(labels.slice(0, 4), [
      "Primary entry, codex key",
      "Primary entry, image key",
      "Backup entry, codex key",
      "Backup entry, image key",
    ]);
    await workbench.screenshot("test-connection-failing");
    const paid = gateway.requests.filter(({ processed }) => processed);
    assert.deepEqual(
      paid.map(({ operation }) => operation),
      ["chat"],
    );
    await workbench.quickInput.pick("Backup entry, codex key");
    await workbench.quickInput.waitFor("API key of the codex group");
  });

  it("copies the result as text, without key and prompt", async () => {
    gateway.entry("backup").always({ status: 401, message: `The key ${gateway.keys.codex} is wrong.` });
    await workbench.runCommand("Codex Gateway: Test Connection");
    await workbench.quickInput.waitFor("Test Connection");
    await workbench.quickInput.pick("Copy as Text");
    await workbench.notifications.waitFor(/result was copied/);
    const text = await workbench.page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(text, /^Codex Gateway \d+\.\d+\.\d+, VS Code \d/);
    assert.match(
      text,
      /Primary entry, codex key · http:.* · no proxy · connected, not encrypted · key accepted · \d+ ms/,
    );
    assert.match(text, /Backup entry, image key · .* · unauthorized 401/);
    assert.doesNotMatch(text, /sk-\w|Reply with/);
  });

  it("ends at once and in silence when it is cancelled", async () => {
    gateway.mode({ hold: "beforeHeaders" });
    await workbench.runCommand("Codex Gateway: Test Connection");
    await gateway.until((_, held) => held >= 2);
    await workbench.notifications.click(/Testing the connection/, "Cancel");
    await gateway.until((requests) => requests.every(({ closed }) => closed !== undefined));
    await workbench.notifications.waitForNone(/./);
    assert.equal(await workbench.quickInput.isOpen(), false);
  });

  it("shows in the status bar which models responses serve", async () => {
    gateway.mode({ responsesOnly: "all" });
    await workbench.chat.ask("@codex Who speaks?");
    const tooltip = await hover("GPT-5.3 Codex · primary", "GPT-5.3 Codex: answered through /v1/responses");
    await workbench.screenshot("status-responses");
    await leave(tooltip);
  });

  it("shows in the status bar which entry serves, and warns on the backup and when both fail", async () => {
    await workbench.chat.ask("@codex Who is there?");
    await workbench.statusBarItem("GPT-5.3 Codex · primary").waitFor();
    const tooltip = await hover("GPT-5.3 Codex · primary", "Today: ");
    await workbench.screenshot("status-primary");
    assert.match(await tooltip.innerText(), /Primary entry\s+healthy\s+\d+ ms[^]*Backup entry[^]*Open Chat/);
    assert.doesNotMatch((await background("· primary")) ?? "", /warning-kind/);
    await leave(tooltip);

    await gateway.stopEntry("primary");
    await workbench.chat.ask("@codex And now?");
    await workbench.statusBarItem("GPT-5.3 Codex · backup").waitFor();
    assert.match((await background("· backup")) ?? "", /warning-kind/);
    const failing = await hover("· backup", "failing");
    await workbench.screenshot("status-backup");
    await leave(failing);

    await gateway.stopEntry("backup");
    await workbench.chat.ask("@codex Is anybody there?");
    await workbench.notifications.dismissAll();
    await workbench.statusBarItem("GPT-5.3 Codex · failing").waitFor();
    assert.match((await background("· failing")) ?? "", /warning-kind/);
    assert.match(
      (await workbench.statusBarItem("· failing").locator("a").getAttribute("aria-label")) ?? "",
      /No entry is responding/,
    );
    const neither = await hover("· failing", "failing");
    assert.match(await neither.innerText(), /Primary entry\s+failing[^]*Backup entry\s+failing/);
    await workbench.screenshot("status-failing");
    await leave(neither);
  });

  it("opens the menu with a click on the status bar", async () => {
    await openFromStatusBar(workbench, "GPT-5.3 Codex");
    const { labels } = await workbench.quickInput.waitFor("Codex Gateway");
    assert.equal(labels[0], "Open Chat");
    await workbench.screenshot("menu");
    await workbench.quickInput.pick("Set API Key");
    await workbench.quickInput.waitFor(/Which key/);
  });
});
