import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { copyCheckout } from "../../scripts/copyCheckout.ts";
import { root, vsixPath } from "../../scripts/paths.ts";
import { runProgram } from "../../scripts/runProgram.ts";
import { unzip } from "../../scripts/unzip.ts";

describe("the package", function () {
  this.timeout(120_000);

  it("has the same bytes for the same commit, whatever the folder, time zone, permissions and times", async () => {
    const one = packaged("one", { TZ: "Asia/Shanghai", permissions: 0o644 });
    const other = packaged("another/folder", { TZ: "America/New_York", permissions: 0o600 });
    const [first, second] = await Promise.all([one, other]);
    assert.ok(first.length > 100_000);
    assert.ok(first.equals(second));

    const files = unzip(first);
    assert.doesNotMatch(textOf(files, "extension/readme.md"), /screenshots/);
    // VS Code's details view shows no files of the repository.
    assert.doesNotMatch(textOf(files, "extension/readme.md"), /\]\((?!https?:)/);
    const built = [...files.keys()].filter((name) => name.startsWith("extension/dist/"));
    const known = /\/(?:(?:extension|features|completions|client|shared-\w+)\.cjs|bundle\.l10n\.zh-cn\.json)$/;
    for (const name of built) assert.match(name, known);
    for (const name of built) assert.doesNotMatch(textOf(files, name), /sourceMappingURL/, name);
    // The release takes the list of components out of the package.
    const release = await readFile(join(root, ".github/workflows/release.yml"), "utf8");
    const taken = [...release.matchAll(/\bextension\/\S+/g)].map(([name]) => name);
    assert.ok(taken.length > 0);
    for (const name of [...taken, "extension/ThirdPartyNotices.txt"]) assert.match(textOf(files, name), /undici/);
  });
});

function textOf(files: ReadonlyMap<string, Buffer>, name: string): string {
  return files.get(name)?.toString("utf8") ?? assert.fail(`The VSIX lacks ${name}.`);
}

/** Packages a copy of the repository with these file properties. */
async function packaged(name: string, { TZ, permissions }: { TZ: string; permissions: number }): Promise<Buffer> {
  const parent = await mkdtemp(join(tmpdir(), "codex-gateway-"));
  try {
    const copy = join(parent, name);
    await copyCheckout(copy);
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      await chmod(file, permissions);
      await utimes(file, permissions, permissions);
    }
    const env = { ...process.env, TZ, SOURCE_DATE_EPOCH: "1700000000" };
    await runProgram(process.execPath, ["scripts/package.ts"], { cwd: copy, env });
    return await readFile(join(copy, basename(vsixPath)));
  } finally {
    await rm(parent, { recursive: true });
  }
}
