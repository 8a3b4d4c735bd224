import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { createRepository, type GitFolder, gitFolderAt } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { questionTexts } from "./support/chatBody.ts";
import { sharedSession, withOwnSession } from "./support/session.ts";
import type { SourceControl } from "./support/sourceControl.ts";
import type { Workbench } from "./support/workbench.ts";

const write = "Generate Commit Message";

/** A repository beside another one, without a commit. */
function initBeside(other: GitFolder, name: string): GitFolder {
  const folder = join(dirname(other.folder), name);
  mkdirSync(folder);
  const repository = gitFolderAt(folder);
  repository.git("init", "--quiet", "--initial-branch=main");
  return repository;
}

describe("commit messages in repositories of all kinds, in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let scm: SourceControl;
  let answer: string;
  let root: (name: string) => string;

  withOwnSession(
    (local, cleanup) => {
      const unchanged = cleanup.use(createRepository());
      const ports = dirname(unchanged.folder);
      root = (name) => join(ports, name);
      unchanged.commit("Begin");
      const empty = initBeside(unchanged, "empty");
      empty.write("first.ts", "export const first = 1;\n");
      empty.git("add", "--all");
      const detached = initBeside(unchanged, "detached");
      detached.write("head.ts", "export const head = 1;\n");
      detached.commit("Begin");
      detached.git("checkout", "--quiet", "--detach");
      detached.write("head.ts", "export const head = 2;\n");
      const merging = initBeside(unchanged, "merging");
      merging.write("pier.ts", "export const pier = 1;\n");
      merging.commit("Begin");
      merging.git("checkout", "--quiet", "-b", "side");
      merging.write("side.ts", "export const side = 1;\n");
      merging.commit("Side");
      merging.git("checkout", "--quiet", "main");
      merging.write("pier.ts", "export const pier = 2;\n");
      merging.commit("Pier");
      merging.git("merge", "--quiet", "--no-ff", "--no-commit", "side");
      const withheld = initBeside(unchanged, "withheld");
      withheld.write(".env", "PASSWORD=never-to-be-sent\n");
      withheld.git("add", "--all");
      return { ...connectedTo(local, { "scm.showActionButton": false }), workspace: ports };
    },
    async (session) => {
      ({ gateway, workbench } = session);
      scm = workbench.sourceControl;
      // All repositories are in view.
      await workbench.page.setViewportSize({ width: 1280, height: 1400 });
      await scm.open();
      await scm.button(write, root("withheld")).waitFor({ state: "attached" });
    },
    { gateway: () => ({ reply: () => ({ text: answer, calls: [] }) }) },
  );

  beforeEach(() => {
    answer = "Say what is first";
  });

  it("are written for the first commit of a repository", async () => {
    await scm.press(write, root("empty"));
    await scm.waitForBox("Say what is first", root("empty"));
    assert.match(questionTexts(gateway)[0] ?? "", /added first\.ts[^]*\+export const first = 1;/);
  });

  it("are written on a detached head", async () => {
    answer = "Sure, here is the commit message:\n\n```\nTurn the head\n```";
    await scm.press(write, root("detached"));
    await scm.waitForBox("Turn the head", root("detached"));
    assert.match(questionTexts(gateway)[0] ?? "", /-export const head = 1;[^]*\+export const head = 2;/);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["nothing has changed", "repository", /^There are no changes in repository to describe\. Save your changes, then/],
    ["a merge is in progress", "merging", /^A merge is in progress in merging, so Git's own message is kept\./],
    ["all files may contain secrets", "withheld", /^All changed files may contain secrets, so nothing was sent\./],
  ];
  for (const [reason, name, sentence] of refused) {
    it(`are not asked for where ${reason}, which is said`, async () => {
      const before = await scm.boxText(root(name));
      await scm.press(write, root(name));
      const { buttons } = await workbench.notifications.waitFor(sentence);
      assert.deepEqual(buttons, ["Open Source Control"]);
      assert.equal(await scm.boxText(root(name)), before);
      assert.deepEqual(questionTexts(gateway), []);
    });
  }

  it("that the model refuses to write leave the box as it was", async () => {
    answer = "I'm sorry, but I can't help with that.";
    const before = await scm.boxText(root("detached"));
    await scm.press(write, root("detached"));
    const { buttons } = await workbench.notifications.waitFor(/^The model returned no commit message\./);
    assert.deepEqual(buttons, ["Retry", "Open Settings"]);
    await scm.waitForBox(before, root("detached"));
  });
});

describe("commit messages without a repository, in a real VS Code", () => {
  it("are not written, which is said", async () => {
    const { workbench } = await sharedSession();
    await workbench.runCommand("Codex Gateway: Generate Commit Message");
    const { buttons } = await workbench.notifications.waitFor(
      /^No Git repository is open\. Open a folder that is in a/,
    );
    assert.deepEqual(buttons, ["Open Source Control"]);
    await workbench.notifications.dismissAll();
  });
});
