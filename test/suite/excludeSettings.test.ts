import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { ConfigurationTarget, Uri, workspace } from "vscode";
import { isExcluded } from "../../src/reading/excludeSettings.ts";
import { listFiles } from "../../src/reading/listFiles.ts";
import { each } from "../support/each.ts";
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

  each([
    ["is a.tmp", "a.tmp", true],
    ["is deep/in/a.bak", "deep/in/a.bak", true],
    ["is built/out.ts", "built/out.ts", true],
    ["is not rebuilt/out.ts", "rebuilt/out.ts", false],
    ["is not a.js", "a.js", false],
    ["is .git/config", ".git/config", true],
    ["is not found/a.ts", "found/a.ts", false],
  ]).gives((path) => isExcluded(at(path), "files"));

  it("may be excluded only from search, and never outside the workspace", () => {
    assert.equal(isExcluded(at("found/a.ts"), "files", "search"), true);
    assert.equal(isExcluded(Uri.file("/elsewhere/a.tmp"), "files", "search"), false);
  });

  it("is not listed, and neither are skipped folders and what a linked folder has", async () => {
    const paths = ["listed/a.ts", "listed/a.tmp", "listed/deep/c.js", "listed/dist/d.ts"];
    for (const path of paths) await workspace.fs.writeFile(at(path), Buffer.from(""));
    await symlink("deep", at("listed/link").fsPath, "junction");
    try {
      const all = await listFiles(5_000, undefined);
      const listed = all.map((uri) => workspace.asRelativePath(uri)).filter((path) => path.startsWith("listed/"));
      assert.deepEqual(listed, ["listed/a.ts", "listed/link", "listed/deep/c.js"]);
      assert.deepEqual(await listFiles(3, undefined), all.slice(0, 3));
    } finally {
      await workspace.fs.delete(at("listed"), { recursive: true });
    }
  });
});
