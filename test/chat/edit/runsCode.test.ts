import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { runsCode } from "../../../src/chat/edit/runsCode.ts";

describe("a changed file", () => {
  for (const path of [
    ".vscode/tasks.json",
    "app/.VSCode/settings.json",
    "all/work.code-workspace",
    ".devcontainer/devcontainer.json",
    ".devcontainer.json",
    ".husky/pre-commit",
    ".githooks/pre-push",
    "crates/a/build.rs",
    ".cargo/config.toml",
    ".gitattributes",
    "App/App.csproj",
    "Directory.Build.props",
    "eslint.config.mjs",
    "web/.prettierrc.cjs",
  ]) {
    it(`can run code without anybody starting it: ${path}`, () => {
      assert.ok(runsCode(path));
    });
  }

  for (const path of [
    "src/vscode/tasks.json",
    "docs/.vscode.md",
    "package.json",
    "husky/index.ts",
    "code-workspace.md",
    "src/build.rs.md",
    "src/eslint.ts",
    "src/proj.ts",
  ]) {
    it(`is like any other: ${path}`, () => {
      assert.ok(!runsCode(path));
    });
  }
});
