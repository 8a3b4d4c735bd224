import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { type Session, sharedSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import { openWorkbench } from "./support/workbench.ts";

describe("inline chat", () => {
  let session: Session;

  beforeEach(async () => {
    session = await sharedSession();
  });

  afterEach(async () => {
    await session.gateway.reset();
    await session.workbench.runCommand("View: Revert and Close Editor");
  });

  it("asks, follows up, applies and undoes by keyboard, and the file is as before, byte for byte", async () => {
    const before = "function one() {\r\n\treturn 1;\r\n}\r\n\r\nfunction two() {\r\n\treturn 2;\r\n}";
    await openFile("keyboard.ts", before, 5);
    const { inlineChat, page } = session.workbench;
    await inlineChat.open();
    await session.workbench.screenshot("inline-empty");
    await page.keyboard.press("Escape");
    await session.workbench.editor.focus();

    await inlineChat.askFully("Say two");
    await session.workbench.screenshot("inline-done");
    await inlineChat.askFully("Say it louder");
    const { messages } = lastBody();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["system", "user", "assistant", "user"],
    );
    assert.match(messages[3]?.content ?? "", /about line 6:\n\n```typescript\n\treturn 2;\n```\n\nSay it louder$/);

    await inlineChat.press("a");
    await inlineChat.waitFor(/Applied\s+Keep/);
    await page.locator(".codelens-decoration", { hasText: /Keep.*Undo.*Show Diff/ }).waitFor();
    const after = before.replace("\treturn 2;", "\t// Say it louder\r\n\treturn 2;");
    await saved("keyboard.ts", after);
    await session.workbench.screenshot("inline-applied");

    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("let user;\n");
    await session.workbench.runCommand("Codex Gateway: Undo Change");
    await inlineChat.waitFor(/Done\s+Apply/);
    await saved("keyboard.ts", `let user;\r\n${before}`);
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Delete");
    await saved("keyboard.ts", before);

    await page.keyboard.press("ControlOrMeta+End");
    await session.workbench.runCommand("Codex Gateway: Apply Change");
    await inlineChat.waitFor(/Applied/);
    await session.workbench.runCommand("Codex Gateway: Keep Change");
    await inlineChat.waitFor(/Kept/);
    await saved("keyboard.ts", after);
  });

  it("finds the code where it moved to, and refuses what has changed", async () => {
    await openFile("moved.py", "def one():\n    return 1\n", 1);
    const { inlineChat, page, notifications } = session.workbench;
    await inlineChat.askFully("Use dedented code");
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("import os\n\n");
    await inlineChat.click("Apply");
    await saved("moved.py", "import os\n\ndef one():\n    # Use dedented code\n    return 1\n");
    await page.keyboard.press("ControlOrMeta+Z");
    await inlineChat.waitFor(/Done\s+Apply/);

    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    await page.keyboard.insertText("0");
    await inlineChat.click("Apply");
    await notifications.click(/The code has changed since the question/, "Show Diff");
    await session.workbench.editor.waitForTab(/moved\.py/);
    await until("both sides of the diff", async () =>
      (await page.locator(".editor.modified .view-line", { hasText: /Use.dedented.code/ }).count()) > 0
        ? true
        : undefined,
    );
    await session.workbench.runCommand("View: Close Editor");
    await saved("moved.py", "import os\n\ndef one():\n    return 10\n");
  });

  it("offers no Apply for an answer that was cut off, and keeps question and text with a way to ask again", async () => {
    const { gateway, workbench } = session;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).next(1, { broken: "cut", after: 8 });
    await openFile("cut.ts", "let a = 1;\n", 0);
    await workbench.inlineChat.ask("Rename it");
    await workbench.notifications.waitFor(/The answer broke off/);
    const text = await workbench.inlineChat.waitFor(/Cut off\s/);
    await workbench.screenshot("inline-cut-off");
    assert.match(text, /You\nRename it\nCodex\n+Here is the change:/);
    assert.match(text, /The answer broke off/);
    assert.doesNotMatch(text, /Apply/);
    await gateway.reset();
    await workbench.inlineChat.click("Retry");
    await workbench.inlineChat.waitFor(/Rename it[^]*Done\s+Apply/);
  });

  it("keeps a question that failed", async () => {
    const { gateway, workbench } = session;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always({ status: 403 });
    await openFile("failed.ts", "let a = 1;\n", 0);
    await workbench.inlineChat.ask("Rename it");
    await workbench.notifications.waitFor(/lacks the permission/);
    await workbench.inlineChat.waitFor(/Rename it\nCodex\n+The codex key lacks the permission[^]*Failed\s+Retry/);
    await workbench.screenshot("inline-failed");
  });

  it("stops, and ends its request when the file closes", async () => {
    const { gateway, workbench } = session;
    gateway.mode({ hold: "midAnswer" });
    await openFile("closed.ts", "let a = 1;\n", 0);
    await workbench.inlineChat.ask("Change it");
    await workbench.inlineChat.waitFor(/Answering…\s+Stop/);
    await workbench.screenshot("inline-streaming");
    await workbench.inlineChat.click("Stop");
    await workbench.inlineChat.waitFor(/Stopped\s+Copy/);
    await gateway.until(([first]) => first?.closed !== undefined);

    await workbench.editor.focus();
    await workbench.inlineChat.ask("Change it more");
    await gateway.until((requests, held) => requests.length === 2 && held === 1);
    await workbench.runCommand("View: Close Editor");
    await gateway.until((requests) => requests[1]?.closed !== undefined, 10_000);
    await openFile("other.ts", "", 0);
  });

  it("only answers about a document that cannot be changed", async () => {
    await openFile("original.ts", "let a = 1;\n", 0);
    const { editor, inlineChat, page } = session.workbench;
    await inlineChat.askFully("Rename it");
    await inlineChat.click("Show Diff");
    await page.locator(".editor.modified .view-line", { hasText: /Rename.it/ }).click();
    await inlineChat.askFully("Change it");
    assert.doesNotMatch((await inlineChat.text()).split("Change it")[1] ?? "", /Apply|Insert Below/);
    assert.doesNotMatch(lastBody().messages[0]?.content ?? "", /replace/);
    await session.workbench.runCommand("View: Close Editor");
    await editor.waitForTab("original.ts");
  });

  it("offers the tasks of the lightbulb, with the question already sent", async () => {
    await openFile("bulb.py", "a = 1\n", 0);
    const { page, inlineChat } = session.workbench;
    await page.keyboard.press("Shift+End");
    const offer = page.locator(".action-widget .monaco-list-row", { hasText: "Document with Codex" });
    await page.keyboard.press("ControlOrMeta+.");
    await offer.click();
    await inlineChat.waitFor(/Document this code\.[^]*Done\s+Apply/);
    assert.match(lastBody().messages[1]?.content ?? "", /documentation comments/);
  });

  /** Writes a file, opens it and puts the cursor on a line. */
  async function openFile(name: string, text: string, line: number): Promise<void> {
    const { editor, page, workspace } = session.workbench;
    await writeFile(join(workspace, name), text);
    await editor.open(name);
    await editor.focus();
    await page.keyboard.press("ControlOrMeta+Home");
    for (let left = line; left > 0; left -= 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
  }

  /** Saves the file in front and waits until these are its bytes. */
  async function saved(name: string, expected: string): Promise<void> {
    const path = join(session.workbench.workspace, name);
    await session.workbench.editor.focus();
    let bytes = "";
    const waiting = until(
      `the bytes of ${name}`,
      async () => {
        await session.workbench.page.keyboard.press("ControlOrMeta+S");
        bytes = await readFile(path, "utf8");
        return bytes === expected ? true : undefined;
      },
      5_000,
    );
    await waiting.catch(() => {
      assert.equal(bytes, expected);
    });
  }

  function lastBody(): ChatBody {
    const body = session.gateway.requests.at(-1)?.body;
    assert.ok(isChatBody(body));
    return body;
  }
});

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

function isChatBody(body: unknown): body is ChatBody {
  return typeof body === "object" && body !== null && "messages" in body;
}

describe("inline chat in a gateway that takes only the documented fields", () => {
  it("answers, follows up and applies", async () => {
    await using gateway = await startGateway({ modes: { strict: true } });
    const workbench = await openWorkbench(connectedTo(gateway));
    try {
      const path = join(workbench.workspace, "strict.ts");
      await writeFile(path, "let a = 1;\n");
      await workbench.editor.open("strict.ts");
      await workbench.editor.focus();
      await workbench.page.keyboard.press("Shift+End");
      await workbench.inlineChat.askFully("Explain it briefly");
      await workbench.inlineChat.askFully("Say more");
      await workbench.inlineChat.click("Apply");
      await workbench.inlineChat.waitFor(/Applied\s+Keep/);
      await workbench.page.keyboard.press("ControlOrMeta+S");
      await until("the bytes of strict.ts", async () =>
        (await readFile(path, "utf8")) === "// Say more\nlet a = 1;\n" ? true : undefined,
      );
    } finally {
      await workbench.close();
    }
  });
});
