import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { createRepository, gitFolderAt } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { withOwnSession } from "./support/session.ts";
import type { SourceControl } from "./support/sourceControl.ts";
import type { Workbench } from "./support/workbench.ts";

const [write, stop] = ["Generate Commit Message", "Stop Commit Message"];

const message = (change: string): string => `Let there be ${change}, as the harbor needs`;

describe("commit messages for several repositories, in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let scm: SourceControl;
  let roots: Readonly<Record<"repository" | "submodule" | "worktree", string>>;

  withOwnSession(
    (local, cleanup) => {
      const inner = cleanup.use(createRepository());
      inner.write("plank.ts", "export const planks = 1;\n");
      inner.commit("Begin");
      const harbor = cleanup.use(createRepository());
      harbor.git("submodule", "--quiet", "add", inner.folder, "pier");
      harbor.write("ships.ts", "export const ships = 1;\n");
      harbor.commit("Begin");
      const ports = dirname(harbor.folder);
      roots = {
        repository: harbor.folder,
        submodule: join(harbor.folder, "pier"),
        worktree: join(ports, "copies", "repository"),
      };
      harbor.git("worktree", "add", "--quiet", "-b", "beside", roots.worktree);
      gitFolderAt(roots.worktree).write("ships.ts", "export const ships = 3;\n");
      harbor.write("ships.ts", "export const ships = 2;\n");
      gitFolderAt(roots.submodule).write("plank.ts", "export const planks = 9;\n");
      // Without the Commit buttons, all boxes are in view.
      const settings = { "git.detectWorktrees": true, "scm.showActionButton": false };
      return { ...connectedTo(local, settings), workspace: ports };
    },
    (session) => {
      ({ gateway, workbench } = session);
      scm = workbench.sourceControl;
    },
    {
      isSequence: true,
      gateway: () => ({
        reply: ({ turns }) => {
          const about = /(?:ships|planks) = [239]/.exec(turns.at(-1)?.text ?? "");
          return { text: message(about?.[0] ?? "nothing"), calls: [] };
        },
      }),
    },
  );

  const boxes = async (): Promise<Record<keyof typeof roots, string>> => ({
    repository: await scm.boxText(roots.repository),
    submodule: await scm.boxText(roots.submodule),
    worktree: await scm.boxText(roots.worktree),
  });

  it("go into the box of the repository whose button is clicked", async () => {
    await scm.open();
    for (const root of Object.values(roots)) await scm.button(write, root).waitFor({ state: "attached" });
    await scm.press(write, roots.submodule);
    await scm.waitForBox(message("planks = 9"), roots.submodule);
    assert.deepEqual(await boxes(), { repository: "", submodule: message("planks = 9"), worktree: "" });
    assert.doesNotMatch(JSON.stringify(gateway.requests.map(({ body }) => body)), /ships/);
  });

  it("are stopped by the button of their own repository", async () => {
    gateway.mode({ hold: "midAnswer" });
    await scm.press(write, roots.repository);
    await gateway.until((_, held) => held === 1);
    await scm.button(stop, roots.repository).waitFor({ state: "attached" });
    for (const root of [roots.submodule, roots.worktree]) {
      assert.equal(await scm.button(stop, root).count(), 0);
      assert.equal(await scm.button(write, root).count(), 1);
    }
    await workbench.screenshot("commit-message-repositories");
    await scm.press(write, roots.worktree);
    await gateway.until((_, held) => held === 2);
    await scm.press(stop, roots.worktree);
    await scm.button(write, roots.worktree).waitFor({ state: "attached" });
    assert.equal(await scm.button(stop, roots.repository).count(), 1);
    gateway.release();
    await scm.waitForBox(message("ships = 2"), roots.repository);
    await scm.button(write, roots.repository).waitFor({ state: "attached" });
    await scm.waitForBox("", roots.worktree);
  });

  it("are for the repository that the user picks, whose names can be told apart", async () => {
    await workbench.runCommand("Codex Gateway: Generate Commit Message");
    const { labels } = await workbench.quickInput.waitFor("Select the repository for the commit message");
    const parent = basename(dirname(roots.repository));
    assert.deepEqual(labels.toSorted(), ["copies/repository", "pier", `${parent}/repository`].toSorted());
    await workbench.screenshot("commit-message-pick");
    await workbench.quickInput.pick("copies/repository");
    await scm.waitForBox(message("ships = 3"), roots.worktree);
    const all = await boxes();
    assert.deepEqual([all.repository, all.submodule], [message("ships = 2"), message("planks = 9")]);
  });
});
