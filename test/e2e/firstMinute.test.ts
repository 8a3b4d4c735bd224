import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Locator } from "playwright-core";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { vsixPath } from "../../scripts/paths.ts";
import { withSession } from "./support/session.ts";
import { attempt, succeeded } from "./support/attempts.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("the first minute, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withSession(
    () => ({ extensions: [] }),
    (session) => ({ gateway, workbench } = session),
    { isSequence: true },
  );

  /** The circle before a step of the walkthrough, ticked or not. */
  const step = (id: string, isDone: "true" | "false"): Locator =>
    workbench.page.locator(`[data-done-step-id$="#getStarted#${id}"][aria-checked="${isDone}"]:visible`);

  async function hide(part: string, key: string): Promise<void> {
    const shown = workbench.page.locator(`${part}:visible`);
    await attempt(
      workbench.page,
      async () => {
        await workbench.page.keyboard.press(key);
        return succeeded(shown.waitFor({ state: "detached", timeout: 3_000 }));
      },
      `${part} to hide`,
    );
  }

  const openWalkthrough = async (): Promise<void> => {
    await workbench.runCommand("Welcome: Open Walkthrough...");
    await workbench.quickInput.pick("Get Started with Codex Gateway");
  };

  it("offers set-up and walkthrough when the VSIX is installed", async () => {
    await workbench.runCommand("Extensions: Install from VSIX...");
    await workbench.quickInput.waitFor("Install from VSIX");
    await workbench.quickInput.type(join(dirname(vsixPath), "/"));
    await workbench.quickInput.pick(basename(vsixPath));
    const { buttons } = await workbench.notifications.waitFor(/Codex Gateway is installed/);
    assert.deepEqual(buttons, ["Set Up", "Get Started"]);
  });

  it("goes from a fresh profile to the first answer by keyboard, without a page of documentation", async () => {
    const { page, quickInput, chat } = workbench;
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    await workbench.statusBarItem("Set Up Codex Gateway").waitFor();
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
      [/image group/, gateway.keys.image],
    ] as const) {
      await quickInput.waitFor(title);
      await quickInput.insertText(text);
      await press("Enter");
    }
    await workbench.dialog.text();
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
    const settings = await readFile(join(workbench.userData, "User", "settings.json"), "utf8");
    assert.doesNotMatch(settings, /chat\./i);
  });

  it("shows completed steps in the walkthrough, and completes the next one", async () => {
    await openWalkthrough();
    await step("setUp", "true").waitFor();
    await step("ask", "true").waitFor();
    await workbench.runCommand("Codex Gateway: Generate Image");
    await workbench.quickInput.answer(/image/i, "a walk through the fog");
    await workbench.quickInput.pick("1024x1024");
    await workbench.editor.waitForTab(/\.png$/);
    await openWalkthrough();
    await step("generateImage", "true").waitFor();
    await step("inlineChat", "false").waitFor();
    await until(async () => !(await workbench.quickInput.isOpen()), "the menu to close");
    await hide(".part.auxiliarybar", "ControlOrMeta+Alt+B");
    await hide(".part.sidebar", "ControlOrMeta+B");
  });
});
