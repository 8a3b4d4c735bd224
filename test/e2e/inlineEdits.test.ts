import assert from "node:assert/strict";
import { lastQuestion } from "./support/chatBody.ts";
import { type Session, withEditorInFront } from "./support/session.ts";

describe("edits of inline chat", () => {
  let session: Session;
  withEditorInFront((shared) => {
    session = shared;
  });

  it("are a diff until they are applied, then one line that the answer can be read from again", async () => {
    const { workbench } = session;
    const { editor, inlineChat } = workbench;
    await editor.write("diff.ts", 'import "a";\r\n\r\nlet a = 1;');
    await editor.selectLine(3);
    await inlineChat.askFully("Add the import");
    const answer = await inlineChat.waitFor(/\+2 −0[^]*Done\s+Apply/);
    assert.match(answer, /\+import "b";[^]*\+\/\/ Add the import\s+let a = 1;/);
    assert.doesNotMatch(answer, /SEARCH/);
    await workbench.screenshot("inline-thread-diff");
    await inlineChat.applyByKeyboard();
    assert.match(await inlineChat.waitFor(/\+2 −0 · Applied\s+Keep All/), /Show Answer/);
    assert.doesNotMatch(await inlineChat.text(), /You\n/);
    await workbench.screenshot("inline-one-line");
    await editor.save("diff.ts", 'import "a";\r\nimport "b";\r\n\r\n// Add the import\r\nlet a = 1;');
    await workbench.runCommand("Codex Gateway: Show Answer");
    await inlineChat.waitFor(/You\nAdd the import[^]*Applied/);
    await workbench.runCommand("Codex Gateway: Undo All Changes");
    await editor.save("diff.ts", 'import "a";\r\n\r\nlet a = 1;');
  });

  it("say why they are not applied when asking for them once more does not help", async () => {
    const { workbench } = session;
    const { editor, inlineChat } = workbench;
    await editor.write("refused.ts", "let a = 1;\nlet b = 2;\n");
    await editor.selectLine(2);
    await inlineChat.ask("Forget the file");
    const text = await inlineChat.waitFor(/Done, but the lines to change are not in the file/);
    assert.doesNotMatch(text, /Apply|Show Diff/);
    assert.match(text, /Copy\s+·?\s*Ask Again/);
    await workbench.screenshot("inline-no-place");
    await editor.save("refused.ts", "let a = 1;\nlet b = 2;\n");
  });

  it("tell the errors that they have brought, and have them fixed on request", async () => {
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
});
