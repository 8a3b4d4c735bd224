import assert from "node:assert/strict";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { questionTexts } from "./support/chatBody.ts";
import { withOwnSession } from "./support/session.ts";
import type { SourceControl } from "./support/sourceControl.ts";
import { until } from "./support/until.ts";
import { inWebview } from "./support/webview.ts";
import type { Workbench } from "./support/workbench.ts";

const harbor = (condition: string): string =>
  [
    "export function dock(ships: string[]): void {",
    `  for (let i = 0; ${condition}; i++) {`,
    "    console.log(ships[i]);",
    "  }",
    "}",
    "",
  ].join("\n");

const findings = [
  "FINDING",
  "file: buoy.ts",
  "line: 2",
  "kind: improvement",
  "severity: low",
  "code: export const light = 0;",
  "title: The light is off.",
  "text: Nobody will see it.",
  "END",
  "FINDING",
  "file: pier.ts",
  "line: 1",
  "kind: improvement",
  "severity: low",
  "code: export const boats = 2;",
  "title: The name says little.",
  "text: Call it what it counts.",
  "END",
  "FINDING",
  "file: lighthouse.ts",
  "line: 7",
  "kind: bug",
  "severity: high",
  "title: The lamp is off.",
  "text: ![tracked](https://example.com/seen.png) <b>Nobody</b> has changed this file.",
  "END",
  "FINDING",
  "file: harbor.ts",
  "line: 99",
  "kind: bug",
  "severity: medium",
  "code: console.log(ships[i]);",
  "title: The log is noisy.",
  "text: Each ship is logged.",
  "END",
  "FINDING",
  "file: harbor.ts",
  "line: 2",
  "kind: bug",
  "severity: high",
  "code: for (let i = 0; i <= ships.length; i++) {",
  "title: The loop runs one ship too far.",
  "text: The last index is `ships.length - 1`. [Quit](command:workbench.action.quit)",
  "END",
].join("\n");

const findingInNewName = [
  "FINDING",
  "file: wharf.ts",
  "line: 3",
  "kind: bug",
  "severity: low",
  "code: console.error(ships[i]);",
  "title: This is no error.",
  "text: Each ship is logged.",
  "END",
].join("\n");

const fix = [
  "The condition was wrong.",
  "",
  "harbor.ts",
  "```typescript",
  "<<<<<<< SEARCH",
  "  for (let i = 0; i <= ships.length; i++) {",
  "=======",
  "  for (let i = 0; i < ships.length; i++) {",
  ">>>>>>> REPLACE",
  "```",
].join("\n");

