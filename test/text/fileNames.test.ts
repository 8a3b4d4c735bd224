import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { hasUnusableName } from "../../src/text/fileNames.ts";
import { isInGitFolder } from "../../src/text/gitFolders.ts";

describe("the name of a file", () => {
  for (const path of [
    "src/a.ts.",
    "src/a.ts ",
    "src/gnp\u202ets.txt",
    ".g\u200cit/config",
    "src ./a.ts",
    `src/${"a".repeat(256)}`,
    `${"字".repeat(86)}.md`,
  ]) {
    it(`is unusable everywhere: ${path.slice(0, 20)}`, () => {
      assert.ok(hasUnusableName(path, "linux"));
      assert.ok(hasUnusableName(path, "win32"));
    });
  }

  for (const path of ["con", "src/NUL.txt", "aux/a.ts", "COM1", "lpt¹.ts", "what?.md", "a|b"]) {
    it(`is unusable only on Windows: ${path}`, () => {
      assert.ok(!hasUnusableName(path, "linux"));
      assert.ok(hasUnusableName(path, "win32"));
    });
  }

  for (const path of [
    "src/.gitignore",
    ".vscode/tasks.json",
    "console.ts",
    "a..b",
    "...slug",
    "[...slug].tsx",
    "a b.md",
    "family 👨\u200d👩\u200d👧.md",
  ]) {
    it(`is usable: ${path}`, () => {
      assert.ok(!hasUnusableName(path, "win32"));
      assert.ok(!isInGitFolder(path));
    });
  }

  for (const path of [".git/hooks/pre-commit", "a/.GIT/config", "GIT~1/config", ".git", "a\\.git\\config"]) {
    it(`leads into Git's own folder: ${path}`, () => {
      assert.ok(isInGitFolder(path));
    });
  }
});
