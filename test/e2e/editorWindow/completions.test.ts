import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { questionOf } from "../../support/gateway/conversation.ts";
import { questionTexts } from "../support/chatBody.ts";
import { readable } from "../support/text.ts";
import { connected, withSession } from "../support/session.ts";
import { attempt, oneAttempt, succeeded } from "../support/attempts.ts";
import { until, untilText } from "../support/until.ts";
import type { Workbench } from "../support/workbench.ts";

/** The end of the text before the cursor, and the answer to it in the form of chat models. */
const answers = new Map([
  [/function add\(a: number, b: number\) \{\n\s*$/, "```ts\nconst sum = a + b;\n  return sum;\n```"],
  [/const total = price \* $/, "Here is the rest:\n```ts\namount + shipping;\n```"],
  [/const total = price \* amount \+ shipping;$/, "\nconst rounded = Math.round(total);"],
  [/console\.l$/, 'og("ready");'],
  [/let x = $/, "1;"],
  [/\/\/ 你好$/, "，世界"],
  // Not in the cache when it is refused.
  [/let refused = $/, "2;"],
]);

describe("completions in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;

  withSession(
    connected,
    async (session) => {
      ({ gateway, workbench } = session);
      await workbench.runCommand("Codex Gateway: Configure Completions");
      await workbench.quickInput.waitFor("Completions");
      await workbench.quickInput.row("While Typing").click();
    },
    {
      reply: (conversation) => {
        const [before = ""] = questionOf(conversation).split("<|cursor|>");
        return { text: [...answers].find(([pattern]) => pattern.test(before))?.[1] ?? "", calls: [] };
      },
    },
  );

  const asked = (): readonly string[] => questionTexts(gateway);
  const type = async (text: string): Promise<void> => workbench.page.keyboard.type(text, { delay: 20 });
  const open = async (name: string, text: string): Promise<void> => {
    await workbench.editor.write(name, text);
    await workbench.page.keyboard.press("ControlOrMeta+End");
  };

  /** Asks by the key until more requests were sent than these. */
  const trigger = (sent: number): Promise<boolean> =>
    until(async () => {
      if (asked().length > sent) return true;
      await workbench.page.keyboard.press("Alt+\\");
      return false;
    }, "a request on demand");

  it("appear while typing, are typed into, and are accepted by word and whole", async () => {
    const code = "const price = 2;\nconst amount = 3;\nconst shipping = 1;\n";
    await open("total.ts", code);
    await type("const total = price * ");
    await waitForGhostText(workbench.page, /^amount \+ shipping;$/);
    const { length } = asked();
    await type("amo");
    await waitForGhostText(workbench.page, /^unt \+ shipping;$/);
    await attempt(
      workbench.page,
      async () => {
        await workbench.page.keyboard.press("ControlOrMeta+ArrowRight");
        return succeeded(waitForGhostText(workbench.page, /^ ?\+ shipping;$/, oneAttempt));
      },
      "a word to be accepted",
    );
    assert.equal(asked().length, length, "what is typed as suggested needs no request");
    await workbench.page.keyboard.press("Tab");
    await workbench.editor.waitForText(/const total = price \* amount \+ shipping;/);
    await trigger(length);
    await waitForGhostText(workbench.page, /const rounded = Math\.round\(total\);/);
    await workbench.page.keyboard.press("Escape");
    await waitForGhostText(workbench.page, /^$/);
    await workbench.editor.save("total.ts", `${code}const total = price * amount + shipping;`);
  });

  it("fill an empty body with several lines, in the line endings of the document", async () => {
    await open("add.ts", "function add(a: number, b: number) {\r\n  \r\n}\r\n");
    await workbench.page.keyboard.press("ArrowUp");
    await workbench.page.keyboard.press("ArrowUp");
    await workbench.page.keyboard.press("End");
    await trigger(0);
    await waitForGhostText(workbench.page, /const sum = a \+ b;[^]*return sum;/);
    await workbench.page.keyboard.press("Tab");
    await workbench.editor.waitForText(/return sum;/);
    const bytes = "function add(a: number, b: number) {\r\n  const sum = a + b;\r\n  return sum;\r\n}\r\n";
    await workbench.editor.save("add.ts", bytes);
  });

  it("continue what the editor's own list has selected", async () => {
    await open("list.ts", "");
    await type("console.l");
    await workbench.page.locator(".suggest-widget.visible").waitFor();
    await waitForGhostText(workbench.page, /og\("ready"\);/);
    await workbench.page.keyboard.press("Escape");
  });

  it("are requested for text that an input method has inserted, not while it composes", async () => {
    const { page, editor } = workbench;
    await open("composed.ts", "let a = 1;\n");
    // VS Code asks for nothing before a key that is not composed (VS Code 1.139).
    await type("// ");
    const input = await page.context().newCDPSession(page);
    for (const text of ["n", "ni", "ni h", "ni ha", "ni hao"]) {
      await input.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      await editor.waitForText(new RegExp(`// ${text}`));
    }
    await input.send("Input.insertText", { text: "你好" });
    await waitForGhostText(page, /，世界/);
    const places = asked().map((question) => /\/\/ (.*?)<\|cursor\|>/.exec(question)?.[1]);
    // On a busy machine, the pause after the first keys is one in typing.
    assert.deepEqual(places.filter(Boolean), ["你好"]);
  });

  it("are not requested in diffs and inputs", async () => {
    const { page, editor, chat } = workbench;
    await chat.focus();
    await type("let x = ");
    await page.keyboard.press("Alt+\\");
    await workbench.tidyUp();
    await open("draft.ts", "let y = 2;\n");
    // At once: a pause in the middle of the line would be one in a plain editor.
    await page.keyboard.insertText("let z = 3;");
    await workbench.runCommand("File: Compare Active File with Saved");
    await page
      .locator(".editor-group-container.active .diff-editor, .editor-group-container.active .monaco-diff-editor")
      .first()
      .waitFor();
    await page.keyboard.press("ControlOrMeta+End");
    await type("\nlet x = ");
    await page.keyboard.press("Alt+\\");
    await workbench.close("Revert and Close Editor");
    assert.deepEqual(asked(), []);
    await editor.focus();
    await open("plain.ts", "");
    await type("let x = ");
    await waitForGhostText(page, /1;/);
  });

  it("are turned off for a language, for an hour, and on again", async () => {
    const { page, editor } = workbench;
    const typeLine = async (): Promise<void> => {
      await editor.focus();
      await page.keyboard.press("ControlOrMeta+End");
      await type("\nlet x = ");
      await page.keyboard.press("Alt+\\");
    };
    /** Waits until the menu, which knows what the next suggestion will know, has this row. */
    const waitForRow = (row: string): Promise<unknown> =>
      until(async () => {
        await workbench.runCommand("Codex Gateway: Configure Completions");
        const { labels } = await workbench.quickInput.waitFor("Completions");
        await workbench.quickInput.cancel();
        return labels.includes(row);
      }, `the row ${row}`);
    const switchLanguage = "Codex Gateway: Turn Completions On or Off for the Language";
    await open("switches.ts", "");
    await workbench.runCommand(switchLanguage);
    await waitForRow("Turn On for the Language typescript");
    await typeLine();
    await workbench.runCommand("Codex Gateway: Pause Completions for an Hour");
    await workbench.runCommand(switchLanguage);
    await waitForRow("Turn Off for the Language typescript");
    await typeLine();
    assert.deepEqual(asked(), []);
    await workbench.runCommand("Codex Gateway: Resume Completions");
    await editor.focus();
    await trigger(0);
    await waitForGhostText(page, /1;/);
  });

  it("are off after the gateway has refused one, until they are turned on again", async () => {
    const { notifications } = workbench;
    gateway.entry("primary").next(1, { status: 403 });
    await open("refused.ts", "");
    await type("let refused = ");
    await trigger(0);
    await notifications.waitFor(/Completions are off in this window\./);
    await workbench.statusBarItem("TypeScript").first().waitFor();
    await notifications.click(/Completions are off/, "Turn On Again");
    await workbench.statusBarItem(/Completions off/).waitFor({ state: "detached" });
    const { length } = asked();
    await workbench.editor.focus();
    await trigger(length);
    await waitForGhostText(workbench.page, /2;/);
  });
});

/** The text that is suggested at the cursor of the editor in front. */
async function ghostText(page: Page): Promise<string> {
  // Inline, the part that the editor's own list has selected is marked apart; further lines stand below.
  const editor = page.locator(".editor-group-container.active .editor-instance");
  const inline = await editor.locator('[class*="ghost-text-decoration"]').allTextContents();
  const below = await editor.locator(".suggest-preview-text .view-line").allTextContents();
  return readable([inline.join(""), ...below].join("\n"));
}

/** Waits until this is suggested. */
async function waitForGhostText(page: Page, pattern: RegExp, timeout = 15_000): Promise<void> {
  await untilText("the suggestion", () => ghostText(page), pattern, timeout);
}
