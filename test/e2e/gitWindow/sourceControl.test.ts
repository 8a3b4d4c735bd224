import assert from "node:assert/strict";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { questionTexts } from "../support/chatBody.ts";
import { block } from "../support/block.ts";
import { withSession } from "../support/session.ts";
import type { SourceControl } from "../support/sourceControl.ts";
import { until, untilText } from "../support/until.ts";
import { inWebview } from "../support/webview.ts";
import type { Workbench } from "../support/workbench.ts";
import { harbor, withRepository } from "./repository.ts";

const [bug, remark] = [
  { kind: "bug", severity: "high" },
  { kind: "improvement", severity: "low" },
];
const loop = "  for (let i = 0; i <= ships.length; i++) {";
const quit = "The last index is `ships.length - 1`. [Quit](command:workbench.action.quit)";
const tracked = "![tracked](https://example.com/seen.png) <b>Nobody</b> has changed this file.";
const boats = "export const boats = 2;";
const lines = [
  { file: "pier.ts", line: 1, ...remark, code: boats, title: "The name says little.", text: "Call it what it counts." },
  { file: "lighthouse.ts", line: 7, ...bug, title: "The lamp is off.", text: tracked },
  { file: "harbor.ts", line: 1, ...remark, title: "The function says nothing.", text: "Describe it." },
  { file: "harbor.ts", line: 2, ...bug, code: loop.trim(), title: "The loop runs one ship too far.", text: quit },
  { file: "harbor.ts", line: 3, ...remark, title: "The log is noisy.", text: "Drop it." },
].map((finding) => JSON.stringify(finding));
const findings = `<findings>\n${lines.join("\n")}\n</findings>`;
const fix = `It was wrong.\n\n${block("harbor.ts", loop, loop.replace("<=", "<"))}`;
const messages = ["explain what the harbor is for\n\nShips need to know.", "say how many ships there are"];

