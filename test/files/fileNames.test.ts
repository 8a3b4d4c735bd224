import assert from "node:assert/strict";
import { hasUnusableName } from "../../src/files/fileNames.ts";
import { isInGitFolder } from "../../src/files/gitFolders.ts";
import { each } from "../support/each.ts";

describe("the name of a file", () => {
  const long = [`src/${"a".repeat(256)}`, `${"字".repeat(86)}.md`];
  const usable = ["src/.gitignore", ".vscode/tasks.json", "console.ts", "a..b", "...slug", "[...slug].tsx", "a b.md"];
  each<[readonly string[]], readonly [onLinux: boolean, onWindows: boolean]>([
    ["is unusable everywhere where it ends with a dot or a blank", ["src/a.ts.", "a.ts ", "src ./a.ts"], [true, true]],
    ["is unusable everywhere with unseen characters", ["src/gnp\u202ets.txt", ".g\u200cit/config"], [true, true]],
    ["is unusable everywhere where it is too long", long, [true, true]],
    [
      "may be a device on Windows",
      ["con", "src/NUL.txt", "aux/a.ts", "COM1", "lpt¹.ts", "con .txt", "CONIN$"],
      [false, true],
    ],
    ["may have characters that Windows refuses", ["what?.md", "a|b"], [false, true]],
    ["is usable otherwise", [...usable, "family 👨\u200d👩\u200d👧.md"], [false, false]],
  ]).hold((paths, expected) => {
    for (const path of paths) {
      assert.deepEqual([hasUnusableName(path, "linux"), hasUnusableName(path, "win32")], expected, path);
    }
  });

  it("is recognized as Git's folder in any case and with any slash", () => {
    const inside = [".git/hooks/pre-commit", "a/.GIT/config", "GIT~1/config", ".git", "a\\.git\\config"];
    assert.deepEqual([...inside, ...usable].filter(isInGitFolder), inside);
  });
});
