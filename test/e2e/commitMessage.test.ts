import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import type { PageElement } from "./support/pageElement.ts";
import { withOwnSession } from "./support/session.ts";
import { succeeded, until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

const answers = ["explain what the harbor is for\n\nShips need to know.", "say how many ships there are"];

describe("commit messages in a real VS Code, without signing in", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let repository: GitFolder;

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
    (session) => ({ gateway, workbench } = session),
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

  const view = (): Locator => workbench.page.locator(".part.sidebar");
  /** A button in the title. VS Code's own button with the same name is beside the box. */
  const button = (name: string): Locator =>
    view().locator(`.action-label[aria-label="${name}"]:not(.scm-editor-toolbar *)`).first();
  /** Clicks a button in the title, which shows its buttons only under the pointer. */
  const press = async (name: string): Promise<void> => {
    await view().locator(".pane-header").first().hover();
    await button(name).click();
  };
  /** The text in the box, whose lines are wrapped, with every gap as one space. */
  const boxText = async (): Promise<string> => {
    const lines = await view()
      .locator(".scm-editor")
      .first()
      .locator(".view-line")
      .evaluateAll((elements: PageElement[]) =>
        elements
          .map((line) => ({ top: parseFloat(line.style.top), text: line.textContent }))
          .sort((one, other) => one.top - other.top)
          .map(({ text }) => text),
      );
    return lines.join(" ").replace(/\s+/g, " ").trim();
  };
  const waitForBox = (text: string): Promise<unknown> =>
    until(`the box to say ${JSON.stringify(text)}`, async () => ((await boxText()) === text ? true : undefined));
  const focusBox = async (): Promise<void> => {
    // At its left end: the hover of a button in the title may cover the rest.
    await view()
      .locator(".scm-editor .view-lines")
      .first()
      .click({ position: { x: 10, y: 8 } });
  };
  const asked = (): readonly string[] =>
    gateway.requests.filter(({ operation }) => operation === "chat").map(({ body }) => JSON.stringify(body));

  it("write a message at a click, after what the user typed, from the changes without secrets", async () => {
    await workbench.page
      .getByRole("tab", { name: /^Source Control/ })
      .first()
      .click();
    await button("Generate Commit Message").waitFor({ state: "attached" });
    await focusBox();
    await workbench.page.keyboard.insertText("docs:");
    await press("Generate Commit Message");
    await waitForBox("docs: explain what the harbor is for Ships need to know.");
    await workbench.screenshot("commit-message");
    const [request = ""] = asked();
    assert.match(request, /"model":"gpt-5\.4"/);
    assert.match(request, /ships = 2/);
    assert.match(request, /Write in this language: English/);
    assert.doesNotMatch(request, /never-to-be-sent|\.env/);
  });

  it("are worded differently at the next click, and one undo brings back what was there", async () => {
    await press("Generate Commit Message");
    await waitForBox("docs: say how many ships there are");
    assert.match(asked()[0] ?? "", /did not take[^]*explain what the harbor is for/);
    await focusBox();
    await workbench.page.keyboard.press("ControlOrMeta+z");
    await waitForBox("docs: explain what the harbor is for Ships need to know.");
    await workbench.page.keyboard.press("ControlOrMeta+a");
    await workbench.page.keyboard.insertText("docs:");
    await waitForBox("docs:");
  });

  it("stop at the same button, which leaves what the user typed", async () => {
    gateway.mode({ hold: "midAnswer" });
    await press("Generate Commit Message");
    await gateway.until((_, held) => held === 1);
    await press("Stop Commit Message");
    await gateway.until(([first]) => first?.closed !== undefined);
    await button("Generate Commit Message").waitFor({ state: "attached" });
    await waitForBox("docs:");
    assert.deepEqual(await workbench.notifications.all(), []);
  });

  it("leave the box to the user who types meanwhile", async () => {
    // The extension hears of the typing a moment later; until then, the answer must not be complete.
    gateway.mode({ hold: "midAnswer", chunkDelay: 150 });
    await press("Generate Commit Message");
    await gateway.until((_, held) => held === 1);
    await focusBox();
    await workbench.page.keyboard.press("ControlOrMeta+a");
    await workbench.page.keyboard.insertText("my own words");
    gateway.release();
    await button("Generate Commit Message").waitFor({ state: "attached" });
    await waitForBox("my own words");
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
