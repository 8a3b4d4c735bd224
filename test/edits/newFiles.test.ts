import assert from "node:assert/strict";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { each } from "../support/each.ts";
import { outcome } from "../support/edits/outcome.ts";

const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const inFence = (text: string, info = ""): string => `\`\`\`${info}\n${text}\n\`\`\``;

describe("code under a title", () => {
  const titles =
    "### Promise.all|**console.log**|1. `arr.map`|React.memo:|.then|v1.2.x|### try/catch|CI/CD:|@types/node";
  for (const title of titles.split("|")) {
    it(`is no new file: ${title}`, () => {
      assert.deepEqual(outcome(`So:\n\n${title}\n\n${inFence("a();", "ts")}`, { a: "x\n" }), []);
    });
  }

  for (const title of ["Wrap it in a try/catch:", "Use `async/await`:", "This is client/server code."]) {
    it(`is about the file in question where it is an edit: ${title}`, () => {
      const answer = `${title}\n\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE`;
      const target = { path: "b.ts", start: 0, end: 1 };
      assert.deepEqual(outcome(answer, { "b.ts": "x\n" }, target), ["y\n"]);
      assert.deepEqual(outcome(`In lib/b.ts, ${answer}`, { "b.ts": "x\n" }, target), ["unknownFile"]);
    });
  }

  for (const name of ["index.html", "### `lib/page.astro`", ".gitignore", "**docker/Dockerfile**", "src/.env"]) {
    it(`is a new file where that is its name: ${name}`, () => {
      assert.deepEqual(outcome(`${name}\n${inFence("a();")}`, { a: "x\n" }), ["a();\n"]);
    });
  }

  it("is a new file where its name or extension is the language of the block, or its extension that of another file", () => {
    assert.deepEqual(outcome(`\`Dockerfile\`\n${inFence("a", "dockerfile")}`, { a: "x\n" }), ["a\n"]);
    assert.deepEqual(outcome(`### Python\n${inFence("a", "python")}`, { a: "x\n" }), []);
    assert.deepEqual(outcome(`flake.nix\n${inFence("a", "nix")}`, { a: "x\n" }), ["a\n"]);
    assert.deepEqual(outcome(`flake.nix\n${inFence("a")}`, { "shell.nix": "x\n" }), ["a\n"]);
    assert.deepEqual(outcome(`flake.nix\n${inFence("a")}`, { a: "x\n" }), []);
  });
});

describe("the paths of diffs", () => {
  const created = (path: string): string => [`--- /dev/null`, `+++ ${path}`, "@@ -0,0 +1 @@", "+x"].join("\n");
  const git = (head: string, ...rows: readonly string[]): string => [`diff --git ${head}`, ...rows].join("\n");
  const hunk = ["@@ -1 +1 @@", "-old", "+new"];
  const moved = ["similarity index 100%", "rename from a.ts", "rename to lib/b.ts"];
  each<[answer: string], readonly string[]>([
    ["lose the prefix of Git", inFence(created("b/c/util.ts"), "diff"), ["create c/util.ts"]],
    ["keep a folder that is no such prefix", inFence(created("c/util.ts"), "diff"), ["create c/util.ts"]],
    ["keep a folder named like one in patches", patch("*** Add File: c/util.ts", "+x"), ["create c/util.ts"]],
    ["keep a folder named like one before blocks", `w/util.ts\n${inFence("x")}`, ["create w/util.ts"]],
    ["lose other prefixes", git("i/a.ts w/a.ts", "--- i/a.ts", "+++ w/a.ts", ...hunk), ["update a.ts new"]],
    ["may be in quotes", git('"a/a.ts" "b/a.ts"', '--- "a/a.ts"', '+++ "b/a.ts"', ...hunk), ["update a.ts new"]],
    ["may be in quotes without those of Git", created('"b/c/util.ts"'), ["create c/util.ts"]],
    ["may be without any", git("a.ts a.ts", "--- a.ts", "+++ a.ts", ...hunk), ["update a.ts new"]],
    ["may be those of a rename", git("a/a.ts b/lib/b.ts", ...moved), ["rename a.ts lib/b.ts old"]],
    ["may be those of a deleted file", git("a/a.ts b/a.ts", "deleted file mode 100644"), ["delete a.ts"]],
    ["may not be those of a copy", git("a/a.ts b/b.ts", "copy from a.ts", "copy to b.ts"), ["malformed"]],
    ["are refused outside", inFence(created("b/../x"), "diff"), ["outside"]],
  ]).gives((answer) => {
    const { changes, problems } = resolveEdits(answer, new Map([["a.ts", "old\n"]]));
    const words = changes.map(({ kind, path, newPath = "", text }) =>
      [kind, path, newPath, kind === "create" ? "" : text.trim()].filter((word) => word !== "").join(" "),
    );
    return [...words, ...problems.map(({ kind }) => kind)];
  });

  it("never make a deletion apply to the parent folder", () => {
    assert.deepEqual(outcome(patch("*** Delete File: c/util.ts"), { "util.ts": "x\n" }), ["unknownFile"]);
  });
});

describe("a new file", () => {
  const padded = `| a${" ".repeat(130)}| b |`;
  each([
    ["may have dots in a comment of several lines", "a.ts", "/**\n * ...\n * others\n */\nexport {};"],
    ["may have dots in place of output", "a.md", "It prints\n...\nand ends."],
    ["may have padded tables", "a.md", `${padded}\n| --- | --- |\n${padded}`],
    ["may have keys that are numbers", "a.yml", '200: "OK"\n404: "Not Found"'],
    ["may have keys in any script or template", "a.yml", "a:\n  名称:\n    b: 1\n  {{ key }}:\n    b: 1\n  c: 1"],
    [
      "may have merge keys, and lines of a template",
      "a.yml",
      "a:\n  <<: *b\n  c: 1\nd:\n  {{- if .x }}\n  e: 1\n  {{- end }}",
    ],
  ]).hold((path: string, lines: string) => {
    const rows = lines.split("\n").map((line) => `+${line}`);
    assert.deepEqual(outcome(patch(`*** Add File: ${path}`, ...rows), {}), [`${lines}\n`]);
  });

  it("may not omit or hide code", () => {
    for (const line of ["// ... existing code ...", `x();${" ".repeat(200)}evil();`]) {
      assert.deepEqual(resolveEdits(patch("*** Add File: a.ts", `+${line}`), new Map()).changes, [], line);
    }
  });
});
