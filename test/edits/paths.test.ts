import assert from "node:assert/strict";
import { cleanPath } from "../../src/edits/read/paths.ts";
import { outcome } from "../support/edits/outcome.ts";

const text = "a();\nb();\nold();\n";
const files = {
  "src/a.ts": text,
  "src/b.ts": "b();\n",
  "lib/b.ts": "b();\n",
  "my file.ts": "my();\n",
  Makefile: "all:\n",
};
const edit = "<<<<<<< SEARCH\nold();\n=======\nnew();\n>>>>>>> REPLACE";
const whole = "```ts\na();\nb();\nnew();\n```";
const changed = text.replace("old", "new");

describe("the path of a file", () => {
  const paths = ["src/a.ts", "src\\a.ts", "SRC/A.ts", "a.ts", "`src/a.ts`:", "[src/a.ts](src/a.ts)", "@src/a.ts"];
  const decorated = [
    "**File:** `src/a.ts`",
    "📄 src/a.ts",
    "--- src/a.ts ---",
    "// src/a.ts",
    "- **src/a.ts** (new)",
    "src/a.ts\t2026-01-01",
  ];
  const chinese = ["文件：src/a.ts", "**文件名：** `src/a.ts`", "1、`src/a.ts`：", "`src/a.ts`（修改）"];
  for (const line of [...paths, ...decorated, ...chinese, "新建文件 src/a.ts："]) {
    it(`is a line above an edit or the whole file: ${line}`, () => {
      for (const block of [edit, whole]) assert.deepEqual(outcome(`${line}\n${block}`, files), [changed], block);
    });
  }

  const english = ["Change `src/a.ts` like this:", "Update src/a.ts:", "src/a.ts:12-20"];
  for (const line of [...english, "在src/a.ts中修改：", "目标文件：src/a.ts", "修改 `src/a.ts`，如下："]) {
    it(`is in a line above an edit, but no whole file: ${line}`, () => {
      assert.deepEqual(outcome(`${line}\n${edit}`, files), [changed]);
      assert.deepEqual(outcome(`${line}\n${whole}`, files), []);
    });
  }

  for (const [line, problem] of [
    ["Replace `console.log` in all places.", "noTarget"],
    ["### Node.js", "noTarget"],
    ["Change src/a.ts or src/b.ts:", "noTarget"],
    ["Change `../evil.ts` like this:", "outside"],
    ["b.ts", "ambiguous"],
  ] as const) {
    it(`is not found, or refused, in a line above an edit: ${line}`, () => {
      assert.deepEqual(outcome(`${line}\n${edit}`, files), [problem]);
    });
  }

  it("may be that of a new file in Chinese, or above it", () => {
    assert.deepEqual(outcome(`文件：lib/说明.md\n${whole}`, files), [changed]);
    assert.deepEqual(outcome(`目标：lib/new.ts\n${whole}`, files), []);
  });

  const attributes = ['ts title="my file.ts"', "ts {file=src/a.ts}", "ts filename='src/a.ts'"];
  for (const info of ["ts:src/a.ts", "src/a.ts", "ts src/a.ts", "ts // src/a.ts", ...attributes, "Makefile"]) {
    it(`is in the info string of a fence: ${info}`, () => {
      assert.deepEqual(outcome(whole.replace("ts", info), files), [changed]);
    });
  }

  const titles = ['js title="Usage"', "mermaid name=Flow"];
  for (const info of ["", "c++", "asp.net", "js {1,3-5}", ...titles, "12:14:src/a.ts", "ts 12:14:src/a.ts"]) {
    it(`is not in the info string of a fence: ${info}`, () => {
      assert.deepEqual(outcome(whole.replace("ts", info), files), []);
    });
  }

  it("may begin with a word for new files", () => {
    for (const path of ["新建 文本文档.txt", "新建文件夹/a.ts"])
      assert.deepEqual(outcome(`${path}\n${edit}`, { [path]: text }), [changed]);
    assert.deepEqual(outcome(`新建文件夹/a.ts\n${whole}`, {}), [changed]);
  });

  it("is read without its decoration", () => {
    assert.equal(cleanPath("- `src/a.ts` (new file)"), "src/a.ts");
    assert.equal(cleanPath("src/a.ts\t2026-01-01 00:00:00"), "src/a.ts");
  });
});
