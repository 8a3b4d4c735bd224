import assert from "node:assert/strict";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { questionTexts } from "./support/chatBody.ts";
import { withOwnSession } from "./support/session.ts";
import type { SourceControl } from "./support/sourceControl.ts";
import { succeeded, until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

const answers = ["explain what the harbor is for\n\nShips need to know.", "say how many ships there are"];

describe("commit messages in a real VS Code, without signing in", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let repository: GitFolder;
  let scm: SourceControl;

  withOwnSession(
    (local, cleanup) => {
      repository = cleanup.use(createRepository());
      repository.write("harbor.ts", "export const ships = 1;\n");
      repository.write(".env", "PASSWORD=never-to-be-sent\n");
      repository.commit("docs: open the harbor");
      repository.write("harbor.ts", "export const ships = 2;\n");
      repository.write(".env", "PASSWORD=never-to-be-sent-either\n");
      const settings = {
        "codexGateway.commitMessage.model": "gpt-5.4",
        "codexGateway.commitMessage.language": "English",
      };
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
          const isAgain = turns.some(({ text }) => text.includes("Word it differently"));
          return { text: answers[isAgain ? 1 : 0] ?? "", calls: [] };
        },
      }),
    },
  );

  it("write a message at a click, after what the user typed, from the changes without secrets", async () => {
    await scm.open();
    await scm.button("Generate Commit Message").waitFor({ state: "attached" });
    await scm.focusBox();
    await workbench.page.keyboard.insertText("docs:");
    await scm.press("Generate Commit Message");
    await scm.waitForBox("docs: explain what the harbor is for Ships need to know.");
    await workbench.screenshot("commit-message");
    const [request = ""] = questionTexts(gateway);
    assert.match(request, /"model":"gpt-5\.4"/);
    assert.match(request, /ships = 2/);
    assert.match(request, /Write in this language: English/);
    assert.doesNotMatch(request, /never-to-be-sent|\.env/);
  });

  it("are worded differently at the next click, and one undo brings back what was there", async () => {
    await scm.press("Generate Commit Message");
    await scm.waitForBox("docs: say how many ships there are");
    assert.match(questionTexts(gateway)[0] ?? "", /did not take[^]*explain what the harbor is for/);
    await scm.focusBox();
    await workbench.page.keyboard.press("ControlOrMeta+z");
    await scm.waitForBox("docs: explain what the harbor is for Ships need to know.");
    await workbench.page.keyboard.press("ControlOrMeta+a");
    await workbench.page.keyboard.insertText("docs:");
    await scm.waitForBox("docs:");
  });

  it("stop at the same button, which leaves what the user typed", async () => {
    gateway.mode({ hold: "midAnswer" });
    await scm.press("Generate Commit Message");
    await gateway.until((_, held) => held === 1);
    await scm.press("Stop Commit Message");
    await gateway.until(() => gateway.asked[0]?.closed !== undefined);
    await scm.button("Generate Commit Message").waitFor({ state: "attached" });
    await scm.waitForBox("docs:");
    assert.deepEqual(await workbench.notifications.all(), []);
  });

  it("leave the box to the user who types meanwhile", async () => {
    // The extension hears of the typing a moment later; until then, the answer must not be complete.
    gateway.mode({ hold: "midAnswer", chunkDelay: 150 });
    await scm.press("Generate Commit Message");
    await gateway.until((_, held) => held === 1);
    await scm.focusBox();
    await workbench.page.keyboard.press("ControlOrMeta+a");
    await workbench.page.keyboard.insertText("my own words");
    gateway.release();
    await scm.button("Generate Commit Message").waitFor({ state: "attached" });
    await scm.waitForBox("my own words");
  });

  it("say what is in the way: nothing changed", async () => {
    repository.git("checkout", "--quiet", ".");
    await workbench.runCommand("Git: Refresh");
    await until("the sentence", async () => {
      await workbench.runCommand("Codex Gateway: Generate Commit Message");
      return succeeded(workbench.notifications.waitFor(/^There are no changes in repository to describe\./));
    });
    await workbench.notifications.dismissAll();
  });
});
