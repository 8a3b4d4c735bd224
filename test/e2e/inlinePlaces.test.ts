import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lastQuestion } from "./support/chatBody.ts";
import { type Session, withEditorInFront } from "./support/session.ts";
import { until } from "./support/until.ts";

describe("inline chat wherever there is text", () => {
  let session: Session;
  withEditorInFront((shared) => {
    session = shared;
  });

  it("asks about the enclosing symbol when nothing is selected", async () => {
    const { editor, inlineChat, page } = session.workbench;
    await editor.write("symbols.ts", "const a = 1;\n\nfunction two() {\n  return 2;\n}\n");
    await editor.moveTo(4);
    await page.locator(".breadcrumbs-control .monaco-icon-label", { hasText: "two" }).waitFor();
    await inlineChat.open();
    await inlineChat.waitFor(/Ask about lines 3 to 5, or say how to change them/);
    await inlineChat.type("Say two");
    await inlineChat.send();
    await inlineChat.waitFor(/Done\s+Apply/);
    assert.match(
      lastQuestion(session.gateway),
      /about lines 3 to 5:\n\n```typescript\nfunction two\(\) {\n {2}return 2;\n}\n```/,
    );
  });

  it("answers in two editors at once, and Stop in one leaves the other alone", async () => {
    const { gateway, workbench } = session;
    const { editor, inlineChat } = workbench;
    gateway.mode({ hold: "midAnswer" });
    await editor.write("left.ts", "let left = 1;\n");
    await inlineChat.ask("Say left");
    await workbench.runCommand("View: Split Editor Right");
    await editor.write("right.ts", "let right = 1;\n");
    await inlineChat.ask("Say right");
    await gateway.until((_, held) => held === 2);
    await inlineChat.waitFor(/Say right[^]*Answering/);
    await workbench.screenshot("inline-two-editors");
    await inlineChat.stopByKeyboard();
    await inlineChat.waitUntilLeft();
    await inlineChat.waitFor(/Stopped\s+Copy/);
    await gateway.until(() => gateway.asked[0]?.closed === undefined && gateway.asked[1]?.closed !== undefined);
    gateway.release();
    await workbench.runCommand("View: Focus First Editor Group");
    await inlineChat.waitFor(/Say left\nCodex[^]*\+1 −0[^]*\+\/\/ Say left[^]*Done\s+Apply/);
    await workbench.runCommand("View: Close All Editors");
  });

  it("asks and applies on the modified side of a diff editor", async () => {
    const { workbench, gateway } = session;
    const { editor, inlineChat, page, quickInput } = workbench;
    await editor.write("after.ts", "let a = 10;\nlet b = 2;\n");
    await editor.write("before.ts", "let a = 1;\nlet b = 2;\n");
    await workbench.runCommand("File: Compare Active File With...");
    await quickInput.type("after.ts");
    await quickInput.pick("after.ts");
    await page.locator(".editor.modified .view-line", { hasText: /a.=.10/ }).click();
    await inlineChat.askFully("Say ten");
    assert.match(lastQuestion(gateway), /^File after\.ts [^]*cursor is in line 1:\n\n```typescript\nlet a = 10;\n```/m);
    await inlineChat.applyByKeyboard();
    await workbench.screenshot("inline-diff");
    await workbench.runCommand("View: Close Editor");
    await editor.open("after.ts");
    await editor.save("after.ts", "// Say ten\nlet a = 10;\nlet b = 2;\n");
    await workbench.runCommand("View: Close Editor");
  });

  it("asks about a cell of a notebook beside it, and applies to the notebook", async () => {
    const { workbench, gateway } = session;
    const { editor, inlineChat, page } = workbench;
    const cell = (...source: string[]): object => ({ cell_type: "code", metadata: {}, outputs: [], source });
    const cells = [cell("a = 1"), cell("b = 2\n", "c = 3")];
    const notebook = { cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 4 };
    const file = join(workbench.workspace, "notebook.ipynb");
    await writeFile(file, JSON.stringify(notebook));
    await editor.open("notebook.ipynb");
    const line = page.locator(".notebook-editor .view-line", { hasText: /c.=.3/ });
    await line.click();
    await page.locator(".notebook-editor .native-edit-context:focus").waitFor({ state: "attached" });
    await inlineChat.askFully("Say three");
    assert.match(lastQuestion(gateway), /^File notebook\.ipynb, cell 2 \(python[^]*line 2:\n\n```python\nc = 3\n```/m);
    await inlineChat.askFully("Say it again");
    await inlineChat.applyByKeyboard();
    await workbench.screenshot("inline-notebook");
    await workbench.runCommand("View: Close Editor");
    await editor.waitForTab("notebook.ipynb");
    await workbench.runCommand("File: Save");
    await until("the saved notebook", async () =>
      (await readFile(file, "utf8")).includes("Say it again") ? true : undefined,
    );
    const saved = JSON.parse(await readFile(file, "utf8")) as typeof notebook;
    assert.partialDeepStrictEqual(saved.cells[1], { source: ["b = 2\n", "# Say it again\n", "c = 3"] });
  });

  it("ends its requests when the window closes", async () => {
    const { gateway, workbench } = session;
    gateway.mode({ hold: "midAnswer" });
    await workbench.editor.write("reloaded.ts", "let a = 1;\n");
    await workbench.inlineChat.ask("Change it");
    await gateway.until((_, held) => held === 1);
    await workbench.reload();
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
  });
});
