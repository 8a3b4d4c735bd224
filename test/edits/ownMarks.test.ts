import assert from "node:assert/strict";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { each } from "../support/each.ts";
import { outcome } from "../support/edits/outcome.ts";

const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const diff = (path: string, ...rows: readonly string[]): string =>
  [`--- a/${path}`, `+++ b/${path}`, "@@ -1,5 +1,5 @@", ...rows].join("\n");
const inFence = (text: string, info = ""): string => `\`\`\`${info}\n${text}\n\`\`\``;

describe("edits of Markdown with code fences", () => {
  const text = "# Title\n```js\na();\n```\nEnd.\n";
  const changed = text.replace("a()", "b()");
  const rows = [" # Title", " ```js", "-a();", "+b();", " ```", " End."];
  const odd = [" ```js", "-a();", "+b();"];
  const whole = inFence(changed.trimEnd(), "md replace");
  const search = "a.md\n<<<<<<< SEARCH\n```js\na();\n=======\n```js\nb();\n>>>>>>> REPLACE";
  each([
    ["a patch in a fence no longer than theirs", inFence(patch("*** Update File: a.md", "@@", ...rows))],
    ["a diff, of whose fences one is shown", `${diff("a.md", ...odd).replace(/@@.*@@/, "@@ -2,2 +2,2 @@")}\n\nDone.`],
    ["a diff in a fence no longer than theirs", inFence(diff("a.md", ...rows), "diff")],
    ["a SEARCH/REPLACE block in a fence no longer than theirs", inFence(search)],
    ["a block in a fence of tildes", `~~~md replace\n${changed.trimEnd()}\n~~~`],
    ["a block whose fence is no longer than those in it, which pair up", `So:\n\n${whole}\n\nDone.`],
  ]).hold((answer: string) => {
    const asked = { path: "a.md", start: 0, end: 5 };
    assert.deepEqual(outcome(answer, { "a.md": text }, answer.includes("replace") ? asked : undefined), [changed]);
  });

  it("are not cut at a fence among their rows", () => {
    const both = [...rows.slice(0, -1), "-End.", "+Done."];
    for (const answer of [
      `a.md\n${inFence(both.join("\n"), "diff")}`,
      inFence(["*** Update File: a.md", ...both].join("\n")),
    ])
      assert.deepEqual(outcome(answer, { "a.md": text }), [changed.replace("End", "Done")], answer);
  });

  it("are refused where fences do not pair up, or would hide a comment", () => {
    const asked = { path: "a.md", start: 0, end: 5 };
    for (const lines of ["```js\nb();", "```\nb();\n```\nEnd.", "```js\nb();\n```\n<!--\nevil\n-->"]) {
      assert.deepEqual(resolveEdits(inFence(lines, "md replace"), new Map([["a.md", text]]), asked).changes, [], lines);
    }
  });
});

describe("a block in a fence of tildes", () => {
  it("may be ended by tildes in its code", () => {
    const files = { "a.txt": "one\n~~~\ntwo\n~~~\nthree\n" };
    assert.deepEqual(outcome("a.txt\n~~~\nnew\n~~~\ntwo\n~~~\nthree\n~~~\n", files), ["fence"]);
  });
});

describe("a text about patches", () => {
  each([
    ["in a line of its own", "A patch starts with\n\n*** Begin Patch\n\nand so on."],
    ["in a block", `A patch starts so:\n\n${inFence("*** Begin Patch")}\n\nand so on.`],
  ]).hold((answer: string) => {
    assert.deepEqual(resolveEdits(answer, new Map([["a", "x\n"]])), { changes: [], problems: [] });
  });
});

describe("code under a title", () => {
  const titles =
    "### Promise.all|**console.log**|1. `arr.map`|React.memo:|.then|v1.2.x|### try/catch|CI/CD:|@types/node";
  for (const title of titles.split("|")) {
    it(`is no new file: ${title}`, () => {
      const answer = `So:\n\n${title}\n\n${inFence("a();", "ts")}`;
      assert.deepEqual(resolveEdits(answer, new Map([["a", "x\n"]])), { changes: [], problems: [] });
    });
  }

  for (const title of ["Wrap it in a try/catch:", "Use `async/await`:", "This is client/server code."]) {
    it(`is about the file in question where it is an edit: ${title}`, () => {
      const answer = `${title}\n\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE`;
      const files = { "b.ts": "x\n" };
      assert.deepEqual(outcome(answer, files, { path: "b.ts", start: 0, end: 1 }), ["y\n"]);
      assert.deepEqual(outcome(`In lib/b.ts, ${answer}`, files, { path: "b.ts", start: 0, end: 1 }), ["unknownFile"]);
    });
  }

  for (const name of [
    "index.html",
    "### `lib/page.astro`",
    ".gitignore",
    "**docker/Dockerfile**",
    "src/.env",
    "go.mod",
  ]) {
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

describe("a patch of a text about patches", () => {
  const example = ["Example:", "*** Begin Patch", "*** Update File: b", "*** Move to: c", "old", "*** End of File"];
  const text = [...example, "*** End Patch", "Then:", "more", ""].join("\n");
  const context = (lines: readonly string[]): readonly string[] => lines.map((line) => ` ${line}`);
  const rows = [
    "@@",
    ...context(example.slice(0, 4)),
    "-old",
    "+new",
    ...context([...example.slice(5), "*** End Patch"]),
  ];
  const whole = patch("*** Update File: a", ...rows, " Then:", "-more", "+less");
  const listed = whole.replace(/^/gm, "  ");
  each([
    ["has their marks as context", whole],
    ["in a fence, too", inFence(whole)],
    ["in a list, too", `- So:\n\n${listed}`],
    ["may end with an indented mark", whole.replace(/\*{3} End Patch$/, " $&")],
  ]).hold((answer: string) => {
    const changed = text.replace("old", "new").replace("more", "less");
    assert.deepEqual(outcome(answer, { a: text, b: "old\n" }), [changed]);
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
    const files = new Map([["util.ts", "x\n"]]);
    assert.deepEqual(outcome(patch("*** Delete File: c/util.ts"), files), ["unknownFile"]);
  });
});

describe("a new file", () => {
  const padded = `| a${" ".repeat(130)}| b |`;
  each([
    ["may have dots in a comment of several lines", "a.ts", "/**\n * ...\n * others\n */\nexport {};"],
    ["may have dots in place of output", "a.md", "It prints\n...\nand ends."],
    ["may have padded tables", "a.md", `${padded}\n| --- | --- |\n${padded}`],
    ["may have keys that are numbers", "a.yml", '200: "OK"\n404: "Not Found"'],
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
