import assert from "node:assert/strict";
import { lastQuestion } from "./support/chatBody.ts";
import { pickQuickFix } from "./support/pickQuickFix.ts";
import { type Session, withEditorInFront } from "./support/session.ts";

describe("problems of a language service in inline chat", () => {
  let session: Session;
  withEditorInFront((shared) => {
    session = shared;
  });

  it("tells the errors that a change has brought, and has them fixed on request", async () => {
    const before = '{\n  "old": 1,,\n  "a": 1\n}\n';
    await session.workbench.editor.write("new-problems.json", before);
    await session.workbench.editor.selectLine(3);
    const { page, editor, inlineChat } = session.workbench;
    await page.locator(".editor-group-container.active .squiggly-error").first().waitFor();
    await inlineChat.askFully("Break it");
    await inlineChat.click("Apply");
    await inlineChat.waitFor(/Applied · \d+ new problems?\s+Keep[^]*Fix/);
    await session.workbench.screenshot("inline-new-problems");
    const { length } = session.gateway.asked;
    await inlineChat.click("Fix");
    await inlineChat.waitFor(/Fix the new problems\.[^]*Done\s+Apply/);
    assert.equal(session.gateway.asked.length, length + 1);
    assert.match(
      lastQuestion(session.gateway),
      /Fix the new problems\.\n\nErrors that the change has brought:\n- line 4, error: /,
    );
    await inlineChat.applyByKeyboard();
    await inlineChat.waitFor(/Applied\s+Keep/);
    await editor.save("new-problems.json", before);
    await session.workbench.runCommand("Codex Gateway: Fix New Problems");
    await session.workbench.notifications.waitFor(/The change has brought no new problems/);
  });

  it("asks about all problems of a file from the lightbulb", async () => {
    await session.workbench.editor.write("all-problems.json", '{\n  "a": 1,,\n  "b": 2,,\n  "c": 3\n}\n');
    await session.workbench.editor.selectLine(2);
    const { page, inlineChat } = session.workbench;
    await page.locator(".editor-group-container.active .squiggly-error").first().waitFor();
    await page.keyboard.press("End");
    await pickQuickFix(session.workbench, "Fix All Problems in File with Codex");
    await inlineChat.waitFor(/Fix all errors and warnings in this file\.[^]*Done\s+Apply/);
    assert.match(
      lastQuestion(session.gateway),
      /about lines 2 to 3:[^]*Problems reported on these lines:\n- line 2, error: [^]*\n- line 3, error: /,
    );
  });
});
