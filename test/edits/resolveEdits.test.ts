import assert from "node:assert/strict";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { outcome } from "../support/edits/outcome.ts";
import { each } from "../support/each.ts";

const path = "src/a.ts";
const text = "import x from 'x';\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";
const files = new Map([
  [path, text],
  ["src/b.ts", "export const b = 1;\n"],
]);
const changed = text.replace("return 1", "return 10");

const search = (old: string, lines: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${lines}\n>>>>>>> REPLACE`;
const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const one = search("  return 1;", "  return 10;");
const target = { path, start: 3, end: 4 };
const rows = "@@ -4 +4 @@\n-  return 1;\n+  return 10;";

describe("an answer that changes a file", () => {
  each([
    ["has line endings of its own", `${path}\n${one}`.replaceAll("\n", "\r\n")],
    ["has lines around its change", patch(`*** Update File: ${path}`, " function one() {", ...rows.split("\n"), " }")],
    ["is the whole file", `\`\`\`ts ${path}\n${changed}\`\`\``],
  ]).hold((answer: string) => {
    const { changes, problems } = resolveEdits(answer, files);
    const hunks = [{ start: 3, end: 4, lines: ["  return 10;"], match: "exact" }];
    assert.deepEqual([changes, problems], [[{ path, kind: "update", text: changed, hunks }], []]);
  });

  it("may change several places and files, in any order", () => {
    const two = search("  return 2;", "  return 20;");
    const answer = `${path}\n${two}\n\n${one}\n\nsrc/b.ts\n${search("export const b = 1;", "export const b = 2;")}`;
    assert.deepEqual(outcome(answer, files), [changed.replace("return 2", "return 20"), "export const b = 2;\n"]);
  });

  each([
    [
      "may create, delete and rename files",
      patch(
        ...["*** Add File: src/new.ts", "+const a = 1;", "*** Delete File: src/b.ts"],
        ...[`*** Update File: ${path}`, "*** Move to: src/c.ts", "-  return 1;", "+  return 10;"],
      ),
      ["delete src/b.ts ", `rename ${path} src/c.ts ${changed}`, "create src/new.ts const a = 1;\n"],
    ],
    [
      "may delete a file by a diff",
      "```diff\n--- a/src/b.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const b = 1;\n```",
      ["delete src/b.ts "],
    ],
  ]).gives((answer: string) =>
    resolveEdits(answer, files).changes.map(({ kind, path, newPath, text }) =>
      [kind, path, ...(newPath === undefined ? [] : [newPath]), text].join(" "),
    ),
  );

  const block = ["    if (a) {", "      b();", "    }"];
  each([
    ["may have lines indented by two more", block.map((line) => `  ${line}`)],
    ["may have lines without any indentation", block.map((line) => line.trim())],
    ["may have lines with tabs", ["\t\tif (a) {", "\t\t\tb();", "\t\t}"]],
    ["may have a line indented otherwise", block.with(1, "        b();")],
    ["may have lines with white space at their ends", block.map((line) => `${line}  `)],
  ]).hold((lines: readonly string[]) => {
    // The reverse, too.
    for (const [before, after] of [
      [block, lines],
      [lines, block],
    ] as const) {
      const answer = ["```ts replace", ...after, "```"].join("\n");
      const file = { [path]: ["first", ...before, "last"].join("\n") };
      const lands = outcome(answer, file, { path, start: 1, end: 1 + before.length });
      assert.deepEqual(lands, [["first", ...after, "last"].join("\n")]);
    }
  });

  it("is marked in any form", () => {
    for (const info of ["ts Replace", "ts,replace", "ts {replace}", "ts:replace"])
      assert.deepEqual(outcome(`\`\`\`${info}\nb();\n\`\`\``, { [path]: "a();" }, { path, start: 0, end: 1 }), [
        "b();",
      ]);
  });

  it("may resolve a merge conflict", () => {
    const conflict = "<<<<<<< HEAD\na();\n=======\nb();\n>>>>>>> other";
    assert.deepEqual(outcome(`${path}\n${search(conflict, "a();")}`, { [path]: `${conflict}\n` }), ["a();\n"]);
    const open = search(conflict, "a();").replace("\n=======\na();", "");
    assert.deepEqual(outcome(`${path}\n${open}`, { [path]: `${conflict}\n` }), ["malformed"]);
  });

  it("leaves the end of a file without a newline as it is", () => {
    assert.deepEqual(outcome("```ts replace\nb();\n\n```", { [path]: "a();" }, { path, start: 0, end: 1 }), ["b();"]);
  });

  it("creates no file whose path begins with a sentence", () => {
    for (const line of ["Update lib/new.ts:", "Then add this to lib/new.ts", "Move it into src/new.ts"])
      assert.deepEqual(outcome(`${line}\n\`\`\`ts\nnew();\n\`\`\``, files), [], line);
    const [created] = resolveEdits("Create lib/new.ts:\n```ts\nnew();\n```", files).changes;
    assert.deepEqual([created?.kind, created?.path], ["create", "lib/new.ts"]);
  });

  it("may quote a part of a file that is named like its language", () => {
    const make = { Makefile: "all: build\n\tnpm test\n\nbuild:\n\ttsc\n\nclean:\n\trm -rf dist\n" };
    const quote = "```makefile\nclean:\n\trm -rf dist\n```";
    assert.deepEqual(outcome(quote, make), []);
    const answer = `${quote}\n\nMakefile\n${search("\trm -rf dist", "\trm -rf out")}`;
    assert.deepEqual(outcome(answer, make), [make.Makefile.replace("dist", "out")]);
  });

  it("changes the file of the target lines if it names no file, or several", () => {
    const both = new Map([...files, ["lib/a.ts", text]]);
    const first = { path, start: 0, end: 1 };
    for (const answer of [one, `a.ts\n${one}`, `\`\`\`diff\n${rows}\n\`\`\``]) {
      assert.equal(resolveEdits(answer, both, first).changes[0]?.path, path);
      assert.deepEqual(outcome(answer, both, first), [changed]);
    }
    assert.deepEqual(outcome(`a.ts\n${one}`, both), ["ambiguous"]);
    for (const answer of [one, `\`\`\`ts\n${one}\n\`\`\``, `\`\`\`diff\n${rows}\n\`\`\``, rows])
      assert.deepEqual(outcome(answer, { [path]: text }), ["noTarget"], answer);
    assert.deepEqual(outcome(search("nowhere();", "there();"), both, first), ["notFound"]);
  });
});

