import assert from "node:assert/strict";
import { ConfigurationTarget, Uri, workspace } from "vscode";
import { isExcluded } from "../../src/reading/excludedFiles.ts";
import { at } from "./editing.ts";

describe("a file that the settings hide", () => {
  const globs = { "**/*.{tmp,bak}": true, "built/": false, built: true, "**/*.js": { when: "$(basename).ts" } };
  const exclude = (section: string, value: unknown): Thenable<void> =>
    workspace.getConfiguration(section).update("exclude", value, ConfigurationTarget.Global);

  before(async () => {
    await exclude("files", globs);
    await exclude("search", { "found/**": true });
  });
  after(async () => {
    await exclude("files", undefined);
    await exclude("search", undefined);
  });

  const cases: readonly (readonly [path: string, isHidden: boolean])[] = [
    ["a.ts", false],
    ["a.tmp", true],
    ["deep/in/a.bak", true],
    ["built/out.ts", true],
    ["built/deep/out.ts", true],
    ["rebuilt/out.ts", false],
    ["a.js", false],
    [".git/config", true],
    ["found/a.ts", false],
  ];
  for (const [path, isHidden] of cases) {
    it(`is ${isHidden ? "" : "not "}${path}`, () => {
      assert.equal(isExcluded(at(path), "files"), isHidden);
    });
  }

  it("may be excluded only from search, and never outside the workspace", () => {
    assert.equal(isExcluded(at("found/a.ts"), "files", "search"), true);
    assert.equal(isExcluded(Uri.file("/elsewhere/a.tmp"), "files", "search"), false);
  });
});