describe("commit messages and reviews, in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let scm: SourceControl;
  let review = findings;

  withSession(
    withRepository,
    (session) => {
      ({ gateway, workbench } = session);
      scm = workbench.sourceControl;
    },
    {
      isSequence: true,
      reply: ({ turns }) => {
        const has = (words: string): boolean => turns.some(({ text }) => text.includes(words));
        if (has("You review the changes")) return { text: review, calls: [] };
        if (has("problem at line")) return { text: fix, calls: [] };
        const message = messages[has("Word it differently") ? 1 : 0] ?? "";
        return { text: `<commit-message>docs: ${message}</commit-message>`, calls: [] };
      },
    },
  );

  const isGone = async (pattern: RegExp): Promise<boolean> => !pattern.test(await workbench.inlineChat.text());
  const waitForNoThread = (pattern: RegExp): Promise<unknown> =>
    until(() => isGone(pattern), `no thread with ${String(pattern)}`);

  it("write a message on click, after what the user typed, from the changes without secrets", async () => {
    await scm.open();
    await scm.button("Generate Commit Message").waitFor({ state: "attached" });
    await scm.focusBox();
    await workbench.page.keyboard.insertText("docs:");
    await scm.press("Generate Commit Message");
    await scm.waitForBox("docs: explain what the harbor is for Ships need to know.");
    const [request = ""] = questionTexts(gateway);
    assert.match(request, /"model":"gpt-5\.4"/);
    assert.match(request, /boats = 2/);
    assert.match(request, /Write in this language: English/);
    assert.doesNotMatch(request, /never-to-be-sent|\.env/);
  });

  it("write another one on the next click, and one undo restores the text before", async () => {
    await scm.press("Generate Commit Message");
    await scm.waitForBox("docs: say how many ships there are");
    assert.match(questionTexts(gateway)[0] ?? "", /rejected these messages[^]*explain what the harbor is for/);
    await scm.focusBox();
    await workbench.page.keyboard.press("ControlOrMeta+z");
    await scm.waitForBox("docs: explain what the harbor is for Ships need to know.");
    await workbench.page.keyboard.press("ControlOrMeta+a");
    await workbench.page.keyboard.insertText("docs:");
    await scm.waitForBox("docs:");
  });

  it("stop with the same button, and leave what was typed", async () => {
    gateway.mode({ hold: "midAnswer" });
    await scm.press("Generate Commit Message");
    await gateway.until((_, held) => held === 1);
    await scm.press("Stop Generating Commit Message");
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
    await scm.button("Generate Commit Message").waitFor({ state: "attached" });
    await scm.waitForBox("docs:");
    assert.deepEqual(await workbench.notifications.all(), []);
  });

  it("show findings on their lines, bugs first, from a click in the Source Control view", async () => {
    await scm.press("Review Changes");
    const result = /5 problems found in 2 changed files\. 1 could not be linked to a line\. Skipped or cut: 1/;
    await workbench.notifications.click(result, "Go to First");
    await workbench.editor.waitForTab("harbor.ts");
    await workbench.editor.waitForLine(2);
    const text = await workbench.inlineChat.waitFor(
      /Bug, high severity[^]*1 of 4\s+Fix \(.*\)\s·\sDismiss \(.*\)\s·\sNext \(Alt\/Option\+F9\)/,
    );
    assert.match(text, /The loop runs one ship too far\.\s+The last index is ships\.length - 1\. Quit/);
    assert.doesNotMatch(text, /boats|lamp/);
    const [request = ""] = questionTexts(gateway);
    assert.match(request, /"model":"gpt-5\.4"/);
    assert.match(request, /2\|\+ {2}for \(let i = 0; i <= ships\.length/);
    assert.doesNotMatch(request, /never-to-be-sent|\.env/);
  });

  it("have one line each after the first three, which opens them", async () => {
    const { page, editor, inlineChat } = workbench;
    await editor.open("pier.ts");
    const line = page.locator(".codelens-decoration", {
      hasText: "Improvement, low severity: The name says little. · 4 of 4",
    });
    await line.waitFor();
    assert.equal(await inlineChat.count(), 0);
    await line.locator("a").click();
    await inlineChat.waitFor(/The name says little\.\s+Call it what it counts\.[^]*4 of 4/);
    await line.waitFor({ state: "detached" });
    // The last finding is followed by the first.
    await workbench.statusBarItem("4 findings").click();
    await editor.waitForTab("harbor.ts");
    await editor.waitForLine(2);
  });

  it("have a finding fixed by inline chat, and show it again when the fix is undone", async () => {
    const { inlineChat, editor } = workbench;
    await editor.open("harbor.ts");
    await editor.moveTo(2);
    await inlineChat.press("q", async () => (await inlineChat.text()).includes("Fix: The loop"));
    await inlineChat.waitFor(/Fix: The loop runs one ship too far\.[^]*Done\s+Apply/);
    await inlineChat.applyByKeyboard();
    await waitForNoThread(/of 4/);
    await workbench.runCommand("Codex Gateway: Undo All Changes");
    await inlineChat.waitFor(/1 of 4/);
    await inlineChat.applyByKeyboard();
    await waitForNoThread(/of 4/);
    await workbench.runCommand("Codex Gateway: Keep All Changes");
    await editor.save("harbor.ts", harbor("i < ships.length"));
  });

  it("are dismissed by keyboard, from file to file, and counted down", async () => {
    const { inlineChat, editor, page, quickInput } = workbench;
    await editor.focus();
    await page.keyboard.press("Alt+F9");
    await editor.waitForLine(1);
    await inlineChat.waitFor(/The function says nothing\.[^]*1 of 3[^]*2 of 3/);
    // By the time that the menu opens, the extension host has told VS Code that the cursor is at a finding.
    await workbench.runCommand("Codex Gateway: Show Menu");
    await quickInput.waitFor("Codex Gateway");
    await quickInput.cancel();
    await inlineChat.press("x", () => isGone(/The function says nothing/));
    await editor.waitForLine(3);
    await inlineChat.waitFor(/The log is noisy\.[^]*1 of 2/);
    await workbench.runCommand("Codex Gateway: Dismiss Finding");
    await editor.waitForTab("pier.ts");
    await inlineChat.waitFor(/Improvement, low severity\s+The name says little\.[^]*1 of 1/);
    await workbench.runCommand("Codex Gateway: Dismiss Finding");
    await workbench.notifications.waitFor("There are no more findings.");
    await workbench.statusBarItem(/finding/).waitFor({ state: "detached" });
  });

  it("have a summary as plain text, with findings that have no line, which a cancelled review does not replace", async () => {
    gateway.mode({ hold: "midAnswer" });
    await workbench.runCommand("Codex Gateway: Review Changes");
    await gateway.until((_, held) => held === 1);
    await workbench.notifications.click(/Reviewing the changes in repository: \d:\d\d/, "Cancel");
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
    await workbench.notifications.waitForNone(/^Reviewing/);
    assert.deepEqual(await workbench.notifications.all(), []);
    await workbench.runCommand("Codex Gateway: Show Review Summary");
    const body = await inWebview(workbench.page, "body:has(h1)");
    const text = await untilText("the summary", () => body.first().innerText(), /The lamp is off\./);
    assert.match(text, /^Review of repository\s+All changes\. 5 problems found in 2 changed files\./);
    assert.match(text, /harbor\.ts:2 · Bug, high severity · The loop runs one ship too far\./);
    assert.match(text, /lighthouse\.ts:7 · Bug, high severity · The lamp is off\./);
    assert.ok(text.includes(tracked), text);
    assert.match(text, /1 file that may contain secrets/);
    assert.equal(await body.first().locator("img").count(), 0);
    await body.first().locator("s", { hasText: "The loop runs one ship too far." }).waitFor();
    await body.first().getByRole("link", { name: "pier.ts:1" }).click();
    await workbench.editor.waitForTab("pier.ts");
    await workbench.editor.waitForLine(1);
  });

  it("are cleared, and a review without findings reports that", async () => {
    await workbench.runCommand("Codex Gateway: Clear Review");
    review = "<findings></findings>";
    await workbench.runCommand("Codex Gateway: Review Changes");
    await workbench.notifications.waitFor(/^No problems found in 1 changed file\. Skipped or cut: 1\.$/);
  });
});