describe("an answer is refused", () => {
  each<[answer: string], string>([
    ["beyond what is shown", `${"x\n".repeat(60_000)}${path}\n${one}`, "tooLong"],
    ["with invisible characters", `${path}\n${search("  return 1;", "  return 1;\u202e")}`, "unseen"],
    ["with code out of view", `${path}\n${search("  return 1;", `  return 1;${" ".repeat(200)}evil();`)}`, "unseen"],
  ]).hold((answer, problem) => {
    assert.deepEqual(outcome(answer, files), [problem]);
  });

  each([
    ["with marks of another form", "<<<<<<< ORIGINAL\n  return 1;\n=======\n  return 10;\n>>>>>>> UPDATED"],
    ["with marks in bold", one.replace(/[<>]{7} \w+/g, "**$&**")],
    ["with escaped marks", one.replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
  ]).hold((block: string) => {
    // They are never written into a file.
    for (const head of [`${path}\n\`\`\`ts`, "src/new.ts\n```ts", "```ts replace"])
      assert.deepEqual(outcome(`${head}\n${block}\n\`\`\``, files, target), ["malformed"], head);
  });

  const roots = ["/etc/a.ts", "C:\\a.ts", "c:/a.ts", "\\\\host\\a.ts", "~/a.ts", "file:///a.ts"];
  const others = ["../a.ts", "src/../../a.ts", "src/.. /a.ts", "a\0.ts", "src/", "a.ts:stream", "src/\u202ea.ts"];
  for (const bad of [...roots, ...others]) {
    it(`for a path outside of the workspace: ${JSON.stringify(bad)}`, () => {
      const answers = [
        patch(`*** Add File: ${bad}`, "+a"),
        patch(`*** Update File: ${bad}`, "-  return 1;", "+  return 10;"),
        patch(`*** Update File: ${path}`, `*** Move to: ${bad}`, "-  return 1;", "+  return 10;"),
        `${bad}\n${search("", "a")}`,
        `\`\`\`diff\n--- /dev/null\n+++ b/${bad}\n@@ -0,0 +1 @@\n+a\n\`\`\``,
      ];
      for (const answer of answers) assert.deepEqual(resolveEdits(answer, files).changes, [], answer);
    });
  }

  for (const name of [`${path}\0`, `${path}\u202e`, "a.ts\x07", "a.ts\u200b"]) {
    it(`for a whole file whose path ends in an invisible character: ${JSON.stringify(name)}`, () => {
      const lines = "```ts\none\n```";
      const infos = [`ts ${name}`, `ts:${name}`, `ts title="${name}"`, name];
      for (const answer of [`${name}\n${lines}`, ...infos.map((info) => lines.replace("ts", () => info))])
        assert.deepEqual(outcome(answer, new Map([...files, ["a.ts", "one"]])), ["outside"], answer);
    });
  }

  it("for a whole file if one of its hunks has a problem, while other files are changed", () => {
    const answer = `${path}\n${one}\n${search("nowhere", "a")}\n\nsrc/b.ts\n${search("export const b = 1;", "export const b = 2;")}`;
    const { changes, problems } = resolveEdits(answer, files);
    const paths = changes.map((change) => change.path);
    assert.deepEqual([paths, problems], [["src/b.ts"], [{ kind: "notFound", path, line: 6 }]]);
    const move = (from: string, to: string): readonly string[] => [`*** Update File: ${from}`, `*** Move to: ${to}`];
    const twoToOne = patch(...move(path, "src/c.ts"), ...move("src/b.ts", "src/C.ts"));
    assert.deepEqual(outcome(twoToOne, files), [text, "exists"]);
  });

  it("for a whole file that is only a part of it", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index};`);
    for (const part of [lines.slice(15), lines.slice(0, 25), lines.slice(3, 37), lines.slice(10, 14)]) {
      const answer = `\`\`\`ts src/a.ts\n${part.join("\n").replace("12;", "12; // new")}\n\`\`\``;
      assert.deepEqual(resolveEdits(answer, new Map([["src/a.ts", `${lines.join("\n")}\n`]])).changes, []);
    }
  });

  it("for a file of which it only quotes some lines", () => {
    const lines = text.split("\n");
    const quote = (title: string, end: number): string =>
      `${title}\n\`\`\`ts\n${lines.slice(2, end).join("\n")}\n\`\`\``;
    for (const title of [`${path}:3-5`, `\`${path}#L3-L5\``, path])
      assert.deepEqual(resolveEdits(quote(title, 5), files).changes, [], title);
    assert.deepEqual(resolveEdits(quote(`${path}:3-9`, 9), files).changes, []);
    assert.deepEqual(outcome(quote(path, 9), files), [lines.slice(2).join("\n")]);
    const answer = quote(`${path}:3-5`, 5).replace("1", "2");
    assert.deepEqual(outcome(answer, files, target), []);
    assert.deepEqual(outcome(`${answer}\n${path}\n${one}`, files), [changed]);
  });

  it("wherever it is cut off", () => {
    const whole = patch(`*** Update File: ${path}`, "@@", "-  return 1;", "+  return 10;");
    for (const answer of [
      `So:\n\n\`\`\`\n${whole}\n\`\`\``,
      whole,
      `**${path}**\n\`\`\`ts\n${one}\n\`\`\``,
      `${path}\n${one}`,
      `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n${rows}\n\`\`\``,
      "```ts replace\n  return 10;\n```",
      `\`\`\`ts ${path}\n${changed}\`\`\``,
    ]) {
      for (let length = 0; length < answer.length; length += 1)
        assert.deepEqual(resolveEdits(answer.slice(0, length), files, target).changes, [], answer.slice(0, length));
    }
  });

  it("without a problem if it contains no edit", () => {
    for (const answer of [
      "The function returns `1`:\n\n```ts\nreturn 1;\n```\n\n- so\n- it is\n",
      "A patch starts with\n\n*** Begin Patch\n\nand so on.",
      "A patch starts so:\n\n```\n*** Begin Patch\n```\n\nand so on.",
    ])
      assert.deepEqual(outcome(answer, files, target), [], answer);
  });
});
