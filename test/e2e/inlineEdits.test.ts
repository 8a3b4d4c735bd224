import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lastQuestion } from "./support/chatBody.ts";
import { type Session, withEditorInFront } from "./support/session.ts";
import { until } from "./support/until.ts";

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

  it("are asked for once more when they do not fit, and say why when that does not help", async () => {
    const { workbench } = session;
    const { editor, inlineChat } = workbench;
    await editor.write("repair.ts", "let a = 1;\nlet b = 2;\n");
    await editor.selectLine(2);
    await inlineChat.askFully("Misremember it once");
    await inlineChat.waitFor(/Done\s+Apply/);
    assert.match(lastQuestion(session.gateway), /^Nothing of your last answer was applied/);
    await inlineChat.applyByKeyboard();
    await editor.save("repair.ts", "let a = 1;\n// Misremember it once\nlet b = 2;\n");

    await editor.write("refused.ts", "let a = 1;\nlet b = 2;\n");
    await editor.selectLine(2);
    await inlineChat.ask("Forget the file");
    const text = await inlineChat.waitFor(/Done, but the lines to change are not in the file/);
    assert.doesNotMatch(text, /Apply|Show Diff/);
    assert.match(text, /Copy\s+·?\s*Ask Again/);
    await workbench.screenshot("inline-no-place");
    await editor.save("refused.ts", "let a = 1;\nlet b = 2;\n");
  });

  it("are applied by themselves where that is set, from a cursor in a file of 2,000 lines", async () => {
    const { workbench } = session;
    const { editor, inlineChat, page } = workbench;
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "settings.json"),
      JSON.stringify({ "codexGateway.inlineChat.apply": "automatically" }),
    );
    try {
      const lines = Array.from({ length: 2_000 }, (_, index) => `row ${index + 1}`);
      await editor.write("long.txt", lines.join("\n"));
      await page.keyboard.press("ControlOrMeta+End");
      await page.locator(".statusbar-item", { hasText: "Ln 2000," }).waitFor();
      await inlineChat.ask("Say it by itself");
      await inlineChat.waitFor(/\+1 −0 · Applied[^]*Keep/);
      await workbench.screenshot("inline-automatic");
      await editor.save("long.txt", [...lines.slice(0, -1), "// Say it by itself", "row 2000"].join("\n"));
      await page.keyboard.press("ControlOrMeta+Z");
      await until("the change undone", async () => ((await inlineChat.text()).includes("Done") ? true : undefined));
      await editor.save("long.txt", lines.join("\n"));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