describe("a review of changes in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let repository: GitFolder;
  let scm: SourceControl;
  let review = findings;

  withOwnSession(
    (local, cleanup) => {
      repository = cleanup.use(createRepository());
      repository.write("harbor.ts", harbor("i < ships.length"));
      repository.write("pier.ts", "export const boats = 1;\n");
      repository.write(".env", "PASSWORD=never-to-be-sent\n");
      repository.commit("Open the harbor");
      repository.write("harbor.ts", harbor("i <= ships.length"));
      repository.write("pier.ts", 'export const boats = 2;\nexport const password = "never-to-be-sent-at-all";\n');
      repository.write(".env", "PASSWORD=never-to-be-sent-either\n");
      repository.write("buoy.ts", "export const chain = 1;\nexport const light = 0;\n");
      const settings = { "codexGateway.review.model": "gpt-5.4" };
      return { ...connectedTo(local, settings), workspace: repository.folder };
    },
    (session) => {
      ({ gateway, workbench } = session);
      scm = workbench.sourceControl;
    },
    {
      isSequence: true,
      gateway: () => ({
        reply: ({ turns }) => {
          const isReview = turns.some(({ text }) => text.startsWith("You review the changes"));
          return { text: isReview ? review : fix, calls: [] };
        },
      }),
    },
  );

  const waitForNoThread = (pattern: RegExp): Promise<unknown> =>
    until(`no thread with ${String(pattern)}`, async () =>
      pattern.test(await workbench.inlineChat.text()) ? undefined : true,
    );

  it("shows the findings on their lines, bugs first, from a click in the Source Control view", async () => {
    await scm.open();
    await scm.button("Review Changes").waitFor({ state: "attached" });
    await scm.press("Review Changes");
    const result =
      /5 problems found in 3 changed files\. Without a place in the code: 1\. Not or only partly reviewed: 1\./;
    await workbench.notifications.click(result, "Go to First");
    await workbench.editor.waitForTab("harbor.ts");
    await workbench.editor.waitForLine(2);
    const text = await workbench.inlineChat.waitFor(/Bug, high severity[^]*1 of 4\s+Fix\s·\sDismiss\s·\sNext/);
    assert.match(text, /The loop runs one ship too far\.\s+The last index is ships\.length - 1\. Quit/);
    assert.match(text, /Bug, medium severity\s+The log is noisy\.[^]*2 of 4/);
    assert.doesNotMatch(text, /boats|lamp|light/);
    await workbench.screenshot("review");
    const [request = ""] = questionTexts(gateway);
    assert.match(request, /"model":"gpt-5\.4"/);
    assert.match(request, /2\|\+ {2}for \(let i = 0; i <= ships\.length/);
    assert.doesNotMatch(request, /never-to-be-sent|\.env/);
  });

  it("has a finding fixed by inline chat, and brings it back when the fix is undone", async () => {
    const { inlineChat, editor } = workbench;
    await workbench.page
      .locator(".review-widget:visible")
      .getByRole("link", { name: "Fix", exact: true })
      .first()
      .click();
    await inlineChat.waitFor(/Fix: The loop runs one ship too far\.[^]*Done\s+Apply/);
    assert.match(questionTexts(gateway)[0] ?? "", /problem at line 2:[^]*The loop runs one ship too far/);
    await inlineChat.applyByKeyboard();
    await waitForNoThread(/1 of 4/);
    await workbench.runCommand("Codex Gateway: Undo All Changes");
    await inlineChat.waitFor(/1 of 4/);
    await inlineChat.applyByKeyboard();
    await waitForNoThread(/1 of 4/);
    await workbench.screenshot("review-fixed");
    await workbench.runCommand("Codex Gateway: Keep All Changes");
    await editor.save("harbor.ts", harbor("i < ships.length"));
  });

  it("goes to the next finding, dismisses it, and goes on in another file", async () => {
    const { inlineChat, editor } = workbench;
    await workbench.runCommand("Codex Gateway: Go to Next Finding");
    await editor.waitForLine(3);
    await workbench.runCommand("Codex Gateway: Dismiss Finding");
    await waitForNoThread(/The log is noisy/);
    await workbench.runCommand("Codex Gateway: Go to Next Finding");
    await editor.waitForTab("pier.ts");
    await inlineChat.waitFor(/Improvement, low severity\s+The name says little\.[^]*3 of 4/);
    await inlineChat.click("Dismiss");
    await waitForNoThread(/The name says little/);
    await workbench.runCommand("Codex Gateway: Go to Next Finding");
    await editor.waitForTab("buoy.ts");
    await editor.waitForLine(2);
    await inlineChat.waitFor(/Improvement, low severity\s+The light is off\.[^]*4 of 4/);
    await inlineChat.click("Dismiss");
    await waitForNoThread(/The light is off/);
  });

  it("has a summary with what has no place, as plain text", async () => {
    await workbench.runCommand("Codex Gateway: Show Review Summary");
    const body = await inWebview(workbench.page, "body:has(h1)");
    const text = await until("the summary", async () => {
      const shown = await body.first().innerText();
      return shown.includes("The lamp is off.") ? shown : undefined;
    });
    assert.match(text, /^Review of repository\s+All changes\. 5 problems found in 3 changed files\./);
    assert.match(text, /harbor\.ts:2 · Bug, high severity · The loop runs one ship too far\./);
    assert.match(text, /lighthouse\.ts:7 · Bug, high severity · The lamp is off\./);
    assert.ok(text.includes("![tracked](https://example.com/seen.png) <b>Nobody</b> has changed this file."), text);
    assert.match(text, /1 file that may contain secrets/);
    assert.equal(await body.first().locator("img").count(), 0);
    await workbench.screenshot("review-summary");
  });

  it("can be cancelled, which leaves the former one", async () => {
    gateway.mode({ hold: "midAnswer" });
    await workbench.runCommand("Codex Gateway: Review Changes");
    await gateway.until((_, held) => held === 1);
    await workbench.notifications.click(/Reviewing the changes in repository: \d:\d\d/, "Cancel");
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
    await workbench.notifications.waitForNone(/^Reviewing/);
    assert.deepEqual(await workbench.notifications.all(), []);
    await workbench.runCommand("Codex Gateway: Show Review Summary");
    await inWebview(workbench.page, "body:has(h1)");
  });

  it("says that nothing is found, and what was not reviewed", async () => {
    review = "NO FINDINGS";
    await workbench.runCommand("Codex Gateway: Review Changes");
    await workbench.notifications.waitFor(/^No problems found in 2 changed files\. Not or only partly reviewed: 1\.$/);
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Clear Review");
  });

  it("shows findings in a file with a new name", async () => {
    review = findingInNewName;
    repository.git("reset", "--quiet", "--hard");
    repository.git("mv", "harbor.ts", "wharf.ts");
    repository.write("wharf.ts", harbor("i < ships.length").replace("log", "error"));
    repository.git("add", "wharf.ts");
    await workbench.runCommand("Git: Refresh");
    const found = /1 problem found in 1 changed file\./;
    await until("the review of what is staged", async () => {
      await workbench.notifications.dismissAll();
      await workbench.runCommand("Codex Gateway: Review Changes");
      return workbench.notifications.waitFor(found, 5_000).catch(() => undefined);
    });
    await workbench.notifications.click(found, "Go to First");
    await workbench.editor.waitForTab("wharf.ts");
    await workbench.editor.waitForLine(3);
    await workbench.inlineChat.waitFor(/This is no error\.[^]*1 of 1/);
    await workbench.runCommand("Codex Gateway: Clear Review");
  });

  it("says what is in the way: nothing to review", async () => {
    repository.git("reset", "--quiet", "--hard");
    repository.git("clean", "--quiet", "--force");
    await workbench.runCommand("Git: Refresh");
    await until("the sentence", async () => {
      await workbench.runCommand("Codex Gateway: Review Changes");
      return workbench.notifications
        .waitFor(/^There are no changes in repository that can be reviewed\./, 5_000)
        .catch(() => undefined);
    });
    await workbench.notifications.dismissAll();
  });
});
