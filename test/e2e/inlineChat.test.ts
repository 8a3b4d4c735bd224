import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lastBody, lastQuestion } from "./support/chatBody.ts";
import { pickQuickFix } from "./support/pickQuickFix.ts";
import { type Session, withEditorInFront } from "./support/session.ts";
import { succeeded, until } from "./support/until.ts";

describe("inline chat", () => {
  let session: Session;
  withEditorInFront((shared) => {
    session = shared;
  });

  it("asks, follows up, applies and undoes by keyboard, and the file is as before, byte for byte", async () => {
    const before = "function one() {\r\n\treturn 1;\r\n}\r\n\r\nfunction two() {\r\n\treturn 2;\r\n}";
    await openFile("keyboard.ts", before, 6);
    const { editor, inlineChat, page } = session.workbench;
    await inlineChat.open();
    await session.workbench.screenshot("inline-empty");
    await inlineChat.cancel();
    await session.workbench.editor.focus();

    await inlineChat.askFully("Say two");
    await session.workbench.screenshot("inline-done");
    await inlineChat.askFully("Say it louder");
    const { messages } = lastBody(session.gateway);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["system", "user", "assistant", "user"],
    );
    assert.match(messages[3]?.content ?? "", /about line 6:\n\n```typescript\n\treturn 2;\n```\n\nSay it louder$/);

    await inlineChat.applyByKeyboard();
    await page.locator(".codelens-decoration", { hasText: /Keep.*Undo.*Show Diff/ }).waitFor();
    const after = before.replace("\treturn 2;", "\t// Say it louder\r\n\treturn 2;");
    await editor.save("keyboard.ts", after);
    await session.workbench.screenshot("inline-applied");

    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("let user;\n");
    await session.workbench.runCommand("Codex Gateway: Undo Change");
    await inlineChat.waitFor(/Done\s+Apply/);
    await editor.save("keyboard.ts", `let user;\r\n${before}`);
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Delete");
    await editor.save("keyboard.ts", before);

    await page.keyboard.press("ControlOrMeta+End");
    await session.workbench.runCommand("Codex Gateway: Apply Change");
    await inlineChat.waitFor(/Applied/);
    await session.workbench.runCommand("Codex Gateway: Keep Change");
    await inlineChat.waitFor(/Kept/);
    await editor.save("keyboard.ts", after);
  });

  it("keeps one hunk of three by keyboard, undoes another, and goes from one to the next", async () => {
    const lines = Array.from({ length: 9 }, (_, index) => `\tlet line${index} = ${index};`);
    const before = `\ufeff${lines.join("\r\n")}`;
    await openFile("three.ts", before);
    const { editor, inlineChat, page } = session.workbench;
    await page.keyboard.press("ControlOrMeta+A");
    await inlineChat.askFully("Change three places");
    await inlineChat.applyByKeyboard();
    const lenses = page.locator(".codelens-decoration", { hasText: /Keep.*Undo/ });
    await until("three hunks", async () => ((await lenses.count()) === 3 ? true : undefined));
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+Home");
    await session.workbench.screenshot("inline-hunks");
    // A busy window loses keys.
    const decide = (key: string, left: number): Promise<unknown> =>
      until(`${left} hunks`, async () => {
        const isDecided = async (): Promise<true | undefined> => ((await lenses.count()) === left ? true : undefined);
        if (await isDecided()) return true;
        await inlineChat.press(key);
        return succeeded(until("the key to decide", isDecided, 5_000));
      });
    await decide("y", 2);
    // Keep moves on by itself. Each key needs the cursor that the one before has moved.
    await editor.waitForLine(5);
    await page.keyboard.press("Alt+F5");
    await editor.waitForLine(9);
    await page.keyboard.press("Shift+Alt+F5");
    await editor.waitForLine(5);
    await decide("n", 1);
    await inlineChat.press("Shift+Y");
    await inlineChat.waitFor(/\+2 −1 · Partly kept/);
    const partly = [`${lines[0] ?? ""} // changed`, ...lines.slice(1), "// added"];
    await editor.save("three.ts", `\ufeff${partly.join("\r\n")}`);
  });

  it("offers no Apply for an answer that was cut off, and keeps question and text with a way to ask again", async () => {
    const { gateway, workbench } = session;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).next(1, { broken: "cut", after: 8 });
    await openFile("cut.ts", "let a = 1;\n");
    await workbench.inlineChat.ask("Rename it");
    await workbench.notifications.waitFor(/The answer was interrupted/);
    const text = await workbench.inlineChat.waitFor(/Truncated\s/);
    await workbench.screenshot("inline-cut-off");
    assert.match(text, /You\nRename it\nCodex\n+Here is the change:/);
    assert.match(text, /The answer was interrupted/);
    assert.doesNotMatch(text, /Apply/);
    await gateway.reset();
    await workbench.inlineChat.click("Retry");
    await workbench.inlineChat.waitUntilLeft();
    await workbench.inlineChat.waitFor(/Rename it[^]*Done\s+Apply/);
  });

  it("stops at a click that pieces of the answer fall into", async () => {
    const { gateway, workbench } = session;
    gateway.mode({ chunkDelay: 20 });
    await openFile("stopped.ts", "let a = 1;\n");
    await workbench.inlineChat.ask("Count to 2000");
    assert.doesNotMatch(await workbench.inlineChat.waitFor(/Answering…/), /Stop/, "a link loses such clicks");
    await workbench.screenshot("inline-streaming");
    await workbench.inlineChat.stop();
    await workbench.inlineChat.waitFor(/Stopped\s+Copy/);
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
  });

  it("ends its request when the file closes", async () => {
    const { gateway, workbench } = session;
    gateway.mode({ hold: "midAnswer" });
    await openFile("closed.ts", "let a = 1;\n");
    await workbench.inlineChat.ask("Change it");
    await gateway.until((_, held) => held === 1);
    await workbench.runCommand("View: Close Editor");
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
    await openFile("other.ts", "");
  });

  it("inserts code below the lines it is about", async () => {
    const { editor, inlineChat } = session.workbench;
    await openFile("below.ts", "  let a = 1;\nlet b = 2;\n");
    await inlineChat.askFully("Put it in another place");
    await inlineChat.click("Insert Below");
    await inlineChat.waitFor(/Applied[^]*Keep/);
    await editor.save("below.ts", "  let a = 1;\n\n  const elsewhere = true;\nlet b = 2;\n");
    await inlineChat.click("Undo");
    await inlineChat.waitFor(/Done\s+Insert Below/);
    await editor.save("below.ts", "  let a = 1;\nlet b = 2;\n");
    await session.workbench.runCommand("Codex Gateway: Insert Below");
    await inlineChat.waitFor(/Applied[^]*Keep/);
  });

  it("asks the model of its setting", async () => {
    const { workbench, gateway } = session;
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "settings.json"), JSON.stringify({ "codexGateway.inlineChat.model": "gpt-5.4-mini" }));
    try {
      await openFile("model.ts", "let a = 1;\n");
      await until("the setting", async () => {
        await workbench.inlineChat.open();
        const label = await workbench.inlineChat.text();
        await workbench.inlineChat.cancel();
        return label.includes("Codex (GPT-5.4 mini)") ? true : undefined;
      });
      await workbench.editor.focus();
      await workbench.inlineChat.askFully("Which model are you?");
      assert.equal(lastBody(gateway).model, "gpt-5.4-mini");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("fixes a problem of the lightbulb, told to the model in its own words", async () => {
    await openFile("broken.json", '{\n  "a": 1,,\n  "b": 2\n}\n', 2);
    const { page, inlineChat } = session.workbench;
    await page.locator(".editor-group-container.active .squiggly-error").first().waitFor();
    await page.keyboard.press("End");
    await pickQuickFix(session.workbench, "Fix with Codex");
    await inlineChat.waitFor(/Fix this code\.[^]*Done\s+Apply/);
    assert.match(
      lastQuestion(session.gateway),
      /Problems reported on these lines:\n- line 2, error: Property expected/,
    );
    await inlineChat.click("Apply");
    await inlineChat.waitFor(/Applied[^]*Keep/);
  });

  /** Writes a file, opens it and selects a line. */
  async function openFile(name: string, text: string, line = 1): Promise<void> {
    await session.workbench.editor.write(name, text);
    await session.workbench.editor.selectLine(line);
  }
});
