import assert from "node:assert/strict";
import { cleanPath, pathInInfo, pathInLine, resolvePath } from "../../src/edits/read/paths.ts";

const files = new Map(["src/a.ts", "src/b.ts", "lib/b.ts", "Makefile", "my file.txt"].map((path) => [path, ""]));

describe("the path of a file", () => {
  const cases: Readonly<Record<string, string | undefined>> = {
    "src/a.ts": "src/a.ts",
    "src\\a.ts": "src/a.ts",
    "**`src/a.ts`**:": "src/a.ts",
    "src/a.ts:12-20": "src/a.ts",
    "a/src/a.ts": "a/src/a.ts",
    "a.ts": "src/a.ts",
    "SRC/A.ts": "src/a.ts",
    "b.ts": "b.ts",
    "": undefined,
    "src/": undefined,
    "../a.ts": undefined,
    "a.ts:stream": undefined,
    "src/\u202ea.ts": undefined,
  };
  for (const [written, expected] of Object.entries(cases)) {
    it(`${JSON.stringify(written)} is ${expected ?? "none"}`, () => {
      const resolved = resolvePath(written, files);
      assert.equal(resolved?.path, expected);
    });
  }

  it("is found in the line before a block", () => {
    assert.deepEqual(pathInLine("**src/a.ts**", files), { path: "src/a.ts", isOnlyPath: true });
    assert.deepEqual(pathInLine("// src/a.ts", files), { path: "src/a.ts", isOnlyPath: true });
    assert.deepEqual(pathInLine("Change `src/a.ts` like this:", files), { path: "src/a.ts", isOnlyPath: false });
    assert.deepEqual(pathInLine("Change `../evil.ts` like this:", files), { path: "../evil.ts", isOnlyPath: false });
    assert.equal(pathInLine("Replace `console.log` in all places.", files), undefined);
    assert.equal(pathInLine("### Node.js", files), undefined);
    assert.equal(pathInLine("Change src/a.ts or src/b.ts:", files), undefined);
  });

  it("is found in a line in Chinese", () => {
    const labels = [
      "文件：src/a.ts",
      "**文件名：** `src/a.ts`",
      "1、`src/a.ts`：",
      "`src/a.ts`（修改）",
      "新建文件 src/a.ts：",
    ];
    for (const line of labels) assert.deepEqual(pathInLine(line, files), { path: "src/a.ts", isOnlyPath: true }, line);
    for (const line of ["在src/a.ts中修改：", "目标文件：src/a.ts", "修改 `src/a.ts`，如下："])
      assert.deepEqual(pathInLine(line, files), { path: "src/a.ts", isOnlyPath: false }, line);
    assert.equal(pathInLine("目标：lib/new.ts", files)?.isOnlyPath, false);
    assert.equal(pathInLine("文件：lib/说明.md", files)?.path, "lib/说明.md");
  });

  it("is found in the info string of a fence", () => {
    for (const info of [
      "ts:src/a.ts",
      "src/a.ts",
      "ts src/a.ts",
      'ts title="src/a.ts"',
      "ts {file=src/a.ts}",
      "ts // src/a.ts",
      "ts filename='src/a.ts'",
    ])
      assert.equal(pathInInfo(info, files), "src/a.ts", info);
    assert.equal(pathInInfo("Makefile", files), "Makefile");
    for (const info of [
      "",
      "ts",
      "c++",
      "asp.net",
      "ts replace",
      "js {1,3-5}",
      'js title="Usage"',
      "mermaid name=Flow",
      "12:14:src/a.ts",
      "ts 12:14:src/a.ts",
    ])
      assert.equal(pathInInfo(info, files), undefined, info);
  });

  it("is read without its decoration", () => {
    assert.equal(cleanPath("- `src/a.ts` (new file)"), "src/a.ts");
    assert.equal(cleanPath("src/a.ts\t2026-01-01 00:00:00"), "src/a.ts");
  });
});
