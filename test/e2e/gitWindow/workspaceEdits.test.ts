import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { questionTexts } from "../support/chatBody.ts";
import { withSession } from "../support/session.ts";
import type { Workbench } from "../support/workbench.ts";
import { lamp, old, script, tower, withRepository } from "./repository.ts";

const patch = (...lines: readonly string[]): string =>
  ["`````", "*** Begin Patch", ...lines, "*** End Patch", "`````"].join("\n");

const higher = patch("*** Update File: tower.ts", "@@", "-export const height = 10;", "+export const height = 12;");
const several = patch(
  "*** Update File: lamp.ts",
  "@@",
  '-export const lamp = "off";',
  '+export const lamp = "on";',
  ' export const color = "white";',
  "*** Update File: tower.ts",
  "@@",
  "-export const height = 10;",
  "+export const height = 12;",
  "+export const floors = 3;",
  "*** Add File: docs/light.md",
  "+# Light",
  "*** Update File: run.sh",
  "*** Move to: bin/run.sh",
  "@@",
  " #!/bin/sh",
  "-echo light",
  "+echo more light",
);

describe("an edit of several files in a real VS Code, on a strict gateway", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let answers: string[] = [];

  withSession(
    withRepository,
    async (session) => {
      ({ gateway, workbench } = session);
      // A window that is reloaded is ready once it lists the files.
      await workbench.runCommand("View: Show Explorer");
    },
    { isSequence: true, reply: () => ({ text: answers.shift() ?? "Nothing more.", calls: [] }) },
  );

  beforeEach(() => {
    gateway.mode({ strict: true });
  });

  const at = (path: string): string => join(workbench.workspace, path);
  const read = (path: string): string => readFileSync(at(path), "utf8");
  const asked = (): string => questionTexts(gateway).at(-1) ?? "";
  const button = (name: string): ReturnType<Workbench["chat"]["inAnswer"]> => workbench.chat.inAnswer("button", name);
  /** The rows that Show State lists: first what can be done with the edit, then its files. */
  const state = async (): Promise<readonly string[]> => {
    const { chat, quickInput } = workbench;
    await chat.inAnswer("link", "Show State").click();
    await quickInput.waitFor("Edit by Codex");
    const rows = await quickInput.rows();
    return rows.map((row) => row.join(" ").trim());
  };
  const isAsBefore = (): void => {
    assert.deepEqual(["lamp.ts", "tower.ts", "run.sh"].map(read), [lamp, tower, script]);
    assert.equal(statSync(at("run.sh")).mode & 0o777, 0o755);
    assert.ok(!existsSync(at("docs/light.md")) && !existsSync(at("bin/run.sh")));
  };

  it("shows a plan, files and diffs, applies all but the skipped one, undoes them to the byte, and continues in the chat", async () => {
    const { chat, notifications, page, quickInput } = workbench;
    answers = [`The lamp is switched on, and the tower gets higher.\n\n${several}`, `Only the tower.\n\n${higher}`];
    const answer = await chat.ask("@codex /edit Switch the lamp on and raise the tower");
    assert.match(answer, /The lamp is switched on[^]*lamp\.ts · \+1 −1 · Skip[^]*tower\.ts · \+2 −1 · Skip/);
    assert.match(answer, /run\.sh → bin\/run\.sh · renamed · \+1 −1[^]*docs\/light\.md · new · \+1 −0/);
    assert.doesNotMatch(answer, /Begin Patch|floors/);
    assert.match(asked(), /lamp\.ts:[^]*tower\.ts:[^]*Switch the lamp on/);
    await chat.inAnswer("link", "Review").click();
    await page.getByRole("tab", { name: /^Changes by Codex \(4 files\)/ }).waitFor();
    await page.locator(".multiDiffEntry").first().waitFor();
    await chat.inAnswer("link", "tower.ts").click();
    await page.getByRole("tab", { name: /^tower\.ts \(change by Codex\)/ }).waitFor();
    await workbench.close("Close All Editors");
    isAsBefore();

    await chat.inAnswer("link", "Skip").nth(1).click();
    await notifications.click(/^Skipped: tower\.ts Include$/, "Include");
    await notifications.waitForNone(/^Skipped/);
    assert.deepEqual((await state()).slice(0, 4), [
      "Apply",
      "Review",
      "lamp.ts not applied · +1 −1",
      "tower.ts not applied · +2 −1",
    ]);
    await quickInput.pick("tower.ts");
    await quickInput.waitFor("tower.ts");
    await quickInput.pick("Skip");
    await quickInput.row("tower.ts").filter({ hasText: "skipped" }).waitFor();
    await quickInput.cancel();
    await notifications.waitFor(/^Skipped: tower\.ts Include$/);
    assert.equal(await chat.inAnswer("link", "Undo").count(), 0);
    await chat.focus();
    await page.keyboard.press("ControlOrMeta+K");
    await page.keyboard.press("a");
    await notifications.waitFor(/^3 files were changed\. Keep · Undo · Next$/);
    await notifications.waitForNone(/^Skipped/);
    assert.equal(read("lamp.ts"), lamp.replace("off", "on"));
    assert.equal(read("tower.ts"), tower);
    assert.equal(read("docs/light.md"), "# Light\n");
    assert.equal(statSync(at("bin/run.sh")).mode & 0o777, 0o755);
    assert.ok(!existsSync(at("run.sh")));
    writeFileSync(at("docs/light.md"), "# Lights\n");
    assert.deepEqual(await state(), [
      "Keep",
      "Undo",
      "Review",
      "lamp.ts applied · +1 −1",
      "tower.ts skipped · +2 −1",
      "run.sh applied · renamed · +1 −1 · run.sh → bin/run.sh",
      "light.md applied · changed since · new · +1 −0 · docs/light.md",
    ]);
    await quickInput.cancel();
    writeFileSync(at("docs/light.md"), "# Light\n");
    await notifications.click(/3 files were changed\./, "Undo");
    await notifications.waitFor(/^The edit was undone\.$/);
    await notifications.waitForNone(/were changed/);
    isAsBefore();
    assert.match(await chat.ask("@codex Only the tower, please"), /Only the tower\.[^]*tower\.ts · \+1 −1/);
    assert.match(asked(), /lamp\.ts: undone by the user[^]*tower\.ts: left out by the user/);
    await button("Apply").click();
    await notifications.waitFor(/^Changed: tower\.ts Keep · Undo · Next$/);
    assert.equal(read("tower.ts"), "export const height = 12;\n");
  });

  it("can be undone after a reload, as a change of inline chat can by its marks", async () => {
    const { editor, inlineChat, page } = workbench;
    const marks = page.locator(".codelens-decoration", { hasText: /Keep.*Undo.*Show Diff/ });
    answers = ["```ts replace\nexport const old = 1;\n```"];
    await editor.open("old.ts");
    await editor.selectLine(1);
    await inlineChat.askFully("As a number");
    await inlineChat.applyByKeyboard();
    await marks.waitFor();
    await editor.save("old.ts", "export const old = 1;\n");
    await workbench.reload();
    // VS Code in a browser has not always stored by now which editors are open.
    await editor.open("old.ts");
    await marks.waitFor();
    await editor.focus();
    await workbench.runCommand("Codex Gateway: Undo All Changes");
    await marks.waitFor({ state: "detached" });
    await editor.save("old.ts", old);
    await workbench.close("Close Editor");
    await workbench.runCommand("Codex Gateway: Undo Last Edit");
    await workbench.notifications.waitFor(/^The edit was undone\.$/);
    isAsBefore();
    await workbench.waitForCommand("Codex Gateway: Undo Last Edit", false);
  });

  it("asks before it deletes a file or changes one that can run code", async () => {
    const { chat, dialog, notifications } = workbench;
    answers = [
      `A task instead.\n\n${patch("*** Delete File: old.ts", "*** Add File: .vscode/tasks.json", '+{ "tasks": [] }')}`,
    ];
    assert.match(await chat.ask("@codex /edit Replace the old file"), /old\.ts · deleted · \+0 −1/);
    await button("Apply").click();
    assert.match(
      await dialog.text(),
      /This edit deletes a file\.\s+old\.ts\s+This edit changes dotfiles, configuration, build files, installed packages, or code[^]*\.vscode\/tasks\.json/,
    );
    await dialog.cancel();
    assert.ok(existsSync(at("old.ts")) && !existsSync(at(".vscode")));
    await button("Apply").click();
    await dialog.click("Apply and Delete");
    await notifications.waitFor(/^2 files were changed\./);
    assert.ok(!existsSync(at("old.ts")) && existsSync(at(".vscode/tasks.json")));
    await workbench.runCommand("Codex Gateway: Keep Last Edit");
    await notifications.waitFor(/^The edit is kept\.$/);
    await notifications.waitForNone(/were changed/);
    await workbench.waitForCommand("Codex Gateway: Undo Last Edit", false);
  });

  it("is offered by code blocks that name their file, shown in its editor, and undone by its keys", async () => {
    const { chat, editor, inlineChat, notifications, page } = workbench;
    await editor.open("lamp.ts");
    answers = ['Like this.\n\nlamp.ts\n```ts\nexport const lamp = "on";\nexport const color = "white";\n```'];
    await chat.ask("@codex /explain How is it switched on?");
    await workbench.close("Close Editor");
    await button("Apply").click();
    await notifications.click(/^Changed: lamp\.ts/, "Next");
    await editor.waitForTab("lamp.ts");
    await page.locator(".codelens-decoration", { hasText: /Keep.*Undo/ }).waitFor();
    assert.equal(read("lamp.ts"), lamp.replace("off", "on"));
    await chat.focus();
    await inlineChat.press("Shift+N", () => Promise.resolve(read("lamp.ts") === lamp));
    await notifications.waitFor(/^The edit was undone\.$/);
    isAsBefore();
    await workbench.close("Close All Editors");
  });

  it("shows new errors, and fixes them on request", async () => {
    const { chat, editor, notifications, quickInput } = workbench;
    answers = [
      `Light.\n\n${patch("*** Add File: light.css", "+a { color: }")}`,
      `Fixed.\n\n${patch("*** Update File: light.css", "@@", "-a { color: }", "+a { color: red; }")}`,
    ];
    await chat.ask("@codex /edit Add a style");
    await button("Apply").click();
    await notifications.waitFor(/^Changed: light\.css/);
    await editor.open("light.css");
    await notifications.waitForNone(/^Changed/);
    await notifications.waitFor(/^1 new problem since the edit\. Fix · Keep · Undo$/);
    assert.ok((await state()).includes("Fix 1 new problem since the edit."));
    await quickInput.cancel();
    await workbench.runCommand("Codex Gateway: Fix New Problems of Last Edit");
    await chat.waitForAnswer(/Fixed\.[^]*light\.css · \+1 −1/);
    assert.match(asked(), /Problems reported in these files[^]*light\.css:1: [^]*Fix the new problems: light\.css:1"/);
    // The follow-up moves the answer and its button.
    await workbench.page.getByText("Write tests for the fix").waitFor();
    await button("Apply").click();
    await notifications.waitFor(/^Changed: light\.css/);
    await notifications.waitForNone(/new problem/);
    for (const isThere of [true, false]) {
      await workbench.runCommand("Codex Gateway: Undo Last Edit");
      await notifications.waitFor(/^The edit was undone\.$/);
      await notifications.dismissAll();
      assert.equal(existsSync(at("light.css")), isThere);
    }
    await workbench.close("Close All Editors");
  });

  it("and what else a hijacked model writes loads no picture and runs no command", async () => {
    const pictures = [
      `![a lighthouse](${gateway.imageHost.url}/markdown.png?who=reader)`,
      `![a lighthouse][reference]`,
      `<img src="${gateway.imageHost.url}/html.png?who=reader">`,
      `[Read more](command:workbench.action.closeAllEditors)`,
      `[reference]: ${gateway.imageHost.url}/reference.png?who=reader`,
    ];
    answers = [`A lighthouse shines.\n\n${pictures.join("\n\n")}\n\nThat is all.`];
    const answer = await workbench.chat.ask("@codex What does a lighthouse do?");
    assert.match(answer, /A lighthouse shines\.[^]*That is all\./);
    const links = workbench.page.locator(".interactive-session .response a[data-href^='command:']");
    assert.equal(await links.filter({ hasText: "Read more" }).count(), 0);
    assert.deepEqual([...gateway.downloads], []);
  });

  it("and a hijacked gateway's words have no links, and not the key that it was sent", async () => {
    const message = `Go to [Set API Key](command:workbench.action.closeAllEditors) with ${gateway.keys.codex}`;
    const fault = { status: 400, message, headers: { "x-request-id": gateway.keys.codex } } as const;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always(fault);
    const answer = await workbench.chat.ask("@codex Who are you?");
    assert.match(answer, /Set API Key/);
    assert.equal(await workbench.chat.inAnswer("link", /Set API Key/).count(), 0);
    const toasts = workbench.page.locator(".notification-list-item-message");
    const texts = [answer, ...(await toasts.allInnerTexts())];
    for (const text of texts) assert.ok(!text.includes(gateway.keys.codex), text);
    assert.deepEqual(await toasts.locator("a").allInnerTexts(), ["Show Log"]);
  });
});
