import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { ConfigurationTarget, workspace } from "vscode";
import { ignoredFiles } from "../../src/git/gitExtension.ts";
import { FileGate } from "../../src/reading/fileGate.ts";
import { gitFolderAt } from "../support/git/gitFolder.ts";
import { at } from "./editing.ts";

describe("a repository that VS Code has not opened, folders below that of the workspace", () => {
  const folder = "fleet/ships/cutter";
  const enable = async (value: boolean | undefined): Promise<void> => {
    await workspace.getConfiguration("git").update("enabled", value, ConfigurationTarget.Global);
  };

  beforeEach(() => {
    mkdirSync(at(folder).fsPath, { recursive: true });
    const repository = gitFolderAt(at(folder).fsPath);
    repository.git("init", "--quiet");
    repository.commit("one", { ".gitignore": "*.dump\n", "a.ts": "" });
  });
  afterEach(async () => {
    await enable(undefined);
    rmSync(at("fleet").fsPath, { recursive: true });
  });

  for (const isEnabled of [true, false]) {
    it(`has its ignored files closed where \`git.enabled\` is ${isEnabled}`, async () => {
      await enable(isEnabled);
      const files = ["a.ts", "new.ts", "crew.dump", "logs/new.dump"].map((name) => at(`${folder}/${name}`));
      const closed = await new FileGate(ignoredFiles).denied(files);
      const reasons = files.map((file) => closed.get(file));
      assert.deepEqual(reasons, [undefined, undefined, "ignored", "ignored"]);
    });
  }
});
